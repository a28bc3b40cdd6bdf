"""The numbers used to find the board, each with its unit and origin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FindSettings:
    """Pixels are those of the camera's picture. "By hand": a round number that works over a wide range, not fitted to
    anything."""

    # Detecting fiducials.
    refine_reach: int = 4
    """Pixels around a corner that determine its exact place. By hand: less than a cell of the smallest fiducial."""
    border_inside: float = 0.86
    """Where a fiducial's border is dark, as a share of the way from its middle to its corner. Derived: the border is
    one of six cells wide, so it is dark from 0.67 to 1."""
    border_outside: float = 1.14
    """The same for where it is light: the board leaves one cell free around it, up to 1.33."""
    border_ratio: float = 1.25
    """How many times lighter it must be outside than inside. By hand: even in deep shade and glare print has more."""
    border_step: float = 6.0
    """The same as a difference, of 255. By hand: more than the noise of a picture."""
    two_apart: float = 0.7
    """Share of a fiducial's own size: finds of one id that are farther apart than this count as two. By hand."""

    # Following them from frame to frame.
    follow_reach: int = 5
    """Pixels by which a corner may have moved since the last frame before the board is searched for again. By hand."""
    follow_least: int = 2
    """Fiducials that must be found exactly where they were: a pose needs two."""
    follow_share: float = 0.7
    """Share of the last frame's fiducials that must be found again if they moved. By hand."""
    follow_fit: float = 0.3
    """Pixels by which the fit may be worse than the last one … By hand: twice the noise of a corner."""
    follow_worse: float = 1.5
    """… and by what factor: fiducials that fit worse were mistaken for something else. By hand."""
    few: int = 4
    """This few fiducials fit any pose well, and do not show how well more of them can. By hand."""
    few_fit: float = 1.2
    """Pixels: the fit that is good enough after that few. By hand."""
    spotted: float = 0.5
    """Share of the board's fiducials that must be seen at first sight for that to be enough. By hand."""
    stood: float = 0.15
    """Pixels by which corners may fit the last pose worse than before while camera and board count as still. Derived:
    the noise of a corner."""

    # The pose.
    corner_noise: float = 0.15
    """Pixels: how far a found corner usually is from its true place. By hand: what sub-pixel refinement
    reaches in a sharp picture."""
    focal_prior: float = 66.0
    """Field of view of an unmeasured lens along the picture's longer side, degrees: that of the Camera Module 3."""
    focal_doubt: float = 0.12
    """Relative uncertainty of its focal length, one sigma. Derived: the range in which boards promise to be readable
    (55 to 78 degrees) is about two of them."""
    bend_prior: float = -0.02
    """Radial distortion k1 of an unmeasured lens. By hand: slight barrel distortion, as most have."""
    bend_doubt: float = 0.05
    """Uncertainty of that, one sigma. By hand."""
    axis_doubt: float = 0.004
    """How far the optical axis may be from the picture's middle, as a share of its longer side, one sigma. By hand."""
    swelling: float = 1.0
    """Pixels by which blur, ink and the tone curve may move all corners of a fiducial in or out, one sigma. By hand."""
    worst_fit: float = 2.5
    """Pixels: fiducials that fit worse on average are not this board, in a picture of `usual_size`. By hand."""
    usual_size: int = 1280
    """Longer side, in pixels, of the pictures that boards promise to be readable in; a larger picture shows more of how
    sheets were printed and glued."""
    outlier: float = 4.0
    """How many times worse than the median a fiducial may fit. By hand."""
    outlier_least: float = 1.5
    """Pixels by which any fiducial may be off. By hand."""
    huber: float = 3.0
    """Sigmas beyond which a corner counts less. The usual choice."""
    clearly_worse: float = 3.0
    """Seen from afar, a flat board may be tilted either way; a tilt that fits this many times worse is not tried.
    By hand."""
    other_lens: float = 4.0
    """Sigmas by which the board may show another focal length than the one that is given. By hand: what is measured
    well lies within one."""
    other_focal: float = 0.08
    """The same relative to the focal length, where the sigmas are small: sheets are never quite flat. By hand."""
    overflow: float = 1e9
    """Pixels, millimetres or pixels per millimetre: a fit that gets this far shows no board; squares would overflow."""
    rounds: int = 25
    """Steps of the fit, at most. By hand."""
    settled: float = 0.01
    """Relative change of the cost at which it ends. By hand."""


FIND = FindSettings()
