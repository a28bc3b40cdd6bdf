"""The numbers used to lay the board flat and measure the light on it, each with its unit and origin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FlatSettings:
    """Settings of the flat picture."""

    px_per_mm: float = 1.4
    """Pixels per millimetre. Derived: what a camera of 1280 pixels and 66 degrees shows from 700 mm away, in the middle
    of what boards promise."""
    cell: int = 4
    """Side, in pixels, of the cells that are averaged where detail does not matter. By hand."""
    lean: float = 1.65
    """Millimetres by which a thing may seem to lean away for each millimetre of its height. Derived: the tangent of 59
    degrees, the angle at which a camera tilted by 40 (the most that boards promise) sees a far corner."""
    higher: float = 1.5
    """How many times as high as the highest stack something may be that stands on a site by mistake. By hand."""
    around: float = 0.0
    """Millimetres beyond all that which are laid flat, too."""
    art_margin: int = 4
    """Pixels that are kept around a sheet's art. By hand."""
    art_blur: float = 0.45
    """Millimetres, one sigma: how finely a camera shows the print. By hand: two thirds of a pixel."""
    projected: int = 16
    """Pixels between two points that are really projected; between them, interpolation is all but exact. By hand."""


@dataclass(frozen=True, kw_only=True)
class IlluminationSettings:
    """Settings of the light on the board. Brightness is in logs, reflectance a share of white."""

    # Places of plain print, by which the light is measured.
    even_px: int = 7
    """Pixels of the flat picture around a place that must be of one colour. By hand: more than the apparent shift of
    the base, which lies lower than the sheets."""
    even_step: float = 0.03
    """Reflectance by which the print within them may differ, … By hand."""
    even_share: float = 0.1
    """… and the same as a share of its own reflectance. By hand."""
    same_turned: float = 0.01
    """Reflectance by which print may differ from one position of the sheets to another. By hand: only by rounding."""
    darkest: float = 0.01
    """Reflectance, in each channel, below which print says nothing. By hand."""
    clear_of_pieces: float = 3.0
    """Millimetres clear of the widest piece on a site. By hand."""
    most_places: int = 900
    """Places on the sheets, and on the base. By hand: more take time and add nothing."""
    partly: float = 0.5
    """If less than this share of the visible board changed, it was not the lamp. By hand."""

    # The light itself.
    rounds: int = 4
    """Steps of the fit. By hand."""
    stiff: tuple[float, ...] = (1e-6, 0.5, 0.5, 2.0, 2.0, 2.0)
    """How firmly the terms of the light's slope are held near 0; the weight of a place is its green. By hand."""
    shadow: float = 0.35
    """Log brightness, one sigma, by which places are darker than the fit. By hand: shadows are much more common than
    glare, so what is darker is left out sooner …"""
    glare: float = 0.5
    """… than what is brighter."""
    first_guess: float = 0.6
    """Quantile of the places' brightness with which the fit starts. By hand: some are in shadow."""
    dark: float = 0.07
    """Reflectance: where print has less than this in one channel, gloss drowns out the light's colour. By hand."""
    clear_of_clipped: int = 5
    """Steps of 255 below a clipped value that do not show a colour either. By hand."""
    least_fair: int = 100
    """Places that must be neither too bright nor too dark for the picture; if there are fewer, all count. By hand."""
    tint_bin: float = 0.06
    """Steps in which the light's colour is first searched for (log ratio to green), … By hand."""
    tint_bins: int = 81
    """… and how many there are: from candle to blue sky. By hand."""
    tint_blur: float = 1.5
    """How much print in one light differs, in these steps, one sigma. By hand."""
    tint_spread: float = 0.15
    """Log ratio, one sigma, by which a place may be off that colour and still show the brightness. By hand."""
    tint_near: int = 3
    """How close to that colour, in these steps, are the places that determine it in the end. By hand."""
    close: float = 0.2
    """Share of its weight that a place must keep to count as fitting. By hand."""
    least_close: int = 20
    """Places needed to determine the light's colour in the end. By hand."""


@dataclass(frozen=True, kw_only=True)
class PatchSettings:
    """Settings of the printed discs of known colours. A tint is how far a channel is off the mean, as a share of it."""

    inside: tuple[float, ...] = (0.15, 0.45)
    """Radii at which a disc is looked at: its rim is left out, because the base appears a little off its place. By
    hand."""
    about: tuple[float, ...] = (1.45, 1.6)
    """Radii at which the paper around it is looked at. By hand."""
    spots: int = 16
    """Spots on each of those circles. By hand."""
    grey: float = 0.1
    """Tint up to which a print is grey … By hand."""
    coloured: float = 0.4
    """… and from which it is a colour. By hand."""
    white: float = 0.6
    """Reflectance from which it is white. By hand."""
    least_greys: int = 6
    """Values of greys (three channels each) needed to determine a contrast. By hand: two discs."""
    upper: float = 0.75
    """Quantile of the contrasts that counts: anything that covers both a grey and its paper makes them look more alike,
    hardly ever less. By hand."""
    usual_contrast: float = 0.15
    """Log of a contrast that gloss and dust cause anyway, … By hand."""
    hardest_contrast: float = 0.9
    """… and the most that any has. By hand."""
    own_hue: float = 0.8
    """Cosine of the angle to the printed tint from which a tint may be that print. By hand."""
    least_colours: int = 5
    """How many discs must look like that. By hand: more than a hand over all of them could imitate."""
    pale: float = 0.62
    """How deep colours look at least under gloss, as a share of the print. By hand."""
    palest: float = 2.0
    """How many times paler a picture may be. By hand."""


FLAT, LIGHT, PATCHES = FlatSettings(), IlluminationSettings(), PatchSettings()
