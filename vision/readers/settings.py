"""The numbers by which pieces and free sites are told, each with its unit and origin.

Colours are shares of white; tints are shares of blue, green and red, which add up to 1. "By hand": a round number,
chosen while looking at even scenes of the virtual table and at path-traced pictures; no program fitted it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class PaletteSettings:
    """Which colours a paint can have in a picture: itself, dimmed, with white gloss over it."""

    dimmest: float = 0.07
    """Share of a colour in full light: with less than this it is no colour at all. By hand."""
    hue: float = 0.42
    """How far off the hue may be: the part across it, as a share of the part along it. By hand."""
    noise: float = 0.014
    """Share of white by which any hue may be off in addition. By hand: noise."""
    gloss_in_shade: float = 0.15
    """White over a colour in the shade, as a share of the colour; by hand: little …"""
    gloss_in_light: float = 3.0
    """… and in the light, by hand: much where the lamp is reflected."""
    gloss_tint: float = 0.12
    """How far from white that gloss may be. By hand: it has the colour of one lamp or window, not of all the light."""
    shade: float = 0.3
    """Share of full light: what is still shade … By hand."""
    bright: float = 0.7
    """… and what is certainly light. By hand."""
    deeper: float = 0.22
    """How much deeper than it is a colour may look, as a share of white taken away. By hand."""
    burnt: float = 2.0
    """How many times brighter than full light a colour may be in an overexposed picture. By hand."""
    burnt_share: float = 0.45
    """How much of such a colour must be seen. By hand."""
    hands: tuple[str, ...] = ("#e3bfa6", "#d3a58a", "#b9866b", "#8d5f48", "#5d3d2c", "#cfa585")
    """Hands, from light to dark. By hand: fingertips are redder than arms."""
    own_light: tuple[float, ...] = (1.0, 1.5, 2.0)
    """Paint that lights itself by reflection looks deeper: its colour to these powers. By hand."""
    strange: float = 0.05
    """How near to a stone's or a hand's tint a colour must be to be theirs. By hand."""
    brightest_ground: float = 1.4
    """How many times brighter than printed the ground of a sheet may look and still be ground. By hand."""


@dataclass(frozen=True, kw_only=True)
class BlobSettings:
    """Patches of a piece's colour. Areas and lengths are shares of those that a piece has, seen from where the camera
    is, if nothing else is said."""

    smallest: float = 0.18
    """Area below which a patch is nothing. By hand."""
    largest: float = 5.0
    """Area above which it is a sleeve or a cup. By hand."""
    whole: tuple[float, float] = (0.8, 1.25)
    """Areas between which it is one piece, seen whole. By hand: what is the next size in a set differs by more."""
    solid: float = 0.88
    """Share of its own hull that a whole piece fills at least. By hand: gloss and noise take some away."""
    slim: float = 0.965
    """Width that a piece of its area should have; if it is slimmer, something in front hides part of it. By hand."""
    clearest: float = 0.38
    """How much more colour than ground a shape that is laid over a patch must cover. By hand."""
    least_seen: float = 0.3
    """How much of its colour it must cover at least. By hand."""
    narrow: float = 0.8
    """Radius: parts of a patch no wider than twice that only join pieces. By hand."""
    round: float = 0.8
    """How much a piece's shape and what is left of the patch must have in common. By hand."""
    tones: int = 5
    """Tones into which a large patch is divided, evenly from its lightest to its darkest. By hand."""
    beside: int = 7
    """Pixels: width of what is looked at just beside a piece. By hand."""
    unlike: float = 1.2
    """How many times lighter or darker, as codes, it must be there … By hand."""
    all_round: float = 0.65
    """… over what share of it. By hand."""
    ground_costs: float = 0.7
    """What a pixel of ground under a shape costs, if a pixel of its colour is worth 1. By hand."""
    around_costs: float = 0.35
    """What a pixel of its colour just outside a shape costs. By hand."""
    alike: float = 0.1
    """Tint: how near a colour is to a piece's own to be the same thing's. By hand."""
    most_around: float = 0.3
    """Share of the ground around a piece that may have such a colour. By hand: a piece ends at its rim, a sleeve or a
    finger goes on."""
    wide: tuple[float, float] = (1.3, 1.7)
    """Radii between which that ground lies. By hand."""
    covers: float = 1.12
    """Radius within which all colour belongs to a piece that was found. By hand."""
    rough: int = 2
    """Pixels from one that a rough look uses to the next, each way. By hand: four times as quick."""
    as_good: float = 0.01
    """Scores that differ by less count as equal. By hand."""
    around: float = 2.0
    """Diameters beyond what is near sites up to which patches are followed. By hand."""
    most: int = 4
    """Pieces in one patch, at most. By hand: more never touch on a board."""


