"""Printed boards, measured: pages, rule, outlines, pictures, fiducials."""

from __future__ import annotations

import json
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pypdf
import pypdfium2
import pytest
from PIL import Image

from engine.board import DICTIONARY, Board, Disc, Fiducial, Line, Polygon, Sector, Shape, Sheet, Text, turned
from engine.registry import find_game
from hardware.printing import chart
from hardware.printing.layout import PAPERS, area, plan
from hardware.printing.pack import pack_files, write_pack
from hardware.printing.pages import print_pages
from hardware.printing.sheets import PX_PER_MM, sheet_pixels

GAMES = ("memento-tuos", "rings", "dimenticato", "triominos")
SCALE = 10.0
"""Pixels a millimetre of a page that is measured."""


def board_of(name: str) -> Board:
    game = find_game(name)
    assert game.board is not None
    return game.board(4, dict(game.configure().deal(4, Random(3))))


@cache
def document(name: str, paper: str, language: str = "en") -> bytes:
    return print_pages(board_of(name), "T", paper, language)


class Packs(dict[str, Path]):
    """The folder of each game's pack, written when it is first asked for."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __missing__(self, name: str) -> Path:
        self[name] = self.root / name
        write_pack(board_of(name), find_game(name).title, self[name], "a4", "en")
        return self[name]


@pytest.fixture(scope="module")
def packs(tmp_path_factory: pytest.TempPathFactory) -> Packs:
    return Packs(tmp_path_factory.mktemp("packs"))


def rendered(pdf: bytes, page: int, scale: float = SCALE, foot: float | None = None) -> np.ndarray:
    """A page in shades of grey, or so many millimetres of its foot."""
    with pypdfium2.PdfDocument(pdf) as opened:
        cut = 0.0 if foot is None else opened[page].get_height() - foot * 72 / 25.4
        picture = opened[page].render(scale=scale * 25.4 / 72, grayscale=True, crop=(0, 0, 0, cut)).to_numpy()
        return np.array(picture.reshape(*picture.shape[:2], -1)[:, :, 0])


def page_count(pdf: bytes) -> int:
    with pypdfium2.PdfDocument(pdf) as opened:
        return len(opened)


def detect(grey: np.ndarray, dictionary: str) -> dict[int, np.ndarray]:
    """The corners of every marker by its id, in any OpenCV."""
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    if hasattr(cv2.aruco, "ArucoDetector"):
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        corners, ids, _ = cv2.aruco.ArucoDetector(words, settings).detectMarkers(grey)
    else:
        corners, ids, _ = cv2.aruco.detectMarkers(grey, words)
    found = [] if ids is None else np.asarray(ids).ravel().tolist()
    return {number: np.asarray(square).reshape(4, 2) for number, square in zip(found, corners, strict=True)}


def beyond(shape: Polygon | Disc, points: np.ndarray) -> np.ndarray:
    """How far points lie outside a shape's edge, less than 0 inside."""
    if isinstance(shape, Disc):
        return np.hypot(points[:, 0] - shape.at[0], points[:, 1] - shape.at[1]) - shape.radius
    corners = np.array(shape.points)
    distances, inside = np.full(len(points), np.inf), np.zeros(len(points), dtype=bool)
    for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = other - one
        along = np.clip((points - one) @ side / (side @ side), 0, 1)
        distances = np.minimum(distances, np.linalg.norm(points - one - along[:, None] * side, axis=1))
        if side[1]:
            crossing = (one[1] > points[:, 1]) != (other[1] > points[:, 1])
            inside ^= crossing & (points[:, 0] < one[0] + (points[:, 1] - one[1]) / side[1] * side[0])
    return np.where(inside, -distances, distances) - shape.rounding


