"""Every board as a thing: parts lie where the rules need them, and nothing hides what the camera must see."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from math import atan2, degrees, dist
from random import Random
from typing import Any

import pytest

from engine.board import Board, Disc, Fiducial, Line, Point, Polygon, Sector, Shape, Sheet, Text, turned
from engine.core import COLOURS, Game, InvalidSetupError
from engine.games.dimenticato.plan import Plan
from engine.games.dimenticato.setup import read_setup
from engine.registry import all_games, find_game

NAMES = {
    "memento-tuos": ["base", "tile-T", "tile-L", "tile-R", "tile-I"],
    "memento-ludis": ["base", "tile-T", "tile-L", "tile-R", "tile-I"],
    "rings": ["base", "ring-a", "ring-b", "ring-c"],
}
"""What the contract calls the sheets of boards that are the same for everybody."""


def usual_board(game: Game, players: int) -> Board:
    assert game.board is not None
    return game.board(players, game.configure().deal(players, Random(players)))


def odd_dice(plan: Plan) -> dict[str, dict[str, Any]]:
    """All the dice there are, one field after the other."""
    dice = [{"pips": pips, "colour": colour} for pips in range(1, 7) for colour in COLOURS]
    return {name: dice[number % len(dice)] for number, name in enumerate(plan.names[: plan.size])}


def odd_plans() -> Iterator[tuple[Plan, Board]]:
    """Dimenticato on every rectangle that a set-up may have, with the big cards wherever they may be."""
    build = find_game("dimenticato").board
    assert build is not None
    for players, width, first in ((n, w, f) for n in (2, 3, 4) for w in range(3, 2 * n) for f in range(4)):
        plan = Plan(width, 2 * players + 2 - width, tuple(range(first, 4 * players, 4)))
        setup = {"width": width, "height": plan.height, "big": list(plan.big), "fields": odd_dice(plan)}
        try:
            read_setup(players, setup)
        except InvalidSetupError:
            continue
        yield plan, build(players, setup)


GAMES = [pytest.param(game, id=game.name) for game in all_games()]
TABLES = [pytest.param(game, players, id=f"{game.name}-{players}") for game in all_games() for players in game.seats]
PLANS = [pytest.param(*odd, id=f"{odd[0].width}x{odd[0].height}-{odd[0].big[0]}") for odd in odd_plans()]
BOARDS = [
    *(pytest.param(usual_board(*table.values), id=table.id) for table in TABLES),
    *(pytest.param(odd.values[1], id=f"dimenticato-{odd.id}") for odd in PLANS),
]

# A small painter: what is where, and what colour a picture has at a point


def covers(shape: Shape, point: Point) -> bool:
    """Whether a point lies within the edge of a shape."""
    match shape:
        case Disc(at, radius):
            return dist(at, point) <= radius
        case Polygon(points, rounding=rounding):
            odd = sum(crosses(*side, point) for side in sides(points)) % 2
            return bool(odd) or any(from_stroke(*side, point) <= rounding for side in sides(points) if rounding)
        case Line(points, width=width):
            return any(from_stroke(*part, point) <= width / 2 for part in pairwise(points))
        case Sector(at, inner, outer, start, end):
            bearing = degrees(atan2(point[0] - at[0], at[1] - point[1]))
            return inner <= dist(at, point) <= outer and (bearing - start) % 360 <= end - start
        case Fiducial(at, size=size):
            return max(abs(point[0] - at[0]), abs(point[1] - at[1])) <= size / 2
    return False


def sides(points: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*points, points[0]))


def crosses(one: Point, other: Point, point: Point) -> bool:
    if (one[1] > point[1]) == (other[1] > point[1]):
        return False
    return point[0] < one[0] + (point[1] - one[1]) / (other[1] - one[1]) * (other[0] - one[0])


def from_stroke(one: Point, other: Point, point: Point) -> float:
    along = (other[0] - one[0], other[1] - one[1])
    share = (along[0] * (point[0] - one[0]) + along[1] * (point[1] - one[1])) / (along[0] ** 2 + along[1] ** 2)
    share = min(1.0, max(0.0, share))
    return dist(point, (one[0] + share * along[0], one[1] + share * along[1]))


def painted(sheet: Sheet, point: Point) -> str | None:
    """The colour at a point of the sheet's own frame; a fiducial is all black, lettering is left out."""
    x, y = point
    for (west, north, east, south), shape in filled(sheet):
        if west <= x <= east and north <= y <= south and covers(shape, point):
            return getattr(shape, "fill", None) or getattr(shape, "stroke", "#000000")
    return None


Box = tuple[float, float, float, float]
FILLED: dict[int, tuple[Sheet, list[tuple[Box, Shape]]]] = {}