@dataclass(frozen=True, kw_only=True)
class FreeSiteSettings:
    """A free site shows its dark disc in a light ring. Radii are as the board prints them."""

    within: tuple[float, ...] = (0.26, 0.57, 0.79)
    """Where the disc is looked at, as shares of its radius. By hand."""
    askew: float = 0.45
    """Millimetres to both sides of the ring that are looked at too. By hand: a tile may lie askew."""
    rounds: int = 4
    """Circles on which the ring is sought. Derived: one for each pixel of that width."""
    beyond: tuple[float, ...] = (3.0, 5.0)
    """Millimetres beyond the ring at which the ground is looked at. By hand: wider than any piece."""
    angles: int = 16
    """Places on every circle. By hand."""
    contrast: float = 0.95
    """Log brightness of ring over disc that is equally likely for a free site and any other … By hand."""
    slope: float = 7.0
    """… and log-odds for each unit more. By hand."""
    contrast_all: float = 0.5
    """The same for three quarters of the ring: in glare it is fainter, but it is there all round. By hand."""
    slope_all: float = 9.0
    """Log-odds for each unit more. By hand."""
    lighter: float = 1.45
    """Log brightness, relative to the ground around it, by which gloss or glare may make a dark disc look lighter than
    printed. By hand: a blue marker in a light rim of wood is lighter than that."""
    slope_dark: float = 6.0
    """Log-odds for each unit less. By hand."""
    grey: float = 0.15
    """Tint: how far from grey a disc in a ring must be for it to be perhaps a marker. By hand."""
    loudest: float = 7.0
    """The most, in log-odds, that the ring can say. By hand: one site in a thousand looks like another."""
    not_seen: float = 0.25
    """Share of a site's ring that must be in sight. By hand."""
    not_seen_odds: float = 3.0
    """Log-odds that a site of which less is seen is free. By hand: most sites are."""
    covered: float = 0.25
    """Share of a sector that may be covered for it still to count. By hand."""
    sector: int = 3
    """Angles that are compared with the print at once. By hand."""
    nth: int = 2
    """Which of these sectors counts, from the worst. By hand: a shadow's edge or a stack behind may spoil two."""
    alike: float = 0.55
    """Correlation with the print that is equally likely for a free site and any other … By hand."""
    slope_alike: float = 20.0
    """… log-odds for each unit more … By hand."""
    most_alike: float = 3.0
    """… and the most it can say: gloss, haze and deep shade leave the pattern as it is, a hand does not. By hand."""