def middles(sheet: Sheet, height: int, width: int, every: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows and columns of pixels, and where their middles lie in the sheet's frame."""
    rows, columns = (grid.ravel() for grid in np.mgrid[0:height:every, 0:width:every])
    x = (columns + 0.5) / width * sheet.size[0] - sheet.size[0] / 2
    y = (rows + 0.5) / height * sheet.size[1] - sheet.size[1] / 2
    return rows, columns, np.stack((x, y), axis=1)


# Pages


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_every_page_is_exactly_the_paper_and_says_how_to_print_it(name: str, paper: str) -> None:
    with pypdfium2.PdfDocument(document(name, paper)) as pdf:
        for number, page in enumerate(pdf, start=1):
            sides = sorted(side * 25.4 / 72 for side in page.get_size())
            paper_sides = {"a4": (210, 297), "a3": (297, 420), "letter": (215.9, 279.4)}[paper]
            assert sides == pytest.approx(paper_sides, abs=0.01)
            text = page.get_textpage().get_text_range()
            assert "Print at 100 %" in text
            assert f"page {number} of {len(pdf)}" in text


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["memento-tuos", "rings"])
def test_the_rule_is_100_mm_long_on_every_page(name: str, paper: str) -> None:
    pdf, fine = document(name, paper), 40.0
    for page in range(page_count(pdf)):
        # Rasterising moves an edge by up to a pixel.
        foot = 1 - rendered(pdf, page, fine, foot=13.0) / 255
        length = 0.0
        for row in foot[(foot > 0.4).sum(axis=1) > 90 * fine]:
            dark = np.concatenate(([0.0], row, [0.0]))
            ends = np.flatnonzero(np.diff((dark > 0.4).astype(int)))
            for start, end in zip(ends[::2], ends[1::2], strict=True):
                # The pixels at both ends are only partly covered.
                piece = dark[start : end + 2]
                length = max(length, float(piece.sum() / np.median(piece)) / fine)
        assert length == pytest.approx(100, abs=0.1)


