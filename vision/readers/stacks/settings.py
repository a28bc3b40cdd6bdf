"""The numbers by which stacks of stones are told, each with its unit and origin.

As in `vision.readers.settings`; "log" is a natural logarithm, and log-odds and log-likelihoods are such.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log


@dataclass(frozen=True, kw_only=True)
class RulerSettings:
    """How the height of a stack is measured below its marker."""

    tallest: int = 6
    """Stones of the highest stack that is looked for. Derived: two of three stones that were put together."""
    rare: tuple[float, ...] = (0.0, 0.0, 0.0, -5.5, -6.5, -7.5)
    """Log-odds of each height against the usual ones. By hand: more than three stones stand nowhere in a proper
    game."""
    farthest: float = 10.0
    """Millimetres off every site: what stands there stands on none. By hand."""
    below_foot: float = 0.8
    """Stones beyond the tallest stack that are looked at below a marker: to see the ground too. By hand."""
    steps: int = 36
    """Places on the way from a marker's edge to there. By hand: less than two pixels apart."""
    round: tuple[float, ...] = (-58.0, -30.0, 0.0, 30.0, 58.0)
    """Degrees from the direction towards the camera in which a stack's side is looked at. By hand."""
    middle: float = 0.7
    """Share of a marker's height at which its middle is seen. By hand: of its side, which is darker than its top, not
    all has its colour."""
    room: float = 1.0
    """Millimetres about a stack that count as covered by it: it may be crooked. By hand."""
    flank: float = 4.5
    """Millimetres beside a stack where the ground is seen in the same light as in front of it. By hand."""
    witness: float = 0.014
    """As how many independent witnesses one pixel counts at most … By hand."""
    witnesses: float = 2.5
    """… and all pixels of one stone: they share their shadow. By hand."""
    loudest: float = 0.8
    """The most that one pixel may say, in log-odds of stone against print. By hand."""
    clear: float = 0.98
    """If all heights are as sure as this, neither rims nor shadows are looked at: they could hardly change them. By
    hand."""
    part: float = 0.3
    """Share of a marker that must be seen for its rim to tell its size. By hand."""
    slanted_noise: float = 0.045
    """How far off (log, one sigma) the size of a marker may be that is seen from a slant of 45°, where one side of its
    edge is seen and the other hides the stone. By hand."""
    covered_off: float = 2.0
    """Millimetres by which the middle of a marker that is all but covered may be off, one sigma; less if it is less so.
    By hand."""
    beside_hand: float = 0.4
    """What is left of what shadows say of a marker that is covered in part: what covers it throws its shadow there too.
    By hand."""
    bright: tuple[float, ...] = (0.0722, 0.7152, 0.2126)
    """How bright blue, green and red light is (ITU-R BT.709)."""
    contrast: float = 0.4
    """If a marker is as bright as a stone (log) its rim shows by colour only, which pictures blur, and its light
    colours the stone … By hand."""
    smaller: float = 0.007
    """… it looks so much smaller (log). By hand."""


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """What all stacks of one table tell together."""

    slips: tuple[float, ...] = (0.5, 0.9, 1.5, 2.4, 3.6)
    """Millimetres: how far off their sites stacks may usually stand on one table. By hand."""
    slip_odds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 0.5)
    """How often tables are like that. By hand."""
    leans: tuple[float, ...] = (-1.8, -0.9, 0.0, 0.9, 1.8)
    """How much more than expected things may lean away from the camera, and look larger the higher they are, in sigmas
    of the camera's distance. By hand: they cover nineteen of twenty."""
    doubtful: float = 0.01
    """Relative doubt of that distance, one sigma: less, and it is not doubted at all. By hand."""
    shoved: float = 0.02
    """How often a stack was pushed, and stands as far off as on the most careless table. By hand."""
    size_steps: int = 17
    """How many sizes of the markers of one kind are tried … By hand."""
    size_range: float = 3.2
    """… up to so many sigmas larger or smaller than usual. By hand."""
    size_spread: float = 0.01
    """How much all sizes told by rims differ from set to set (log, one sigma). By hand: edges may be rounded."""
    size_far: float = 0.08
    """Some markers look larger or smaller for reasons of their own (log, one sigma) … By hand."""
    size_odd: float = 0.05
    """… and how many these are. By hand."""
    stray: float = -9.0
    """Log-likelihood, against a stack well on its site, that a marker's colour is on none. By hand."""
    crooked: tuple[float, ...] = (0.002, 0.004, 0.006, 0.04, 0.04, 0.04)
    """How often a stack of each height leans so much that it looks one stone higher or lower, seen from some slant …
    By hand."""
    usual_slant: float = 0.45
    """… which is this one (millimetres seen per millimetre of height): the more of a slant, the farther it must lean.
    By hand."""
    least_slant: float = 0.15
    """The same slant where there is hardly any. By hand."""
    from_above: float = 0.85
    """How far heights are trusted that are told from straight above, where they hardly show … By hand."""
    slant: float = 0.5
    """… and from how much of a slant they are trusted wholly. By hand."""