@dataclass(frozen=True, kw_only=True)
class OutlineSettings:
    """Pieces told by the outline of their tops."""

    darkest: float = 0.012
    """Share of a colour in full light: less than this is lost in the noise. By hand."""
    filled: float = 0.6
    """How much of a top must have its colour, in the noise of deep shade … By hand."""
    filled_in_light: float = 0.8
    """… and in the light. By hand."""
    most_around: float = 0.08
    """How much of its surroundings may have it. By hand."""
    clear: float = 0.25
    """How much of it, in the light, must have a colour that no hand has. By hand: a fingertip has the same outline."""
    as_good: float = 0.15
    """How much worse than the best, as a share of a top, places may fit and still be possible. By hand."""
    same_tint: float = 0.06
    """How far tints of one thing differ. By hand."""
    brighter: float = 1.6
    """By what factor its brightness varies. By hand."""
    faintest: float = 0.06
    """How far from grey a tint must be. By hand."""
    strange_hue: float = 0.2
    """Radians by which it must be off the hue of any stone or hand. By hand."""
    same: float = 0.97
    """Channels with at least this ratio count as equal: both are at the limit of the picture. By hand."""
    brightest: float = 0.8
    """Share of the brightness of a top's brightest place from which another place may be at that limit as well. By
    hand."""
    glossy: float = 0.9
    """Share of white: anything brighter is no hand, but a top that reflects the lamp. By hand."""
    gloss_faintest: float = 0.03
    """How far from grey the tint of such a top must be if anything is left of its colour … By hand."""
    side_faintest: float = 0.05
    """… or the tint of its side … By hand."""
    deep: float = 0.2
    """… and how far no wood is. By hand."""
    as_bright: float = 0.6
    """A piece's near side is darker than such a top, as a share of it … By hand."""
    goes_on: float = 0.5
    """… in most of the places looked at. By hand: if a stone has no marker, its own top continues there."""
    smooth: int = 3
    """Pixels that are averaged in each direction: shade is noisy. By hand."""
    sure: float = 0.95
    """How sure a piece is that is told by its outline, or by comparison with the ground around it. By hand."""
    about: tuple[float, ...] = (1.35, 1.6)
    """Radii at which the surroundings of a piece are looked at. By hand."""


@dataclass(frozen=True, kw_only=True)
class LonePieceSettings:
    """Pieces told by comparison with the ground in sight all round them."""

    open: float = 0.5
    """Share of the ground around a site that must be in sight, in one light. By hand."""
    tint: float = 0.1
    """How far from grey that light may be. By hand."""
    lightest: float = 1.5
    """How bright it may be, relative to the light on the whole board. By hand."""
    least: float = 0.3
    """How much of a piece's outline must have its colour … By hand."""
    clear: float = 0.15
    """… how much a shade of it that no hand has … By hand."""
    others: float = 0.25
    """… and how much, as a share of the first, may have any other. By hand."""
    most_around: float = 0.1
    """How much of the ground around it may have its colour. By hand: a piece ends at its rim, a sleeve goes on."""
    faintest: float = 0.1
    """Share of white, all channels added: darker print does not show the light. By hand."""
    levels: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)
    """Where a piece is looked at, as shares of its height. By hand."""
    within: float = 0.8
    """Share of its radius that is looked at: it may stand a little off its site. By hand."""


@dataclass(frozen=True, kw_only=True)
class PaintSettings:
    """Colours that are measured on a table."""

    within: float = 0.55
    """Share of a piece's radius within which its top is looked at: it may be a little off its place. By hand."""
    even: float = 0.06
    """Tint by which a top may differ from place to place; if more, something is lying on it. By hand."""
    darkest: float = 0.02
    """Least share of white of its strongest colour … By hand: less is shadow, and shows no paint."""
    lightest: float = 1.3
    """… and the most. By hand: more is glare."""
    like_print: float = 0.05
    """Tint: if two spots of one colour differ less, neither has a piece on it, or one of exactly their colour. By
    hand."""
    most_gloss: float = 0.06
    """Share of white: how much more of a lamp one spot may reflect than another. By hand."""
    apart: float = 0.12
    """Tint by which two paints must differ to be told apart. By hand."""


@dataclass(frozen=True, kw_only=True)
class PawnSettings:
    """How pawns stand."""

    slip: float = 2.5
    """Millimetres off its site, one sigma. By hand."""
    farthest: float = 12.0
    """Millimetres off every site from which a pawn stands on none. By hand."""
    stray: float = -7.0
    """Log-likelihood that a pawn's colour is on no site, compared with a pawn well on its site. By hand."""


@dataclass(frozen=True, kw_only=True)
class VerdictSettings:
    """How colours and rings together tell what is on a site."""

    doubt: float = 0.003
    """How often, at best, a look at a site is simply wrong. By hand."""
    surest: float = 0.998
    """The most that a patch of colour can say for a piece on a site. By hand."""
    bare: float = 0.95
    """How many of the sites that look like a stack without a marker really are. By hand: hands and crumbs look like
    wood too."""
    stubborn: float = 0.002
    """How likely a piece seen on a site is when the site's ring is seen too. By hand."""