def filled(sheet: Sheet) -> list[tuple[Box, Shape]]:
    """What a sheet's colours come from, the uppermost first, each with a box that it does not leave."""
    if id(sheet) not in FILLED:
        opaque = [
            shape for shape in reversed(sheet.art) if not isinstance(shape, Disc | Polygon) or shape.fill is not None
        ]
        # The sheet is kept, so that no other one gets its number.
        FILLED[id(sheet)] = sheet, [(box(shape), shape) for shape in opaque]
    return FILLED[id(sheet)][1]


def box(shape: Shape) -> Box:
    match shape:
        case Disc(at, radius) | Sector(at, _, radius):
            spots, beyond = [at], radius
        case Polygon(points, rounding=rounding):
            spots, beyond = list(points), rounding
        case Line(points, width=width):
            spots, beyond = list(points), width / 2
        case Fiducial(at, size=size):
            spots, beyond = [at], size / 2
        case _:
            return (0.0, 0.0, -1.0, -1.0)
    (west, east), (north, south) = ((min(side), max(side)) for side in zip(*spots, strict=True))
    return west - beyond, north - beyond, east + beyond, south + beyond


def on_sheet(sheet: Sheet, point: Point, turn: int = 0) -> bool:
    """Whether a place on the table is covered by a sheet in this position."""
    x, y = turned(point, -sheet.angle_at(turn), sheet.centre)
    local = (x - sheet.at[0], y - sheet.at[1])
    first, *holes = sheet.outline
    return covers(first, local) and not any(covers(hole, local) for hole in holes)


def round_about(at: Point, radius: float) -> list[Point]:
    return [turned((at[0], at[1] - radius), 30 * k, at) for k in range(12)]


def square_about(at: Point, half: float) -> list[Point]:
    top = [(at[0] + half * k / 4, at[1] - half) for k in range(-4, 4)]
    return [turned(point, 90 * k, at) for point in top for k in range(4)]


def foot(board: Board) -> float:
    """The radius of the widest piece."""
    return max((piece.diameter for piece in board.pieces.values()), default=0.0) / 2


def fixed_parts(board: Board) -> list[tuple[Sheet, int]]:
    """Everything that lies on the base of itself, in every position it can have."""
    parts = [sheet for sheet in board.sheets[1:] if sheet.name not in board.cards]
    return [(sheet, turn) for sheet in parts for turn in range(sheet.turns)]


# Every board


@pytest.mark.parametrize("board", BOARDS)
def test_board_json_is_what_the_contract_says(board: Board) -> None:
    record = board.record()
    assert json.loads(json.dumps(record)) == record
    assert record.keys() >= {"game", "sheets", "sites", "pieces", "camera"}
    assert all(sheet.keys() >= {"name", "image", "size", "at", "angle", "z"} for sheet in record["sheets"])
    assert all(site.keys() >= {"at", "sheet", "z"} for site in record["sites"].values())
    assert all(piece.keys() == {"shape", "diameter", "height", "colour"} for piece in record["pieces"].values())
    assert record["camera"].keys() == {"distance", "tilt", "hfov", "size"}
    assert pickle.loads(pickle.dumps(board)) == board


@pytest.mark.parametrize("board", BOARDS)
def test_names(board: Board) -> None:
    names = [sheet.name for sheet in board.sheets]
    assert len(set(names)) == len(names)
    assert names[0] == "base"
    assert names == NAMES.get(board.game, names)
    assert all(site.name == name and site.sheet in names for name, site in board.sites.items())
    assert all(piece.name == name for name, piece in board.pieces.items())
    assert all(face.name == name and set(face.pieces) <= board.pieces.keys() for name, face in board.faces.items())
    assert board.cards <= set(names)
    assert board.counts.keys() == board.pieces.keys()


@pytest.mark.parametrize("board", BOARDS)
def test_whoever_stands_on_a_site_stands_on_its_sheet(board: Board) -> None:
    for site in board.sites.values():
        sheet = board.by_name[site.sheet]
        assert site.z == sheet.z
        for turn in range(sheet.turns):
            assert all(on_sheet(sheet, point, turn) for point in round_about(site.at, foot(board))), site
    for one, other in combinations(board.sites.values(), 2):
        assert dist(one.at, other.at) >= 2 * foot(board) + 1, (one, other)


@pytest.mark.parametrize("board", BOARDS)
def test_sheets_lie_on_the_base_side_by_side(board: Board) -> None:
    parts = fixed_parts(board)
    for sheet, turn in parts:
        across, down = sheet.size[0] / 2, sheet.size[1] / 2
        frame = square_about((0.0, 0.0), 1.0)
        edge = [sheet.to_table((x * across * 0.999, y * down * 0.999), turn) for x, y in frame]
        edge = [point for point in edge if on_sheet(sheet, point, turn)]
        assert edge, "a picture must reach to the edge of what is cut out"
        assert all(on_sheet(board.base, point) for point in edge)
        others = [part for part in parts if part[0] is not sheet]
        assert not any(on_sheet(other, point, at) for point in edge for other, at in others), sheet.name