def test_a_printed_tile_has_the_outline_of_the_data() -> None:
    board = board_of("memento-tuos")
    pdf = document("memento-tuos", "a4")
    pages = plan(board, "a4")
    for number, page in enumerate(pages, start=1):
        if not page.parts[0].sheet.name.startswith("tile"):
            continue
        (part,) = page.parts
        edge = part.sheet.outline[0]
        assert isinstance(edge, Polygon)
        printed = (rendered(pdf, number) < 200).astype(np.uint8)
        shapes, _ = cv2.findContours(printed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        contour = max(shapes, key=cv2.contourArea).reshape(-1, 2)
        # Its place on the page is measured too: the printed shape is centred as the data say.
        centre = (contour.min(axis=0) + contour.max(axis=0)) / 2
        points = (contour - centre) / SCALE
        assert np.abs(beyond(edge, points)).max() < 0.3
        assert np.ptp(points, axis=0) + 1 / SCALE == pytest.approx(part.sheet.size, abs=0.3)


def test_a_printed_ring_has_both_radii_of_the_data() -> None:
    board = board_of("rings")
    pdf = document("rings", "a4")
    number = next(k for k, page in enumerate(plan(board, "a4"), start=1) if page.parts[0].sheet.name == "ring-a")
    printed = (rendered(pdf, number) < 200).astype(np.uint8)
    shapes, tree = cv2.findContours(printed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = max(range(len(shapes)), key=lambda k: cv2.contourArea(shapes[k]))
    holes = [k for k in range(len(shapes)) if np.asarray(tree).reshape(-1, 4)[k, 3] == outer]
    inner = max(holes, key=lambda k: cv2.contourArea(shapes[k]))
    edge, hole = board.by_name["ring-a"].outline
    assert isinstance(edge, Disc)
    assert isinstance(hole, Disc)
    for contour, radius in ((shapes[outer], edge.radius), (shapes[inner], hole.radius)):
        assert cv2.minEnclosingCircle(contour)[1] / SCALE == pytest.approx(radius, abs=0.3)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_all_sheets_are_printed_whole_inside_what_printers_reach(name: str, paper: str) -> None:
    board = board_of(name)
    seen = dict.fromkeys(board.by_name, 0.0)
    for page in plan(board, paper):
        west, north, east, south = area(page.size)
        for part in page.parts:
            left, top, right, foot = part.on_page
            assert west - 1e-6 <= left < right <= east + 1e-6
            assert north - 1e-6 <= top < foot <= south + 1e-6
            seen[part.sheet.name] += part.size[0] * part.size[1]
        for k, part in enumerate(page.parts):
            for other in page.parts[:k]:
                a, b = part.on_page, other.on_page
                assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], "parts overlap"
    for sheet in board.sheets:
        assert seen[sheet.name] >= sheet.size[0] * sheet.size[1] - 1e-6


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_pages_of_the_base_glued_together_are_the_base(name: str, paper: str) -> None:
    board, scale = board_of(name), 4.0
    whole = cv2.cvtColor(sheet_pixels(board.base, scale)[:, :, :3], cv2.COLOR_RGB2GRAY)
    glued = np.full_like(whole, 128)
    pdf = document(name, paper)
    for number, page in enumerate(plan(board, paper), start=1):
        part = page.parts[0]
        if part.sheet is not board.base:
            continue
        picture = rendered(pdf, number, scale)
        left, top, right, foot = (round(side * scale) for side in part.on_page)
        x = round((part.window[0] + board.base.size[0] / 2) * scale)
        y = round((part.window[1] + board.base.size[1] / 2) * scale)
        # Row by row, the later page on the strip of the earlier one.
        into = glued[y : y + foot - top, x : x + right - left]
        into[:] = picture[top : top + into.shape[0], left : left + into.shape[1]]
    near = cv2.erode(whole, np.ones((5, 5))).astype(int) - 12, cv2.dilate(whole, np.ones((5, 5))).astype(int) + 12
    off = (glued < near[0]) | (glued > near[1])
    off[:3], off[-3:], off[:, :3], off[:, -3:] = False, False, False, False
    assert off.mean() < 0.002


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", GAMES)
def test_no_seam_runs_through_a_fiducial(name: str, paper: str) -> None:
    board = board_of(name)
    for page in plan(board, paper):
        if page.parts[0].sheet is not board.base or page.tile is None:
            continue
        west, north = page.parts[0].window[:2]
        for mark in board.fiducials:
            reach = mark.size / 2
            assert page.tile.column == 0 or abs(mark.at[0] - west) > reach
            assert page.tile.row == 0 or abs(mark.at[1] - north) > reach


def test_the_lens_chart_is_a_charuco_board_true_to_scale() -> None:
    pdf = document("rings", "a4")
    grey = rendered(pdf, page_count(pdf) - 1)
    markers = detect(grey, chart.CHART_DICTIONARY)
    assert sorted(markers) == list(range(chart.COLUMNS * chart.ROWS // 2))
    for corners in markers.values():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / SCALE
        assert sides == pytest.approx(np.full(4, chart.FIDUCIAL), abs=0.2)
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, chart.CHART_DICTIONARY))
    charuco = cv2.aruco.CharucoBoard((chart.COLUMNS, chart.ROWS), chart.SQUARE, chart.FIDUCIAL, words)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(charuco).detectBoard(grey)
    assert len(np.asarray(ids).ravel()) == (chart.COLUMNS - 1) * (chart.ROWS - 1)
    rows = np.asarray(corners).reshape(chart.ROWS - 1, chart.COLUMNS - 1, 2) / SCALE
    assert np.diff(rows[:, :, 0], axis=1) == pytest.approx(chart.SQUARE, abs=0.1)
    assert np.diff(rows[:, :, 1], axis=0) == pytest.approx(chart.SQUARE, abs=0.1)


@pytest.mark.parametrize("language", ["de", "uk"])
def test_all_fonts_are_in_the_file(language: str) -> None:
    pdf = pypdf.PdfReader(BytesIO(print_pages(board_of("memento-tuos"), "Приклад їжак ß œ", "a4", language)))
    fonts: list[Any] = [font.get_object() for page in pdf.pages for font in page["/Resources"]["/Font"].values()]
    used = [font for font in fonts if font["/Subtype"] == "/TrueType"]
    assert used
    assert all("/FontFile2" in font["/FontDescriptor"] for font in used)
    assert "Приклад їжак ß œ" in pdf.pages[0].extract_text()


@pytest.mark.parametrize("language", ["de", "fr", "it", "uk"])
@pytest.mark.parametrize("name", ["memento-tuos", "dimenticato"])
def test_the_cover_does_not_run_into_the_rule(name: str, language: str) -> None:
    cover = rendered(document(name, "a4", language), 0, 2.0)
    assert (cover[2 * 278 : 2 * 282] > 250).all()


def test_the_cover_shows_no_card_that_only_a_match_lays() -> None:
    """The joker, the last card of the set, must not lie first."""
    cover = rendered(document("triominos", "a4"), 0, 6.0)
    x, y = np.mean([corners.mean(axis=0) for corners in detect(cover, DICTIONARY).values()], axis=0).astype(int)
    assert cover[y - 20 : y + 20, x - 20 : x + 20].min() > 120


# Pictures and board.json


@pytest.mark.parametrize("name", GAMES)
def test_pictures_cover_their_size_and_are_cut_to_the_outline(packs: Packs, name: str) -> None:
    cuts: dict[object, np.ndarray] = {}
    for sheet in board_of(name).sheets:
        with Image.open(packs[name] / f"{sheet.name}.png") as picture:
            assert picture.mode == "RGBA"
            assert picture.size == tuple(round(side * PX_PER_MM) for side in sheet.size)
            assert picture.info["dpi"] == pytest.approx((PX_PER_MM * 25.4,) * 2, abs=0.1)
            alpha = np.asarray(picture)[:, :, 3]
        rows, columns, points = middles(sheet, *alpha.shape, every=3)
        cut = (sheet.outline, sheet.size)
        if cut not in cuts:
            # All cards of a set are cut alike.
            first, *holes = (beyond(shape, points) for shape in sheet.outline)
            cuts[cut] = np.max([first, *(-hole for hole in holes)], axis=0)
        outside = cuts[cut]
        assert (alpha[rows, columns][outside < -0.15] == 255).all()
        assert (alpha[rows, columns][outside > 0.15] == 0).all()
        assert (outside < -0.15).any()


def test_no_fringe_at_the_edge() -> None:
    for ground in ("#4f6b64", "#ffffff", "#000000"):
        triangle = Polygon(((0.0, -8.0), (9.0, 7.0), (-9.0, 6.0)), fill=ground, rounding=2.0)
        pixels = sheet_pixels(Sheet("s", (24.0, 20.0), (0.0, 0.0), 0.0, (triangle,), (triangle,)))
        half = (pixels[:, :, 3] > 0) & (pixels[:, :, 3] < 255)
        assert half.sum() > 100
        wanted = np.array([int(ground[k : k + 2], 16) for k in (1, 3, 5)])
        assert np.abs(pixels[half][:, :3].astype(int) - wanted).max() <= 2


@pytest.mark.parametrize("name", GAMES)
def test_fiducials_are_found_in_the_picture_where_board_json_says(packs: Packs, name: str) -> None:
    record = json.loads((packs[name] / "board.json").read_text())
    base = record["sheets"][0]
    grey = cv2.imread(str(packs[name] / base["image"]), cv2.IMREAD_GRAYSCALE)
    found = detect(grey, record["fiducials"]["dictionary"])
    assert sorted(found) == sorted(mark["id"] for mark in record["fiducials"]["markers"])
    for mark in record["fiducials"]["markers"]:
        half = mark["size"] / 2
        square = [
            turned((x, y), mark["angle"]) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))
        ]
        wanted = np.array(square) + mark["at"]
        seen = (found[mark["id"]] + 0.5) / PX_PER_MM - np.array(base["size"]) / 2
        assert np.linalg.norm(seen - wanted, axis=1).max() < 0.2