@dataclass(frozen=True, kw_only=True)
class SideSettings:
    """Stone or print: what one pixel below a marker says. Tints are in tenths here."""

    farthest: float = 3.0
    """Differences beyond this many tenths, or units of log brightness, are no more telling. By hand."""
    stone_tint: float = 0.5
    """How far stones of one stack usually differ: tint … By hand."""
    stone_tone: float = 0.4
    """… and log brightness. By hand."""
    beside_tint: float = 0.6
    """How far print differs from the print beside it, each against what is printed there: tint … By
    hand."""
    beside_shade: float = 0.4
    """… and log brightness. By hand."""
    print_tint: float = 0.8
    """How far print differs from what is printed in full light: tint … By hand."""
    print_shade: float = -0.3
    """… usual log brightness … By hand."""
    print_tone: float = 0.6
    """… and the spread of that. By hand."""
    quietest: float = 0.02
    """Density of what is neither. By hand."""
    palest: float = 0.75
    """How far on the way to white wood can be whose red is at the picture's limit. By hand."""
    weights: tuple[float, ...] = (
        *(-0.27, 1.08, -0.12, -0.2),
        *(1.19, 0.82, 0.0, -0.28, -0.39, 0.19, -1.49, 0.02, 2.12, -0.49),
    )
    """Log-odds for each unit of: nothing, like stone, like the print beside, like print; then of the differences
    themselves, in the order of `stone_or_print`. Fitted: by logistic regression, on half of some scenes of the virtual
    table and a few path-traced ones, and checked on the others."""


@dataclass(frozen=True, kw_only=True)
class RimSettings:
    """The rims of markers. Lengths are in radii of a marker."""

    inner: float = 0.65
    """Where a marker is looked at: from so far off its middle … By hand."""
    outer: float = 0.18
    """… to so much beyond its stone … By hand."""
    steps: int = 15
    """… and how many times on the way. By hand."""
    waves: tuple[int, ...] = (2, 1, 2, 1)
    """How many times, on the way round, the brightness of top, side and stone, and how much the top's rises outwards,
    may go up and down. By hand."""
    even: tuple[float, ...] = (3.0, 1.0, 0.3, 0.3, 0.1, 0.1)
    """How firmly they are held even, step by step. By hand: at first a lighter side means that the circle is
    elsewhere."""
    tinted: float = 20.0
    """How much more firmly colours are held even than brightness is. By hand: what is in the shade keeps its tint."""
    rising: tuple[float, float] = (1.0, 10.0)
    """How firmly a top is held to have the same brightness, and colours, at its rim as farther in. By hand."""
    sides: float = 0.1
    """How firmly a marker's side is held to have the colours of its top, lest the stone below be taken for it. By
    hand."""
    narrowest: float = 0.01
    """The least that is seen of a stone. By hand."""
    faintest: float = 1e-8
    """What is left of brightness and colours, squared, in the plainest picture. By hand."""
    blurs: tuple[float, float] = (log(0.09), log(0.16))
    """How wide (log) a passage from one part to the next is to begin with, one sigma, in brightness and in colour,
    which pictures store more coarsely. By hand."""
    finest: float = log(0.03)
    """How narrow (log) it may be … By hand."""
    coarsest: float = log(0.3)
    """… and how wide. By hand."""
    farthest: float = 0.08
    """By how much circles are moved and resized at a step, at most. By hand."""
    wider: float = 0.4
    """By how much blurs are changed (log) at a step, at most. By hand."""
    slipped: float = 0.08
    """How far off the middle usually is. By hand."""
    held: float = 0.01
    """How firmly the size of a marker is held of which nothing is shown, and less if more is: what covers it is no
    reason to make it smaller. By hand."""
    askew: float = 0.003
    """How firmly a marker is held to the middle of its stone. By hand: people set it down several times as far off, but
    pixels say as many times too much (see `noise`)."""
    shown: float = 0.85
    """Where a marker that is not covered has its colour … By hand."""
    hardly: float = 0.02
    """… and how far directions are trusted in which it has not. By hand."""
    most: float = 0.2
    """No marker is so much larger or smaller than expected. By hand."""
    noise: float = 4.0
    """How far off a size may be, one sigma, for each of what it would be were all pixels independent. By hand."""
    least: float = 0.003
    """How far off (log, one sigma) any size may be. By hand."""
    nothing: float = 1.0
    """How far off one may be if nothing is seen. By hand."""
    luma: tuple[float, ...] = (0.114, 0.587, 0.299)
    """How bright blue, green and red are, as pictures are stored (ITU-R BT.601): colours are blurred there, brightness
    is not."""