@pytest.mark.parametrize("board", BOARDS)
def test_fiducials_are_seen_on_a_light_ground(board: Board) -> None:
    assert len(board.fiducials) >= 10
    assert all(mark.id in range(50) for mark in board.fiducials)
    parts = fixed_parts(board)
    for mark in board.fiducials:
        assert painted(board.base, mark.at) == "#000000"
        for cells in (0.1, 0.99):
            for point in square_about(mark.at, mark.size * (0.5 + cells / 6)):
                assert on_sheet(board.base, point), mark
                assert lightness(painted(board.base, point)) > 0.7, (mark, point)
                assert not any(on_sheet(sheet, point, turn) for sheet, turn in parts), mark


def lightness(colour: str | None) -> float:
    assert colour is not None
    return sum(int(colour[start : start + 2], 16) for start in (1, 3, 5)) / 765


@pytest.mark.parametrize("board", BOARDS)
def test_reference_colours_are_seen(board: Board) -> None:
    assert len({patch.colour for patch in board.patches}) >= 7
    parts = fixed_parts(board)
    for patch in board.patches:
        for point in (patch.at, *round_about(patch.at, patch.radius - 0.3)):
            assert painted(board.base, point) == patch.colour
            assert not any(on_sheet(sheet, point, turn) for sheet, turn in parts), patch
    for one, other in combinations(board.patches, 2):
        assert dist(one.at, other.at) > one.radius + other.radius


def test_every_game_has_fiducials_of_its_own() -> None:
    owners: dict[int, set[str]] = {}
    for board in (param.values[0] for param in BOARDS):
        ids = [mark.id for mark in board.fiducials]
        assert len(set(ids)) == len(ids)
        for marker in ids:
            owners.setdefault(marker, set()).add(board.game.partition("-")[0])
    assert all(len(games) == 1 for games in owners.values())


# What turns


@pytest.mark.parametrize("game", GAMES)
def test_a_turnable_sheet_shows_how_it_lies(game: Game) -> None:
    board = usual_board(game, 4)
    for sheet in board.turnable:
        free = [point for point in grid(sheet) if clear_of_pieces(board, sheet, point)]
        pivot = (sheet.centre[0] - sheet.at[0], sheet.centre[1] - sheet.at[1])
        for turn in range(1, sheet.turns):
            before = [turned(point, -360 * turn / sheet.turns, pivot) for point in free]
            changed = sum(painted(sheet, one) != painted(sheet, other) for one, other in zip(free, before, strict=True))
            assert changed > 0.05 * len(free), f"{sheet.name} looks the same in position {turn}"


def grid(sheet: Sheet) -> Iterator[Point]:
    for x in range(-int(sheet.size[0] / 2), int(sheet.size[0] / 2), 6):
        for y in range(-int(sheet.size[1] / 2), int(sheet.size[1] / 2), 6):
            if on_sheet(sheet, sheet.to_table((x, y))):
                yield (x, y)


def clear_of_pieces(board: Board, sheet: Sheet, point: Point) -> bool:
    return all(dist(sheet.to_table(point), site.at) > foot(board) for site in board.sites.values())


# Dimenticato's dice


@pytest.mark.parametrize(("plan", "board"), PLANS)
def test_dice_are_printed_as_dealt_and_covered_by_a_figure(plan: Plan, board: Board) -> None:
    fields = odd_dice(plan)
    shades: dict[str, set[str | None]] = {}
    for name, die in fields.items():
        site = board.sites[name]
        sheet = board.by_name[site.sheet]
        assert sheet.name == f"card-{plan.card_of[plan.index[name]]}"
        local = (site.at[0] - sheet.at[0], site.at[1] - sheet.at[1])
        pips = [
            shape for shape in sheet.art if isinstance(shape, Disc) and shape.radius < 4 and dist(shape.at, local) < 14
        ]
        assert len(pips) == die["pips"], name
        assert all(dist(pip.at, local) + pip.radius <= foot(board) - 0.5 for pip in pips), f"{name} peeps out"
        assert all(dist(one.at, other.at) >= 2 * one.radius + 1.5 for one, other in combinations(pips, 2)), name
        shades.setdefault(str(die["colour"]), set()).add(painted(sheet, (local[0] + foot(board) + 1, local[1])))
    assert all(len(shade) == 1 for shade in shades.values())
    assert len(set.union(*shades.values())) == len(COLOURS)
    assert not set.union(*shades.values()) & {piece.colour for piece in board.pieces.values()}


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_the_bare_board_is_where_the_dressed_one_is(game: Game, players: int) -> None:
    bare, dressed = game.board(players), usual_board(game, players)
    assert bare.base == dressed.base
    assert bare.fiducials == dressed.fiducials
    assert {name: (site.at, site.z) for name, site in bare.sites.items()} == {
        name: (site.at, site.z) for name, site in dressed.sites.items()
    }
    assert {site.sheet for site in bare.sites.values()} <= bare.by_name.keys()
    assert (bare.turnable, bare.pieces, bare.counts) == (dressed.turnable, dressed.pieces, dressed.counts)