@pytest.mark.parametrize("name", GAMES)
def test_board_json_keeps_the_contract(packs: Packs, name: str) -> None:
    record = json.loads((packs[name] / "board.json").read_text())
    assert record == json.loads(json.dumps(board_of(name).record()))
    assert record["game"] == name
    for sheet in record["sheets"]:
        assert {"name", "image", "size", "at", "angle", "z"} <= set(sheet) <= {*sheet, "pivot", "turns"}
        assert sheet["image"] == f"{sheet['name']}.png"
        assert (packs[name] / sheet["image"]).is_file()
        assert ("turns" in sheet) == (name in ("memento-tuos", "rings") and sheet["name"] != "base")
        assert "pivot" in sheet or "turns" not in sheet
    names = {sheet["name"] for sheet in record["sheets"]}
    for site in record["sites"].values():
        assert {"at", "sheet", "z"} <= set(site)
        assert site["sheet"] in names
    for piece in record["pieces"].values():
        assert set(piece) == {"shape", "diameter", "height", "colour"}
    assert set(record["camera"]) == {"distance", "tilt", "hfov", "size"}
    images = {sheet["image"] for sheet in record["sheets"]}
    assert {file.name for file in packs[name].iterdir()} == {*images, "board.json", f"{name}-a4.pdf"}