RULER, TABLE, SIDES, RIMS = RulerSettings(), TableSettings(), SideSettings(), RimSettings()


@dataclass(frozen=True, kw_only=True)
class OpinionSettings:
    """When the network is asked, and how far it is believed."""

    seen: float = 0.02
    """Probability that something covers a site up to which one that was taken to be hidden is read. By hand: glare and
    shadow are to be read, but a site under a hand must not be."""
    covered: float = 0.5
    """The same from which a site beside a hidden one is hidden, too. By hand."""
    clear: float = 0.995
    """How sure it must be of what is on a site to which a hand near by may reach. By hand."""
    reach: float = 90.0
    """Millimetres about a covered site that the same hand may cover, or hold something over. By hand: the breadth of
    one."""
    doubtful: float = 0.985
    """How sure a site must be not to be looked at again. By hand: on a usual board one or two are not."""
    few: int = 3
    """So many sites are looked at again in haste; where more are hidden, it is a hand. By hand."""
    familiar: float = 0.25
    """Tint by which a piece's dye may be off the usual one for the network to tell colours. Derived: of those it was
    taught one in ten was farther off."""
    trust: float = 0.4
    """How far its word on heights, and on the colour of a marker that a lamp burns white, is trusted, as a power: it is
    too sure. Fitted: likelihood of the truth of heights on even seeds of the virtual table and of strangers' tables;
    0.3 to 0.5 are as good."""


OPINION = OpinionSettings()


