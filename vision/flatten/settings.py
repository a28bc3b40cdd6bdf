"""The numbers by which the board is laid flat, and the light on it told; each with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FlatSettings:
    """Of the flat picture."""

    px_per_mm: float = 1.4
    """Pixels a millimetre. Derived: what a camera of 1280 pixels and 66 degrees shows from 700 mm away, in the middle
    of what boards promise."""
    cell: int = 4
    """Pixels each way whose average is taken at once where detail does not matter. By hand."""
    lean: float = 1.65
    """Millimetres by which a thing may be seen to lean away for each of its height. Derived: the tangent of 59 degrees,
    at which a camera tilted by 40 (the most that boards promise) sees a far corner."""
    higher: float = 1.5
    """As many times as high as the highest stack may something be that stands on a site by mistake. By hand."""
    art_margin: int = 4
    """Pixels that are kept about a sheet's art. By hand."""
    art_blur: float = 0.45
    """Millimetres, one sigma: how finely a camera shows the print. By hand: two thirds of a pixel."""
    projected: int = 16
    """Pixels between two points that are really projected; between them the way is all but straight. By hand."""


@dataclass(frozen=True, kw_only=True)
class LightSettings:
    """Of the light on the board. Brightness is in logs, reflectance a share of white."""

    # Places of plain print, by which the light is told.
    even_px: int = 7
    """Pixels of the flat picture about a place that must be of one colour. By hand: more than the base, which lies
    lower than the sheets, is seen shifted by."""
    even_step: float = 0.03
    """Reflectance by which print in there may differ, … By hand."""
    even_share: float = 0.1
    """… and what share of its own. By hand."""
    same_turned: float = 0.01
    """Reflectance by which print may differ from one position of the sheets to another. By hand: not at all, but for
    rounding."""
    darkest: float = 0.01
    """Reflectance, in each channel, below which print tells nothing. By hand."""
    clear_of_pieces: float = 3.0
    """Millimetres from where the widest piece may stand on a site. By hand."""
    most_places: int = 900
    """Places on the sheets and on the base each. By hand: more cost time and tell nothing new."""
    partly: float = 0.5
    """If less than this share of what is seen of the board changed, it was no lamp. By hand."""

    # The light itself.
    rounds: int = 4
    """Steps of the fit. By hand."""
    stiff: tuple[float, ...] = (1e-6, 0.5, 0.5, 2.0, 2.0, 2.0)
    """How firmly the terms of the light's slope are held near 0: a place counts as its green. By hand."""
    shadow: float = 0.35
    """Log brightness, one sigma, by which places are darker than the fit. By hand: shadows are much commoner than
    glare, so that what is darker is left out sooner …"""
    glare: float = 0.5
    """… than what is brighter."""
    first_guess: float = 0.6
    """Quantile of the places' brightness with which it begins. By hand: some are in shadow."""
    dark: float = 0.07
    """Reflectance: over print that has less of a channel, gloss has the last word on the light's colour. By hand."""
    clear_of_clipped: int = 5
    """Steps of 255 below a clipped value that tell no colour either. By hand."""
    least_fair: int = 100
    """Places that must be neither too bright nor too dark for the picture; if they are fewer, all count. By hand."""
    tint_bin: float = 0.06
    """Steps in which the light's colour is first sought (log ratio to green), … By hand."""
    tint_bins: int = 81
    """… and how many there are: from candle to blue sky. By hand."""
    tint_blur: float = 1.5
    """Of these steps, one sigma: how print in one light differs. By hand."""
    tint_spread: float = 0.15
    """Log ratio, one sigma, by which a place may be off that colour and still tell the brightness. By hand."""
    tint_near: int = 3
    """Of these steps: how near to it are the places that tell it in the end. By hand."""
    close: float = 0.2
    """Share of its weight that a place keeps if it fits. By hand."""
    least_close: int = 20
    """Places that tell the light's colour in the end. By hand."""


@dataclass(frozen=True, kw_only=True)
class PatchSettings:
    """Of what the printed discs of known colours say. A tint is how far a channel is off the mean, as a share."""

    inside: tuple[float, ...] = (0.15, 0.45)
    """Radii at which a disc is looked at: its rim is left out, for the base is seen a little aside. By hand."""
    about: tuple[float, ...] = (1.45, 1.6)
    """Radii at which the paper about it is. By hand."""
    spots: int = 16
    """Spots on each of those circles. By hand."""
    grey: float = 0.1
    """Tint up to which a print is grey … By hand."""
    coloured: float = 0.4
    """… and from which it is a colour. By hand."""
    white: float = 0.6
    """Reflectance from which it is white. By hand."""
    least_greys: int = 6
    """Looks at greys (three channels each) by which a contrast is told. By hand: two discs."""
    upper: float = 0.75
    """Quantile of the contrasts that counts: what covers both a grey and its paper makes them look more alike, hardly
    ever less. By hand."""
    usual_contrast: float = 0.15
    """Log of a contrast: so much gloss and dust do to any, … By hand."""
    hardest_contrast: float = 0.9
    """… and more than this none has. By hand."""
    own_hue: float = 0.8
    """Cosine of the angle between a tint and its own from which it may be that print. By hand."""
    least_colours: int = 5
    """How many must be so. By hand: more than a hand over all of them could look like."""
    pale: float = 0.62
    """How deep, as a share of the print, colours look at least under gloss. By hand."""
    palest: float = 2.0
    """How many times paler a picture may be. By hand."""


FLAT, LIGHT, PATCHES = FlatSettings(), LightSettings(), PatchSettings()