def test_cards_are_laid_out_by_the_set_up() -> None:
    game = find_game("dimenticato")
    bare, dressed = game.board(2), usual_board(game, 2)
    assert [sheet.name for sheet in bare.sheets] == [sheet.name for sheet in dressed.sheets]
    assert not bare.deck, "before a set-up nobody knows what is on the cards"
    assert dressed.deck.keys() == dressed.fields.keys() == bare.fields.keys()


@pytest.mark.parametrize(("plan", "board"), PLANS)
def test_board_json_tells_what_is_on_each_card(plan: Plan, board: Board) -> None:
    record, fields = board.record(), odd_dice(plan)
    for card, names in enumerate(plan.quartets):
        told = record["deck"][f"card-{card}"]
        assert told["big"] == (card in plan.big)
        assert told["dice"] == [fields[name] for name in names]
        centre = board.by_name[f"card-{card}"].at if card not in plan.big else None
        ways = [board.sites[name].at for name in names]
        middle = (sum(x for x, _ in ways) / 4, sum(y for _, y in ways) / 4)
        assert centre is None or dist(centre, middle) < 1e-6
        assert [(x > middle[0], y > middle[1]) for x, y in ways] == [
            (False, False),
            (True, False),
            (True, True),
            (False, True),
        ], "clockwise from the north-west one"


@pytest.mark.parametrize(("plan", "board"), PLANS)
def test_a_card_carries_dice_only_and_the_mat_says_what_fields_are_called(plan: Plan, board: Board) -> None:
    for name in board.fields:
        words = [shape.text for shape in board.by_name[name].art if isinstance(shape, Text)]
        assert words == (["1", "2", "3", "4"] if int(name.removeprefix("card-")) in plan.big else [])
    words = [shape.text for shape in board.base.art if isinstance(shape, Text)]
    for column in range(2 * plan.width):
        assert words.count("abcdefghijklmnopqrstuvwxyz"[column]) == 2
    for row in range(2 * plan.height):
        assert words.count(str(row + 1)) == 2


def test_a_card_looks_alike_whichever_way_it_lies() -> None:
    """A small card turned by a quarter shows just what a card with its dice one place on would show."""
    game = find_game("dimenticato")
    setup = game.configure().deal(2, Random(7))
    names = Plan(3, 3, (1, 5)).quartets[0]
    dice = [setup["fields"][name] for name in names]
    turned_setup = setup | {"fields": setup["fields"] | dict(zip(names, dice[-1:] + dice[:-1], strict=True))}
    here, there = (game.board(2, each).by_name["card-0"] for each in (setup, turned_setup))

    def inked(sheet: Sheet, angle: float) -> set[tuple[float, float]]:
        discs = [shape for shape in sheet.art if isinstance(shape, Disc) and shape.radius < 4]
        return {(round(x, 3), round(y, 3)) for x, y in (turned(disc.at, angle) for disc in discs)}

    assert inked(here, 90.0) == inked(there, 0.0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_mat_runs_clockwise(players: int) -> None:
    """Every arrow in the margin points the way its side of the track runs."""
    board = find_game("dimenticato").board(players)
    half = board.base.size[0] / 2, board.base.size[1] / 2
    arrows = [shape.points for shape in board.base.art if isinstance(shape, Polygon) and len(shape.points) == 3]
    margin = [points for points in arrows if any(half[k] - abs(points[1][k]) < 9 for k in (0, 1))]
    assert len(margin) >= 8
    for back, tip, other in margin:
        way = (tip[0] - (back[0] + other[0]) / 2, tip[1] - (back[1] + other[1]) / 2)
        assert tip[0] * way[1] - tip[1] * way[0] > 0, "clockwise, with y pointing south"


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_tells_its_version_and_the_dictionary_of_its_fiducials(board: Board) -> None:
    record = board.record()
    assert record["version"] == 1
    assert record["fiducials"]["dictionary"] == "DICT_4X4_50"
    higher = replace(board.base, art=(*board.base.art, Fiducial((0.0, 0.0), 50, 20.0)))
    assert replace(board, sheets=(higher,)).record()["fiducials"]["dictionary"] == "DICT_4X4_250"


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_part_of_a_board_has_a_name_that_the_game_knows(game: Game, players: int) -> None:
    board = usual_board(game, players)
    called = {name.split("-")[0] for name in (*board.by_name, *board.pieces)}
    assert called == {"base", *game.parts}