@dataclass(frozen=True, kw_only=True)
class ShadowSettings:
    """The shadows of stacks. Shades are log brightness against the print in full light."""

    azimuths: int = 48
    """Directions in which a shadow may fall. By hand: a stack's own breadth apart at its end."""
    step: float = 2.0
    """Millimetres from one place at which the ground is looked at to the next. By hand."""
    along: tuple[float, float] = (10.0, 110.0)
    """Millimetres from a stack's middle between which it is. By hand: from within its foot to as far as shadows go."""
    across: tuple[float, ...] = (-8.0, -2.7, 2.7, 8.0)
    """Millimetres beside that line at which it is looked at, too. By hand: all within a shadow's width."""
    beside: float = 24.0
    """Millimetres to either side where no shadow of that stack falls. By hand: what is as dark there is a hand's."""
    dark: float = -0.15
    """Shade from which ground is in some shadow … By hand."""
    darker: float = 0.1
    """… and by how much it must be darker there than beside it. By hand."""
    depths: tuple[float, ...] = (-0.25, -0.5, -0.9, -1.5)
    """Shades in the shadow: much or little of the light may come from elsewhere. By hand."""
    spread: float = 0.15
    """How far, in shades, print in one light usually differs from what it should be. By hand."""
    witness: float = 0.07
    """As how many independent witnesses one look at the ground counts, for each millimetre of the way. By hand."""
    lit: float = 0.6
    """Of the looks round a stack, the share that is darker than its ground in full light. By hand: most of it has no
    shadow."""
    captured: float = 16.0
    """The most (log) that one stack may say against a lamp: its own shadow may be a hand's. By hand."""
    loudest: float = 4.0
    """The most, in log-odds, that shadows say of two heights of one stack: a hand, too, throws its shadow there. By
    hand."""
    even: float = 0.5
    """Log brightness by which print may differ from that beside it if its shade is to be told: the board may lie askew.
    By hand."""
    black: float = 0.033
    """Of white: print that is darker is black, and tells how much light the paper's gloss adds everywhere. By hand."""
    bearings: int = 24
    """Directions in which lamps are sought … By hand."""
    distances: tuple[float, ...] = (70.0, 130.0, 200.0, 290.0, 400.0, 520.0, 670.0)
    """… at these distances from the board's middle, millimetres … By hand: denser where it matters more."""
    heights: tuple[float, ...] = (410.0, 560.0, 800.0)
    """… and heights above it. By hand: only the angle shows."""
    likely: int = 24
    """How many of these are weighed in the end, besides the fine ones about the best. By hand."""
    finer: tuple[float, ...] = (1.0, 0.33)
    """How far apart fine lamps are, each time about the best one before: of a third of the way to the next coarse one.
    By hand."""
    penumbra: float = 1.1
    """How much wider a shadow is taken to be at its end where others' shadows are sought: a lamp is no point. By
    hand."""
    finest: int = 50
    """Steps of a unit of log brightness in which shades are counted … By hand: less than a code of the picture."""
    darkest: int = 150
    """… steps to the darkest of them … By hand: less than a twentieth of the light."""
    lightest: int = 100
    """… and to the lightest. By hand."""


@dataclass(frozen=True, kw_only=True)
class ForeignSettings:
    """What lies on the board that is no stack."""

    certain: float = 0.17
    """Tint by which it is off the print's colour … By hand."""
    wide: int = 11
    """… over so many cells of the flat picture each way. By hand: a stack's shadow, which is coloured if lamp and room
    have light of two colours, is not so wide."""
    perhaps: float = 0.1
    """Tint likewise as long as which it goes on … By hand."""
    narrow: int = 3
    """… over so many cells. By hand."""
    edge: int = 3
    """Cells: what is beside it may be half of it. By hand."""


SHADOWS, FOREIGN = ShadowSettings(), ForeignSettings()


@dataclass(frozen=True, kw_only=True)
class BareSettings:
    """Stacks without a marker. Widths are shares of a stone's radius, tints shares of blue, green and red."""

    wooden: float = 0.8
    """Share of a top that must look like wood. By hand."""
    off_wood: float = 0.07
    """Tint by which it may be off that colour. By hand."""
    in_sight: float = 0.5
    """Share of a top that must be in sight. By hand: wood where another stack is seen is that stack's."""
    foot: float = 0.15
    """Tint by which a stack's foot may be off the colour of wood … By hand."""
    clear_foot: float = 0.1
    """… and is if nothing else is to be thought of. By hand."""
    paper: float = 0.8
    """Share of a top that may look as the board does there, unless the foot is clear. By hand: cream paper is much like
    wood."""
    goes_on: float = 0.06
    """Share of what is about a stack that may look like its top. By hand."""
    same_tint: float = 0.06
    """How far one thing differs from place to place: tint … By hand."""
    same_tone: float = 0.25
    """… log brightness on a top … By hand."""
    darker: float = 0.9
    """… and how much darker (log) it may be elsewhere. By hand."""
    about: tuple[float, ...] = (1.25, 1.4)
    """Where it is looked about a stack. By hand: just beyond it."""
    core: tuple[float, ...] = (0.3, 0.6)
    """Where a top's own colour is looked at, besides its middle. By hand: well within it."""
    inside: tuple[float, ...] = (0.4, 0.75)
    """Where a top must be of wood, besides its middle. By hand."""
    within: tuple[float, ...] = (0.75, 0.88)
    """Where a top must still be of one tone. By hand: just within its rim."""
    beyond: float = 1.12
    """Where it is so no more. By hand: just beyond its rim."""
    middle: float = 4.0
    """Millimetres about a site that are looked at for what stands in its middle. By hand: well within a stone."""
    disc: float = 16.0
    """Log-likelihood of a top that is of one tone to its rim and nowhere beyond, against one of which it is the
    reverse. By hand."""
    slips: tuple[float, ...] = (-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0)
    """Millimetres by which a stack may stand nearer or farther than its site … By hand."""
    slip: float = 1.2
    """… and by how much it usually does. By hand."""
    open: float = 0.4
    """Share of the ground about such a stack that must be in sight, as it is not about a hand, if its colour is as near
    to a stone's as this … By hand."""
    stony: float = 0.035
    """… tint … By hand."""
    opener: float = 12.0
    """… and how much more for each unit that it is farther. By hand."""
    lone: float = 0.6
    """Share of that ground that is in sight about what no hand can be. By hand."""
    standing: float = 0.8
    """How clear the height of such a stack must be if its top is not, or if its site's ring seems to be seen. By hand:
    a finger before the board, or a stack beside it, has no top at a stone's height."""
    topped: float = -2.0
    """Log-odds, at most, that a site with a stack is free. By hand: a stack's dark side and light top can look like a
    dark disc in a light ring."""
    buried: float = 0.06
    """Share of the ground about stones, or about a patch of a marker's colour that has not a marker's shape, that must
    be in sight. By hand: less, and it is a hand or a sleeve."""


