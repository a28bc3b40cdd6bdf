"""From light to a picture: blur, white balance, exposure, noise, the sensor's curve, JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.virtual.painting.colour import Bgr, black_body, coded, planes
from hardware.virtual.scene import Light, Sensor

Exposure = NDArray[np.uint8]
"""(height, width, 3), blue, green, red: what cameras deliver and OpenCV expects."""

_PAPER = 0.8
"""Share of the light that white paper reflects."""
_MARGIN = 128


def expose(light_seen: Bgr, light: Light, sensor: Sensor, seed: int, frame: int) -> Exposure:
    """The picture that a camera makes of this light. The same numbers give the same picture."""
    height, width = light_seen.shape[1:]
    shade = vignette(width, height, sensor.vignetting)
    curve = _curve()
    random = np.random.default_rng([seed, frame, 3])
    coded_planes = []
    for plane, gain in zip(light_seen, gains(light)[:, 0, 0], strict=True):
        raw = np.asarray(cv2.multiply(_blur(plane, sensor), shade, scale=float(gain)), np.float32)
        if sensor.noise or sensor.read_noise:
            grain = _grain(plane.shape, random)
            spread = cv2.sqrt(cv2.addWeighted(raw, 2 * sensor.noise**2, raw, 0.0, sensor.read_noise**2))
            cv2.accumulateProduct(grain, spread, raw)
        # Eight bits of the square root are about as fine everywhere as eight bits of the final curve.
        np.maximum(raw, 0, out=raw)
        coded_planes.append(cv2.LUT(cv2.convertScaleAbs(cv2.sqrt(raw), alpha=255.0), curve))
    picture = np.asarray(cv2.merge(coded_planes), np.uint8)
    if sensor.jpeg is None:
        return picture
    _, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)


def gains(light: Light) -> Bgr:
    """What the camera multiplies blue, green and red by."""
    balance = planes(black_body(light.balanced_for))
    return planes(light.gains) / balance * np.float32(light.exposure / _PAPER)


@lru_cache(maxsize=4)
def vignette(width: int, height: int, loss: float) -> NDArray[np.float32]:
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    return (1 - loss * ((x * x + y * y) / 2) ** 1.5).astype(np.float32)


@lru_cache(maxsize=1)
def _curve() -> NDArray[np.uint8]:
    """The picture's values for the root of light, in 256 steps."""
    light = np.linspace(0, 1, 256) ** 2
    # A camera rolls off highlights instead of clipping them.
    rolled = np.where(light < 0.75, light, 0.75 + 0.25 * np.tanh((light - 0.75) / 0.25) / np.tanh(1.0))
    return np.asarray(np.rint(255 * coded(rolled)), np.uint8)


def _blur(plane: NDArray[np.float32], sensor: Sensor) -> NDArray[np.float32]:
    blurred = plane
    if sensor.defocus > 0:
        blurred = np.asarray(cv2.GaussianBlur(blurred, (0, 0), sensor.defocus), np.float32)
    slide = float(np.hypot(*sensor.motion))
    if slide > 0.2:
        blurred = np.asarray(cv2.filter2D(blurred, -1, _slide(*sensor.motion)), np.float32)
    return blurred


@lru_cache(maxsize=16)
def _slide(x: float, y: float) -> NDArray[np.float32]:
    reach = int(np.ceil(max(abs(x), abs(y)) / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * reach + 1):
        u, v = reach + share * x, reach + share * y
        i, j = int(np.floor(v)), int(np.floor(u))
        a, b = v - i, u - j
        kernel[i, j] += (1 - a) * (1 - b)
        kernel[i, j + 1] += (1 - a) * b
        kernel[i + 1, j] += a * (1 - b)
        kernel[i + 1, j + 1] += a * b
    return np.asarray(kernel / kernel.sum(), np.float32)


@lru_cache(maxsize=2)
def _grains(height: int, width: int) -> NDArray[np.float32]:
    """A field of noise larger than the picture; each frame takes a different part. The colour filter averages raw
    pixels a little, so neighbours are not independent."""
    random = np.random.default_rng(20)
    field = random.standard_normal((height + _MARGIN, width + _MARGIN)).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(field, (0, 0), 0.6), np.float32)
    return np.asarray(soft / soft.std(), np.float32)


def _grain(shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.float32]:
    field = _grains(shape[0], shape[1])
    top, left = random.integers(0, _MARGIN, 2)
    part = field[top : top + shape[0], left : left + shape[1]]
    return np.ascontiguousarray(part if random.integers(2) else part[::-1, ::-1])
