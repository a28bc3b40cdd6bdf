"""What `magister cameras` prints."""

from __future__ import annotations

import json
from pathlib import Path

from firmware.devices.plugged_in import FoundCamera, found_cameras
from firmware.settings.config import CameraSettings, Config
from firmware.table.cameras.chosen import webcams

ALWAYS = (
    ("phone", "a phone on the same network, by a code that the page shows"),
    ("url:ADDRESS", "a stream on the network: MJPEG or RTSP"),
    ("sim", "a simulated table"),
)


def list_cameras(config: Path | None, as_json: bool) -> int:
    """Print every camera; exit code 1 if none is plugged in that can be used."""
    settings = Config.load(config).camera
    found = found_cameras(webcams(), settings)
    if as_json:
        others = [{"source": source, "name": about} for source, about in ALWAYS]
        print(json.dumps({"cameras": [each.record() for each in found], "others": others}))
    else:
        for each in found:
            print(told(each, settings))
        if not found:
            print("No camera is plugged in.")
        print("There is always:")
        for source, about in ALWAYS:
            print(f"  --camera {source:<12} {about}")
    return 0 if any(not each.why for each in found) else 1


def told(each: FoundCamera, settings: CameraSettings) -> str:
    """A camera in a line or two."""
    lines = [f"--camera {each.source:<12} {each.name}"]
    if each.why:
        lines.append(each.why)
    if each.size is not None:
        asked = (settings.width, settings.height)
        size = "{}x{}".format(*each.size) + ("" if each.size == asked else " (asked for {}x{})".format(*asked))
        rate = "" if each.fps is None else f", up to {each.fps:g} pictures a second"
        can = ", ".join(each.settable)
        lines.append(f"{size}{rate}; {f'lets {can} be set' if can else 'sets everything by itself'}")
    return "\n      ".join(lines)