@dataclass(frozen=True, kw_only=True)
class SliverSettings:
    """Markers of which little is seen. Areas are shares of a marker's top."""

    near: float = 4.0
    """Millimetres about what a stack covers within which light wood may have some of its marker's colour. By hand."""
    least: float = 0.03
    """Area that a patch must have … By hand."""
    most: float = 0.6
    """… and may have. By hand: of more, the marker is seen as any other."""
    same: float = 0.12
    """Area it must have if it is of the colour of the marker before it. By hand: so much wood could have it."""
    alone: float = 0.7
    """Share of all of that colour thereabouts that the patch must have. By hand: a hand or a sleeve has it in many
    places."""
    slip: float = 3.5
    """Millimetres by which a stack may stand off its site. By hand."""
    within: float = 0.9
    """Share of a patch that must be where the marker would be … By hand."""
    as_good: float = 0.05
    """… and how much less may be there at another height. By hand."""
    beside: float = 0.25
    """Share of a patch's outline that must be at the stack which covers the rest. By hand."""
    sure: float = 0.85
    """How sure such a marker is. By hand."""
    tallest: int = 3
    """Stones of the highest stack under it, or under one that is told by its outline. Derived: of a proper game."""


@dataclass(frozen=True, kw_only=True)
class SiteSettings:
    """What sites without a clear marker are. Log-odds are those that a site is free."""

    unlike: float = -1.5
    """Log-odds by its pattern under which a site may be taken though a ring is seen … By hand: a stack's dark side and
    light top can look like a dark disc in a light ring."""
    certain: float = 6.0
    """… unless the ring is as good as this (log-odds). By hand: a tile may lie askew."""
    doubted: float = 2.0
    """The most, in log-odds, that the ring says then. By hand."""
    denied: float = -4.5
    """Log-odds by its pattern under which a site is not free, whatever ring is half seen there; or, if a marker is
    seen, however clear that ring is. By hand: half a hand, or a marker burnt white over the dark side of its stack."""
    unseen: float = 0.02
    """How often, were nothing of it seen, a patch of a marker's colour is none. By hand: a ring in sight speaks louder
    than half a marker."""
    veiled: float = 0.9
    """How likely any one figure is, against none, on a site that nobody sees, nor a figure there. By hand: hardly
    less."""
    rounds: tuple[float, ...] = (0.3, 0.6, 0.9)
    """Where a marker's top is sought behind other stacks, in its radii. By hand."""
    hardly: float = 0.35
    """Share of it in sight with which it may be overlooked. By hand."""
    enough: float = 0.25
    """Share of a marker's top that must be seen for what is there to be told … By hand."""
    printed: float = 0.12
    """… and the share of that which must look as printed. By hand: if it is less, a hand or a marker is there."""


STONES, SLIVERS, SITES = BareSettings(), SliverSettings(), SiteSettings()
