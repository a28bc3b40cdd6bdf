"""Random tables over the whole promised range, read back from their pictures."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from assorted import Drawn, draw_scene

from engine.face import BARE, EMPTY, Face
from hardware.virtual.painting.render import Rendered
from hardware.virtual.scene import Scene
from vision.find.lens import Lens
from vision.frame import Frame
from vision.look import Eye, Look
from vision.overlay import annotate

MEMENTO = (2001, 2003, 2005, 2007, 2009, 2011, 2013, 2015, 2017, 2019)
RINGS = (2001, 2003, 2005, 2007)
Render = Callable[[Scene], Rendered]


def wanted(drawn: Drawn, site: str) -> Face:
    if site not in drawn.faces:
        return EMPTY
    colour, height = drawn.faces[site]
    board = drawn.scene.board
    return board.faces.of(colour or BARE, height if "stone" in board.pieces else 0)


def mistakes(look: Look, drawn: Drawn, rendered: Rendered) -> list[tuple[str, Face, Face, float]]:
    """Sites in sight that were read wrong, with how sure that was."""
    return [
        (site, wanted(drawn, site), guess.best, guess.p)
        for site, guess in look.reading.guesses().items()
        if (truth := rendered.sites[site]).covered < 0.1 and truth.seen > 0.5 and guess.best != wanted(drawn, site)
    ]


def colour_of(face: str) -> str:
    return face.rstrip("0123456789") if face else "nothing"


def test_what_is_drawn_has_all_that_is_asked_about(eye: Eye) -> None:
    drawn = [draw_scene(eye.board, seed) for seed in MEMENTO]
    assert all(len(each.faces) >= 2 for each in drawn)
    assert {bool(each.scene.arms) for each in drawn} == {True, False}
    assert len([each for each in drawn if each.scene.pose.tilt > 15]) >= 5


@pytest.mark.parametrize("seed", MEMENTO)
def test_stacks(seed: int, eye: Eye, render: Render) -> None:
    drawn = draw_scene(eye.board, seed)
    rendered = render(drawn.scene)
    look = eye.look(Frame(rendered.bgr))
    wrong = mistakes(look, drawn, rendered)
    assert not [each for each in wrong if each[3] >= 0.99], "sure and wrong"
    assert not [each for each in wrong if colour_of(each[1]) != colour_of(each[2])], "a wrong colour"
    if drawn.scene.pose.tilt > 15:
        assert len(wrong) <= 1, "heights"
    if not drawn.scene.arms:
        assert not look.reading.hidden
        assert {name: look.reading.turn(name)[0] for name in drawn.turns} == drawn.turns


@pytest.mark.parametrize("seed", RINGS)
def test_pawns(seed: int, rings_eye: Eye, render: Render) -> None:
    drawn = draw_scene(rings_eye.board, seed, hand=False)
    assert drawn.faces
    rendered = render(drawn.scene)
    look = rings_eye.look(Frame(rendered.bgr))
    assert not mistakes(look, drawn, rendered)
    assert not look.reading.hidden
    assert {name: look.reading.turn(name)[0] for name in drawn.turns} == drawn.turns


def test_what_a_hand_covers_is_hidden_and_the_rest_is_read(eye: Eye, render: Render) -> None:
    found = covered = 0
    for seed in (2102, 2104, 2106):
        drawn = draw_scene(eye.board, seed, hand=True)
        rendered = render(drawn.scene)
        look = eye.look(Frame(rendered.bgr))
        covered += len(rendered.hidden)
        found += len(look.reading.hidden & set(rendered.hidden))
        for site in look.reading.hidden:
            assert rendered.sites[site].covered > 0.15 or rendered.sites[site].seen < 0.5
        for site in set(rendered.hidden) - look.reading.hidden:
            guess = look.reading.guesses()[site]
            assert guess.best == wanted(drawn, site) or guess.p < 0.9
    assert covered > 3
    assert found >= 0.6 * covered


def test_a_given_lens_is_used(eye: Eye, board_lens: Lens, render: Render) -> None:
    drawn = draw_scene(eye.board, 2003)
    rendered = render(drawn.scene)
    told = Eye.__new__(Eye)
    told.__dict__.update(eye.__dict__, lens=board_lens)
    look = told.look(Frame(rendered.bgr))
    assert look.pose.lens.fx == board_lens.fx
    assert look.pose.focal_doubt == 0
    assert look.pose.tilt == pytest.approx(drawn.scene.pose.tilt, abs=0.5)
    assert look.pose.distance == pytest.approx(drawn.scene.pose.distance, rel=0.01)


@pytest.fixture
def board_lens(eye: Eye) -> Lens:
    pose = draw_scene(eye.board, 2003).scene.camera
    matrix = pose.matrix
    k1 = draw_scene(eye.board, 2003).scene.pose.k1
    return Lens(pose.size, matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2], k1)


def test_on_the_picture_of_a_reading_each_ring_is_told_beside_the_others(
    rings_eye: Eye, render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = render(draw_scene(rings_eye.board, RINGS[0], hand=False).scene).bgr
    look = rings_eye.look(Frame(picture))
    lines: list[tuple[str, float]] = []
    monkeypatch.setattr("vision.overlay.label", lambda _, at, text, *more, **others: lines.append((text, at[1])))
    annotate(picture, rings_eye.board, look)
    told = [(text, height) for text, height in lines if text[:2] in ("a:", "b:", "c:")]
    assert len(told) == 3
    heights = sorted(height for _, height in told)
    assert min(after - before for before, after in pairwise(heights)) > 12
