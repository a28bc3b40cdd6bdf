"""The numbers by which the board is found, each with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FindSettings:
    """Pixels are those of the camera's picture. "By hand": a round number that works over a wide range, fitted to
    nothing."""

    # Seeing fiducials.
    refine_reach: int = 4
    """Pixels about a corner by which its exact place is told. By hand: less than a cell of the smallest fiducial."""
    border_inside: float = 0.86
    """Of the way from a fiducial's middle to its corner: where its border is dark. Derived: the border is one of six
    cells wide, so that it is dark from 0.67 to 1."""
    border_outside: float = 1.14
    """The same where it is light: the board leaves one cell free about it, up to 1.33."""
    border_ratio: float = 1.25
    """How many times lighter than inside it must be outside. By hand: print in deep shade and glare has more."""
    border_step: float = 6.0
    """By how many steps of 255 besides. By hand: more than the noise of a picture."""
    two_apart: float = 0.7
    """Of a fiducial's own size: two finds of one id that are farther from each other are two. By hand."""

    # Following them from frame to frame.
    follow_reach: int = 5
    """Pixels by which a corner may have moved since the frame before; more, and the board is sought anew. By hand."""
    follow_least: int = 2
    """Fiducials that must be found just where they were: a pose needs two."""
    follow_share: float = 0.7
    """Share of the fiducials before that must be found again if they moved. By hand."""
    follow_fit: float = 0.3
    """Pixels by which the fit may be worse than the one before … By hand: twice the noise of a corner."""
    follow_worse: float = 1.5
    """… and how many times: fiducials that fit worse were not followed but mistaken. By hand."""
    few: int = 4
    """So few fiducials fit any pose well, and say nothing of how well more of them can. By hand."""
    few_fit: float = 1.2
    """Pixels: the fit that is good enough after so few. By hand."""
    spotted: float = 0.5
    """Share of the board's fiducials that must be seen at first sight if it is to be enough. By hand."""
    stood: float = 0.15
    """Pixels by which corners may fit the pose before worse than they did if camera and board stood still. Derived:
    the noise of a corner."""

    # The pose.
    corner_noise: float = 0.15
    """Pixels: how far a found corner usually is from its true place. By hand: what sub-pixel refinement
    reaches in a sharp picture."""
    focal_prior: float = 66.0
    """Degrees along the picture's longer side that an unmeasured lens shows: those of the Camera Module 3."""
    focal_doubt: float = 0.12
    """How far off, relative, its focal length may be, one sigma. Derived: the range that boards promise to be read from
    (55 to 78 degrees) is about two of them."""
    bend_prior: float = -0.02
    """Radial distortion k1 of an unmeasured lens. By hand: a little barrel, as most have."""
    bend_doubt: float = 0.05
    """How far off that may be, one sigma. By hand."""
    axis_doubt: float = 0.004
    """How far, as a share of the picture's longer side, the optical axis may be off its middle, one sigma. By hand."""
    swelling: float = 1.0
    """Pixels by which blur, ink and tone curve may move all corners of a fiducial in or out, one sigma. By hand."""
    worst_fit: float = 2.5
    """Pixels: fiducials that fit worse on average are not this board, in a picture of `usual_size`. By hand."""
    usual_size: int = 1280
    """Pixels of the longer side of the pictures that boards promise to be read from; a larger picture shows more of how
    sheets were printed and glued."""
    outlier: float = 4.0
    """As many times worse than the median a fiducial may fit. By hand."""
    outlier_least: float = 1.5
    """Pixels by which any may be off. By hand."""
    huber: float = 3.0
    """Sigmas from which a corner that is off counts less. The usual choice."""
    clearly_worse: float = 3.0
    """Seen from afar a flat board may be tilted either way; a way that fits so many times worse is not tried.
    By hand."""
    overflow: float = 1e9
    """Pixels, millimetres, or pixels a millimetre: a fit that gets so far shows no board; squares would overflow."""
    rounds: int = 25
    """Steps of the fit, at most. By hand."""
    settled: float = 0.01
    """Relative change of the cost at which it ends. By hand."""


FIND = FindSettings()