@dataclass(frozen=True, kw_only=True)
class FreeRoundSettings:
    """A free field shows a light round, whatever is printed in it."""

    within: tuple[float, ...] = (0.2, 0.45, 0.66, 0.88)
    """Radii at which a round is looked at … By hand."""
    about: tuple[float, ...] = (1.12, 1.2)
    """… and the ground about it. By hand."""
    sector: int = 4
    """How many are looked at together. By hand."""
    lighter: float = 0.3
    """Log brightness of a round against its ground that is as likely of a free field as of another … By hand: half of
    what print has, for blur and gloss make it less."""
    slope: float = 14.0
    """… and log-odds for each unit more. By hand."""
    most: float = 5.0
    """… and the most. By hand."""
    hue: float = 0.11
    """Tint: how far from the round's own its colour may be. By hand: a hand is light too."""
    clear: float = 0.45
    """Log brightness by which the whole round must stand out for its colour to be off farther … By hand."""
    lenient: float = 1.6
    """… so many times between blue and red, for in the shadow of one lamp there is only the light of another … By
    hand."""
    strict: float = 2.0
    """… but so many times less towards green. By hand: a yellow figure's head is a light round, too."""
    clearest: float = 0.9
    """Where its rim stands out by so much all round, as no hand and no glossy head does … By hand."""
    most_lenient: float = 2.4
    """… it may be so many times as far off between blue and red, and as far as any towards green: in the shadow of a
    hand one of two lamps may be all the light there is. By hand."""
    in_part: float = 0.4
    """Log brightness by which half of it stands out where a shadow or a finger lies across the rest. By hand."""
    faintest: float = 0.02
    """Of white: what is darker is not told apart. By hand."""


@dataclass(frozen=True, kw_only=True)
class FigureSettings:
    """Figures that cover their fields."""

    filled: float = 0.6
    """Of a figure's outline in sight: how much must have its colour. By hand."""
    surely_filled: float = 0.8
    """The same where there is no field: nothing else says that one stands there. By hand."""
    large: float = 0.6
    """How much of its head must show, at least, of a figure that stands on no field. By hand."""
    least_seen: float = 0.12
    """How much of a figure's outline must be in sight to tell it. By hand: a figure behind others shows no more than
    its head."""
    shown: float = 0.7
    """How much of a field's rim must be in sight if its pattern is to be the last word. By hand."""
    seen_free: float = 2.0
    """Log-odds from which a field is free whatever stands before it. By hand."""
    within: float = 0.8
    """Of a figure's radius: it may stand a little off its field. By hand."""
    levels: tuple[float, ...] = (0.1, 0.4, 0.7, 1.0)
    """Of a figure's height: where its outline is looked at. By hand."""
    glossy: float = 1.8
    """How many times lighter than its side a head is that reflects a lamp … By hand: the side looks away from most
    lamps, but more than that much only in gloss."""
    hand: float = 0.4
    """… how much of it may have a hand's tint … By hand."""
    brightest_hand: float = 0.7
    """… unless it is brighter than this share of white … By hand: a warm lamp gives white that tint, too."""
    half: float = 0.5
    """How much of head and side must be in sight. By hand."""
    other: float = 0.2
    """… or another figure's colour. By hand."""
    side: tuple[float, ...] = (0.25, 0.45, 0.65)
    """Of a figure's height: where the side below such a head is looked at … By hand."""
    near: float = 0.6
    """… if it is turned to the camera: cosine. By hand: 53 degrees to both sides …"""
    side_filled: float = 0.7
    """… and how much of it must have the figure's colour. By hand."""


PALETTE, BLOBS, FREE_SITES, OUTLINES = PaletteSettings(), BlobSettings(), FreeSiteSettings(), OutlineSettings()
LONE_PIECES, PAINTS, PAWNS, VERDICTS = LonePieceSettings(), PaintSettings(), PawnSettings(), VerdictSettings()
FREE_ROUNDS, FIGURES = FreeRoundSettings(), FigureSettings()
