"""Faces: values that are one object if they are made alike, and that tell which of them are easily mistaken."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from engine.core import COLOURS, Game
from engine.face import BARE, EMPTY, Face, FaceSet, spelled
from engine.registry import all_games, find_game

MEMENTO = find_game("memento-tuos").faces
GAMES = [pytest.param(game, id=game.name) for game in all_games()]


def test_faces_made_alike_are_one_here_and_in_other_processes() -> None:
    one = Face("red2", "red", 2, ("stone", "stone", "marker-red"))
    assert one is Face("red2", "red", level=2, pieces=("stone", "stone", "marker-red")) is MEMENTO["red2"]
    assert pickle.loads(pickle.dumps(one)) is one
    assert one != Face("red2", "red", 2)
    with pytest.raises(FrozenInstanceError):
        one.level = 3  # type: ignore[misc]


def test_a_face_is_easily_mistaken_for_one_of_its_kind_with_another_level_and_for_no_other() -> None:
    for one, other in product([EMPTY, *MEMENTO.values()], repeat=2):
        assert (one.likeness == other.likeness) == (one.kind == other.kind)
    for game in ("rings", "dimenticato", "triominos"):
        faces = [EMPTY, *find_game(game).faces.values()]
        assert len({face.likeness for face in faces}) == len(faces), "none has a level"


def test_a_game_can_say_which_faces_are_mistaken_for_each_other() -> None:
    six, nine = (Face(name, name, likeness="6 or 9") for name in ("6", "9"))
    assert six.likeness == nine.likeness


def test_a_card_is_one_thing_however_it_lies() -> None:
    cards = find_game("triominos").faces
    assert cards["134"].parts == cards["341"].parts == ("card-134",)
    assert cards["134"] != cards["341"]


@pytest.mark.parametrize("game", GAMES)
def test_every_face_is_found_by_its_name_and_by_its_pieces(game: Game) -> None:
    for name, face in game.faces.items():
        assert game.faces.read({"here": name}) == {"here": face}
        assert spelled({"here": face}) == {"here": name}
        assert not face.pieces or game.faces.piled(face.pieces) is face


def test_a_pile_that_no_game_knows_is_told_by_its_pieces() -> None:
    pile = MEMENTO.piled(("marker-red", "stone"))
    assert (pile.name, pile.pieces, pile.lawful) == ("marker-red+stone", ("marker-red", "stone"), False)


def test_a_face_in_another_colour_is_the_games_face_of_that_colour() -> None:
    colours = dict(zip(COLOURS, COLOURS[::-1], strict=True))
    assert MEMENTO.recoloured(MEMENTO["red2"], colours) is MEMENTO["blue2"]
    assert MEMENTO.recoloured(MEMENTO.of(BARE, 2), colours) is MEMENTO["2"]
    assert MEMENTO.recoloured(EMPTY, colours) is EMPTY


def test_what_no_position_shows_is_known_all_the_same() -> None:
    assert {face.name for face in MEMENTO.lawful} == {f"{colour}{stones}" for colour in COLOURS for stones in (1, 2, 3)}
    assert {"red6", "2"} <= MEMENTO.keys()
    assert FaceSet().lawful == ()
