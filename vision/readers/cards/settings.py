"""The numbers by which cards are told, each with its unit and origin.

As in `vision.readers.settings`; "log" is a natural logarithm, and log-odds and log-likelihoods are such.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ShownSettings:
    """How much of a card must be in sight."""

    whole: float
    """Share of its points that show their ink …"""
    inked: float
    """… and of those that are not on the bare card."""
    likely: float
    """Mean log-likelihood of those that do."""


@dataclass(frozen=True, kw_only=True)
class InkSettings:
    """Which colours an ink can have in a picture."""

    shades: tuple[float, ...] = (0.18, 0.26, 0.37, 0.52, 0.72, 1.0, 1.35)
    """Of full light: how dark shadow may make a print, and how bright glare. By hand: each about 1.4 times the one
    before."""
    shaded: float = 0.5
    """Log-likelihood that each halving of the light costs. By hand: cards lie in the same light as the mat, or in
    shadow."""
    paler: tuple[float, ...] = (0.0, 0.12, 0.25, 0.4)
    """Share of white in what is seen of a colour … By hand: lettering, the bare card beside it, gloss."""
    palest: tuple[float, ...] = (0.0, 0.06, 0.12)
    """… and of what has none. By hand."""
    paled: float = 2.0
    """Log-likelihood that nothing but white would cost. By hand."""
    white: float = 0.85
    """Of white: what it is mixed with. By hand: paper."""
    coloured: float = 0.12
    """Tint: how far from grey a colour is one. By hand."""
    spread: float = 0.055
    """Of the root of a reflectance, one sigma: what blur, noise and an eye that mistakes the light leave. By hand."""
    handlike: float = 0.8
    """By so much (log) must a hand be likelier for a pixel to show rather that. By hand: brown skin is a red print in
    the shade."""
    strange: float = -4.5
    """Log-likelihood from which a pixel may as well show anything else. By hand: three sigmas."""


@dataclass(frozen=True, kw_only=True)
class PrintSettings:
    """The points at which a card is looked at, and its pattern."""

    step: float = 1.6
    """Millimetres between two points. By hand: two pixels of the flat picture."""
    blurred: float = 0.6
    """Millimetres about an edge between two inks where the camera shows neither. By hand: a pixel."""
    letter: float = 0.42
    """Of its size: how far from its middle lettering reaches. By hand."""
    some: int = 2
    """One of so many points does for a first glance. By hand."""
    rank: float = 1e-5
    """Of the largest singular value: what is smaller is rounding."""
    shown: float = 1.0
    """Log-likelihood above that of anything strange from which a point shows its ink. By hand."""
    pattern: float = 0.6
    """Correlation from which a card has the pattern of its print … By hand."""
    clear: float = 0.75
    """… and from which it has it so clearly that neither odd light nor a hand beside it matters … By hand."""
    half: float = 0.55
    """… if that much of it is in sight … By hand."""
    fair: float = -2.1
    """… and goes so well with its inks (log). By hand: a finger's edges may rise and fall like a card."""
    deep: float = 1.5
    """Millimetres within another card from which a point lies on it. By hand: as far as the eye may be wrong is no
    overlap …"""
    lapped: float = 0.05
    """… and of how much of a card that must be true for it to lie on another. By hand: cards lie side by side."""
    lettered: float = 0.0
    """How much of their contrast letters must have. By hand: blur may take nearly all of it, and light letters where
    dark ones should be have less than none."""
    fewest: int = 8
    """Points that must be in sight to tell a pattern. By hand."""


@dataclass(frozen=True, kw_only=True)
class SoftSettings:
    """The print as a camera shows it."""

    blur: float = 1.0
    """Millimetres, one sigma. By hand: a pixel at the far end of the promised range."""
    spread: float = 0.07
    """Of the root of a reflectance in full light, one sigma: noise, blur, and what the drawing leaves out. By hand."""
    tinted: float = 0.12
    """Log of the root of light, one sigma: how far the light on a card may be from that on the mat in colour: from a
    second lamp, or off a sleeve. By hand."""
    strange: float = 3.0
    """Log-likelihood below which a card is no less like anything else. By hand."""