@pytest.mark.parametrize("name", ["triominos"])
def test_the_same_board_gives_the_same_bytes(packs: Packs, name: str) -> None:
    for file, content in pack_files(board_of(name), find_game(name).title, "a4", "en"):
        assert content == (packs[name] / file).read_bytes(), file


# Shapes


def painted(*art: Shape, size: float = 40.0) -> np.ndarray:
    ground = Polygon(((-size, -size), (size, -size), (size, size), (-size, size)))
    return sheet_pixels(Sheet("s", (size, size), (0.0, 0.0), 0.0, (ground,), art), 10.0)[:, :, :3]


def at(pixels: np.ndarray, x: float, y: float) -> str:
    row, column = round((y + 20) * 10), round((x + 20) * 10)
    return "#" + "".join(f"{value:02x}" for value in pixels[row, column])


def test_shapes_lie_where_the_data_say_with_y_to_the_south() -> None:
    red, blue, white = "#d0202e", "#1f55c4", "#ffffff"
    discs = painted(Disc((5.0, 12.0), 3.0, fill=red, stroke=blue, width=1.0))
    assert [at(discs, x, 12) for x in (5, 7.2, 8.2, 8.8)] == [red, red, blue, white]
    assert at(discs, 5, -12) == white
    # From north clockwise to east.
    sector = painted(Sector((0.0, 0.0), 5.0, 10.0, 0.0, 90.0, red))
    assert [at(sector, x, y) for x, y in ((5, -5), (-5, -5), (5, 5), (2, -2), (8, -8))] == [red, *[white] * 4]
    line = painted(Line(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0)), red, 4.0))
    assert [at(line, x, y) for x, y in ((-1.8, 0), (-2.2, 0), (10, 11.8), (11.3, -1.3), (11.8, -1.8))] == [
        *(red, white, red, red, white)
    ]
    # A corner that goes in stays sharp, one that sticks out is round.
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, -10.0), (12.0, -10.0), (12.0, 8.0), (0.0, 8.0))
    angle = painted(Polygon(corners, fill=red, rounding=2.0))
    assert [at(angle, x, y) for x, y in ((7.8, -2.2), (8.2, -2.2), (7.8, -1.8), (13.8, 9.8), (13.3, 9.3))] == [
        *(white, red, red, white, red)
    ]


def test_text_is_centred_and_turned_clockwise() -> None:
    for angle, across in ((0, True), (90, False)):
        dark = painted(Text((3.0, -4.0), "IHHHI", 8.0, "#000000", angle=angle, bold=True)).min(axis=2) < 128
        rows, columns = np.nonzero(dark)
        centre = ((columns.min() + columns.max()) / 20 - 19.95, (rows.min() + rows.max()) / 20 - 19.95)
        assert centre == pytest.approx((3.0, -4.0), abs=0.25)
        assert (np.ptp(columns) > np.ptp(rows)) == across
    # Lettering that runs down the page has its feet to the west: the south end of an L is that of its foot.
    rows, columns = np.nonzero(painted(Text((0.0, 0.0), "L", 20.0, "#000000", angle=90)).min(axis=2) < 128)
    assert columns[rows > rows.max() - 5].max() < (columns.min() + columns.max()) / 2


@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, 200.0])
def test_a_turned_fiducial_is_found_turned(angle: float) -> None:
    ground = Polygon(((-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)), fill="#ffffff")
    grey = painted(ground, Fiducial((1.0, 2.0), 7, 18.0, angle))[:, :, 0].copy()
    (corners,) = detect(grey, "DICT_4X4_50").values()
    wanted = [turned((x + 1, y + 2), angle, (1.0, 2.0)) for x, y in ((-9, -9), (9, -9), (9, 9), (-9, 9))]
    assert np.abs((corners + 0.5) / 10 - 20 - np.array(wanted)).max() < 0.2


def test_windows_of_a_large_part_overlap_by_the_glue_strip() -> None:
    pages = [page for page in plan(board_of("memento-tuos"), "a4") if page.parts[0].sheet.name == "base"]
    row = [page.parts[0].window for page in pages if page.tile is not None and page.tile.row == 0]
    assert len(row) > 1
    assert [one[2] - other[0] for one, other in pairwise(row)] == pytest.approx([10.0] * (len(row) - 1))
