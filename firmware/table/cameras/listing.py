"""What `magister cameras` prints."""

from __future__ import annotations

import json
from pathlib import Path

from firmware.devices.plugged_in import FoundCamera, found_cameras
from firmware.machine.files import write_folder
from firmware.page.photographer import packed
from firmware.settings.config import CameraSettings, Config
from firmware.table.cameras.chosen import webcams

ALWAYS = (
    ("phone", "a phone on the same network, by a code that the page shows"),
    ("url:ADDRESS", "a stream on the network: MJPEG or RTSP"),
    ("sim", "a simulated table"),
)


def list_cameras(config: Path | None, as_json: bool, pictures: Path | None = None) -> int:
    """Print every camera, and write what each webcam sees into a folder, if one is named; exit code 1 if no camera is
    plugged in that can be used."""
    settings = Config.load(config).camera
    found = found_cameras(webcams(), settings)
    files = {} if pictures is None else _written(found, pictures)
    if as_json:
        others = [{"source": source, "name": about} for source, about in ALWAYS]
        written = {source: str(file) for source, file in files.items()}
        records = [each.record() | {"picture": written.get(each.source)} for each in found]
        print(json.dumps({"cameras": records, "others": others}))
    else:
        for each in found:
            print(told(each, settings))
            if each.source in files:
                print(f"      {files[each.source]}")
        if not found:
            print("No camera is plugged in.")
        print("There is always:")
        for source, about in ALWAYS:
            print(f"  --camera {source:<12} {about}")
    return 0 if any(not each.why for each in found) else 1


def _written(found: list[FoundCamera], folder: Path) -> dict[str, Path]:
    """What each camera sees, as a file named like it: usb-0.jpg."""
    seen = {each.source: jpeg for each in found if each.picture is not None and (jpeg := packed(each.picture))}
    names = {source: f"{source.replace(':', '-')}.jpg" for source in seen}
    write_folder(folder, {names[source]: jpeg for source, jpeg in seen.items()})
    return {source: folder / name for source, name in names.items()}


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