@dataclass(frozen=True, kw_only=True)
class FitSettings:
    """Cards tried at many places and angles."""

    places: int = 4
    """Of those that a first glance tries: how many of the likeliest are looked at closely. By hand."""
    alike: float = 0.8
    """What the whole correlation of a card with its print is worth, in log-likelihood of a point. By hand: where cards
    of one colour lie side by side only that tells."""
    soft: float = 1.5
    """What the likelihood that its colours agree as a whole counts beside that of single points. By hand: as much."""
    few_faces: int = 24
    """Faces that are compared closely in uneven light, the likeliest of those compared less closely. By hand: it takes
    time."""
    never: float = 20.0
    """What a place costs that is out of the question. By hand: more than any card can be likelier than another."""
    told: float = 10.0
    """How much likelier a card is (log) for each unit by which a point, on average, is likelier. By hand: points are
    not independent."""


@dataclass(frozen=True, kw_only=True)
class CellSettings:
    """Cards on the cells of a lattice."""

    off: float = 5.5
    """Millimetres off its cell up to which a card lies on it. By hand: the 4 that people are promised, and what the eye
    may be wrong."""
    askew: float = 9.5
    """Degrees likewise: 6 are promised."""
    tried: float = 8.5
    """Millimetres off its cell up to which it is looked for. By hand: what fits best beyond `off` does not lie on the
    cell."""
    turned: float = 16.0
    """Degrees likewise."""
    usual: float = 2.5
    """Millimetres, one sigma, by which cards are off: of two that fit alike the nearer is believed. By hand."""
    twisted: float = 4.5
    """Degrees likewise. By hand."""
    same: float = 4.0
    """Millimetres by which a card may be found elsewhere when it is looked at again. By hand: less than half a card."""
    free: float = 0.75
    """Share of a cell's middle that looks like the mat from which it is free … By hand."""
    taken: float = 0.4
    """… and below which something else is there. By hand."""
    enough: ShownSettings = ShownSettings(whole=0.5, inked=0.42, likely=-2.3)
    """How much of a card must be in sight. By hand: what is more than half covered is hidden, and the inks are not just
    any yellow or red."""
    alone: ShownSettings = ShownSettings(whole=0.66, inked=0.6, likely=-2.3)
    """The same where nothing strange is near that might cover it. By hand."""
    beside: ShownSettings = ShownSettings(whole=0.5, inked=0.42, likely=-1.75)
    """The same of a card that lies near something strange: that may reach over it. By hand."""
    close: float = 33.0
    """Millimetres: so near. By hand: about a card's side."""
    odd: float = 0.8
    """How likely a cell is free that looks neither quite like the mat nor like any card. By hand."""
    uneven: float = 0.5
    """Log brightness by which the lighter parts of a cell's middle differ from the darker ones if it may be a joker. By
    hand."""
    far: float = 12.0
    """Log-likelihood below the best from which a face is not worth a word. By hand."""
    clear_of_chips: float = 11.0
    """Millimetres about a place for a piece in which no card is sought. By hand: the piece and what it hides."""
    rounds: int = 4
    """How often what each place believes is told to the others. By hand: it hardly changes after the second time."""
    twice: float = 0.01
    """How likely it is all the same that a card that is surely in one place lies in another, too: from a second set. By
    hand."""


@dataclass(frozen=True, kw_only=True)
class PaleSettings:
    """Cards of another set that are as pale as the mat."""

    within: float = 0.8
    """Of a card's reach: how far from its middle marks are sought. By hand: beyond it are neighbours' shadows."""
    beside: float = 2.5
    """Millimetres about a card that is known where its colours may still be its own. By hand."""
    darker: float = 0.5
    """Log brightness by which a mark is darker than what it is printed on. By hand."""
    least: int = 2
    """Points of it that must show in every corner. By hand: one may be dust …"""
    most: float = 0.45
    """… and share of the points that may. By hand: more is no pale card, but a shadow."""
    seen: float = 0.6
    """Share of a corner that no known card may cover. By hand."""


