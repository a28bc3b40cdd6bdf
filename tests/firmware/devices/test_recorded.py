"""Recordings that are not as they should be: what cannot be read is left out and counted, and a cut file is said."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.devices.recorded import FrameFolder, VideoFile, flaws
from firmware.machine.errors import UsageError
from firmware.machine.pictures import PictureFileError, read_picture

FRAMES = 40


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (640, 360))
    for number in range(FRAMES):
        coarse = np.random.default_rng(number).integers(0, 255, (45, 80, 3), dtype=np.uint8)
        writer.write(coarse.repeat(8, 0).repeat(8, 1))
    writer.release()
    return path


def spoil(film: Path, first: int, count: int) -> None:
    """Overwrite whole pictures."""
    data = bytearray(film.read_bytes())
    places, place = [], data.find(b"movi")
    while (place := data.find(b"00dc", place)) >= 0 and len(places) < FRAMES:
        places.append(place)
        place += 4 + int.from_bytes(data[place + 4 : place + 8], "little")
    for place in places[first : first + count]:
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        data[place + 8 : place + 8 + size] = bytes(size)
    film.write_bytes(data)


@pytest.mark.parametrize("bad", [1, 3, 12])
def test_pictures_of_a_film_that_cannot_be_read_are_left_out_and_counted(film: Path, bad: int) -> None:
    spoil(film, 15, bad)
    video = VideoFile(film, None)
    frames = list(video.frames())
    video.close()
    assert sum(frame is None for frame in frames) == video.spoilt == bad
    assert frames[-1] is not None
    assert frames[-1].seconds == pytest.approx((FRAMES - 1) / 10), "time has gone on meanwhile"
    assert not video.cut
    assert flaws(video, "film") == [f"pictures of film that could not be read and were left out: {bad}"]


def test_a_whole_film_has_no_flaws_and_one_that_is_cut_off_is_said(film: Path) -> None:
    for share, cut in ((1.0, False), (0.5, True)):
        film.write_bytes(film.read_bytes()[: int(share * film.stat().st_size)])
        video = VideoFile(film, None)
        seen = sum(frame is not None for frame in video.frames())
        video.close()
        assert (seen == FRAMES, video.cut) == (not cut, cut)
        assert flaws(video, "film") == (["film is cut off: it ends before it should"] if cut else [])


def test_a_film_of_nothing_but_bad_pictures_is_one_line(film: Path) -> None:
    spoil(film, 0, FRAMES)
    with pytest.raises(UsageError, match="can be read"):
        list(VideoFile(film, None).frames())


def test_watch_and_run_say_what_they_left_out(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(film, 15, 2)
    assert main(["watch", f"video:{film}", "--game", "rings", "--players", "2"]) == 1
    assert "could not be read and were left out: 2" in capsys.readouterr().err
    words = ["run", "--game", "rings", "--camera", f"video:{film}", "--lights", "none", "--no-page"]
    assert main([*words, "--log", str(tmp_path / "log.sqlite")]) == 0
    assert "could not be read and were left out: 2" in capsys.readouterr().err


def test_a_pipe_among_the_pictures_holds_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "frame-000000.png")
    cv2.imwrite(str(tmp_path / "frame-000001.png"), np.full((360, 640, 3), (90, 128, 150), np.uint8))
    folder = FrameFolder(tmp_path, 10.0)
    assert [frame is None for frame in folder.frames()] == [True, False]
    assert folder.spoilt == 1
    with pytest.raises(PictureFileError, match="not a file"):
        read_picture(tmp_path / "frame-000000.png")