@dataclass(frozen=True, kw_only=True)
class LooseSettings:
    """Cards that lie on no cell, or are held beside the mat."""

    merged: float = 2.2
    """Millimetres over which patches of colour are taken together. By hand: the bare card between two of them is no
    wider."""
    least: float = 0.45
    """How large such a patch must be, in areas of a card. By hand: less of it cannot be told …"""
    most: float = 3.0
    """… and how large it may be. By hand: a sleeve is larger."""
    beside: float = 2.5
    """Millimetres about a card that is known where its colours may still be its own. By hand."""
    pale: float = 0.75
    """Of the mat's own lightness: print on it that is darker is not looked at. By hand."""
    enough: ShownSettings = ShownSettings(whole=0.7, inked=0.65, likely=-1.8)
    """How much of it must be in sight. By hand: more than of one on a cell, for nothing tells where it might lie."""
    most_loose: int = 8
    """So many are sought at most. By hand."""
    around: float = 110.0
    """Millimetres about the mat that are looked at for a card that is held. By hand: farther off it is out of many
    pictures."""
    lifted: tuple[float, ...] = (0.0, 35.0, 80.0)
    """Millimetres above the mat at which it may be held. By hand."""
    near_mat: float = 4.0
    """Millimetres about the mat's edge where its own print may still be seen. By hand."""
    merged_held: float = 4.2
    """Millimetres over which patches of a held card's colours are taken together. By hand: nothing else lies so near,
    and they are small."""
    sure: float = 0.9
    """How likely it must be this card. By hand."""


@dataclass(frozen=True, kw_only=True)
class ChipSettings:
    """Chips in rows."""

    within: float = 0.72
    """Of a chip's radius: it may lie a little off its place. By hand."""
    even: float = 0.5
    """Share of the places looked at that have the chip's colour where it is as likely there as not … By hand."""
    slope: float = 16.0
    """… and log-odds for each unit more. By hand."""
    covered: float = 0.45
    """A place is hidden if less than this share of it looks like a chip or like its print. By hand."""
    enough_bare: int = 12
    """Bare places that are enough to tell their usual tint. By hand: no hand covers half as many."""
    tinted: float = 0.3
    """How far that may be from grey, as a share. By hand: skin, even the palest, is half as far again."""
    loudest: float = 6.0
    """The most, in log-odds, that a look can say. By hand."""


@dataclass(frozen=True, kw_only=True)
class SizeSettings:
    """How large cards are beside the mat."""

    step: float = 1.0
    """Millimetres between two points that are compared. By hand: about a pixel."""
    inset: float = 1.8
    """Millimetres from a card's edge to the outermost of them. By hand: nearer, the shadow of its edge mixes in."""
    off: float = 5.0
    """Millimetres off its cell up to which a card is sought. By hand: more than the 4 that people are promised …"""
    askew: float = 8.0
    """… and degrees. By hand: more than 6."""
    whole: float = 0.85
    """How much of it must be in sight. By hand: nearly all."""
    rounds: int = 4
    """How often place, turn and size are made better. By hand: it changes no more after the third time."""
    astray: float = 1.5
    """Millimetres by which a card may turn out to lie elsewhere. By hand: farther off it is not what was found."""
    most: float = 0.1
    """By how much larger or smaller than the mat it may be. By hand: no printer is so far off."""


INKS, PRINT, SOFT, FIT = InkSettings(), PrintSettings(), SoftSettings(), FitSettings()
CELLS, PALE, LOOSE, CHIPS, SIZE = CellSettings(), PaleSettings(), LooseSettings(), ChipSettings(), SizeSettings()
