"""The virtual table behaves: deterministic pictures, true sequences, mishaps on demand, refusals in one line."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from engine.board import Board
from engine.core import Position
from engine.face import EMPTY, Face, spelled
from engine.match import Match
from engine.registry import all_games, find_game
from hardware.virtual.acting.chance import SMOOTH, Rates, random_deeds
from hardware.virtual.acting.deeds import (
    Drop,
    Hover,
    Interrupted,
    Lamp,
    Leave,
    Mistake,
    Nudge,
    Pause,
    Play,
    Quick,
    Shove,
    Undo,
)
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.acting.script import BANK, Carry, Layout, TurnSheet, apply, plan
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.errors import PoseError, SceneError, ScriptError, VirtualTableError
from hardware.virtual.gallery import scenes
from hardware.virtual.painting.render import Renderer
from hardware.virtual.sample import random_scene
from hardware.virtual.scene import CLEAN, Arm, Cup, Light, Lying, Scene, Stack, TableTop, faces_of, on_site

GAMES = ("memento-tuos", "rings")
MEMENTO = find_game("memento-tuos").faces
POSE = Pose(700, 20, 190, hfov=68, size=(640, 360))


def board_of(game: str) -> Board:
    make = find_game(game).board
    assert make is not None
    return make(2, {})


@pytest.fixture(scope="module")
def memento() -> Board:
    return board_of("memento-tuos")


def begin(game: str = "memento-tuos", *texts: str) -> Match:
    return Match.replay(find_game(game).configure(), 2, {}, texts)


def player_for(match: Match, **changes: object) -> TablePlayer:
    scene = replace(Scene(board_of(match.rules.game.name)), pose=POSE, **changes)
    return TablePlayer(match, scene, seed=5)


def events(player: TablePlayer, *deeds: object) -> list[dict[str, object]]:
    return [dict(event) for shot in player.scenes(deeds) for event in shot.truth.events]


# Pictures


def test_the_same_scene_gives_the_same_bytes() -> None:
    for game in GAMES:
        board = board_of(game)
        scene = replace(random_scene(board, {}, 8, hand=True), frame=3)
        one, other = Renderer(board).render(scene), Renderer(board).render(scene)
        assert one.bgr.tobytes() == other.bgr.tobytes()
        assert one.sites == other.sites
        again = Renderer(board).render(replace(scene, frame=4))
        assert again.bgr.tobytes() != one.bgr.tobytes(), "each frame has its own noise"


def test_a_kept_picture_equals_a_fresh_one(memento: Board) -> None:
    """However the renderer came to a scene, by small changes or at once, it shows the same."""
    match = begin()
    player = TablePlayer(match, replace(Scene(memento, sensor=CLEAN), pose=POSE), seed=2)
    deeds = [Play("+T1"), Play("+L1,R4"), Play("T>"), Leave(Cup((80.0, 40.0), 3.0)), Pause(0.5)]
    kept = Renderer(memento)
    for number, shot in enumerate(islice(player.scenes(deeds), 0, None, 4)):
        picture = kept.render(shot.scene)
        if number % 7 == 0:
            fresh = Renderer(memento).render(shot.scene)
            assert np.abs(picture.bgr.astype(int) - fresh.bgr.astype(int)).max() <= 1
            assert picture.sites == fresh.sites


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_every_board_with_a_dealt_position_makes_a_picture(game: str) -> None:
    rules, dice = find_game(game).configure(), Random(3)
    setup = rules.deal(2, dice)
    position, make = rules.start(2, setup), find_game(game).board
    assert make is not None
    board = make(2, setup)
    for _ in range(8):
        position = position.after(dice.choice(position.legal()))
    empty, full = (replace(Scene.showing(board, faces), sensor=CLEAN) for faces in ({}, position.faces()))
    renderer = Renderer(board)
    before, after = renderer.render(empty).bgr, renderer.render(full).bgr
    assert after.shape == (720, 1280, 3)
    assert after.dtype == np.uint8
    for site in position.faces():
        u, v = np.rint(full.camera.project((*board.sites[site].at, 3.0))).astype(int)
        part = (slice(v - 8, v + 9), slice(u - 8, u + 9))
        assert np.abs(after[part].astype(int) - before[part]).max() > 20, site


def test_light_and_sensor_do_what_they_say(memento: Board) -> None:
    renderer = Renderer(memento)
    base = replace(Scene(memento), pose=POSE, sensor=CLEAN, light=Light(kelvin=4000, balanced_for=4000))

    def means(scene: Scene) -> np.ndarray:
        return renderer.render(scene).bgr.reshape(-1, 3).mean(axis=0)

    plain = means(base)
    warm = means(replace(base, light=replace(base.light, kelvin=2700, room_kelvin=2700)))
    assert warm[2] - warm[0] > plain[2] - plain[0] + 10
    assert means(replace(base, light=replace(base.light, exposure=0.45))).sum() < 0.85 * plain.sum()
    assert means(replace(base, light=replace(base.light, gains=(1.3, 1.0, 1.0))))[0] > plain[0] + 5
    sharp = renderer.render(base).bgr.astype(int)
    soft = renderer.render(replace(base, sensor=replace(CLEAN, defocus=2.0))).bgr.astype(int)
    slid = renderer.render(replace(base, sensor=replace(CLEAN, motion=(6.0, 0.0)))).bgr.astype(int)
    rough = np.abs(np.diff(sharp, axis=1)).mean()
    assert np.abs(np.diff(soft, axis=1)).mean() < 0.7 * rough
    across, along = (np.abs(np.diff(slid, axis=k)).mean() / np.abs(np.diff(sharp, axis=k)).mean() for k in (0, 1))
    assert along < 0.9 * across
    noisy = renderer.render(replace(base, sensor=replace(CLEAN, noise=0.03))).bgr.astype(int)
    assert 2 < (noisy - sharp).std() < 12


def test_a_pushed_board_moves_in_the_picture_and_the_table_does_not(memento: Board) -> None:
    base = replace(Scene(memento, table=TableTop("wood")), pose=POSE, sensor=CLEAN)
    one, other = Camera.at(base.pose), Camera.at(base.pose, (10.0, 0.0, 0.0))
    assert np.linalg.norm(other.project((0, 0, 0)) - one.project((10, 0, 0))) < 1e-6
    before = Renderer(memento).render(base).bgr.astype(int)
    after = Renderer(memento).render(replace(base, board_at=(10.0, 0.0, 0.0))).bgr.astype(int)
    assert np.abs(after[:20, :60] - before[:20, :60]).mean() < 2, "a corner of the table alone"
    assert np.abs(after - before).mean() > 2


# Steps


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("land_first", [False, True])
def test_steps_lead_to_the_faces_of_every_action(game: str, land_first: bool) -> None:
    board, dice = board_of(game), Random(4)
    for _ in range(4):
        position: Position = find_game(game).configure().start(2, {})
        for _ in range(50):
            if not position.legal():
                break
            action = dice.choice(position.legal())
            after = position.after(action)
            steps = plan(board, position.faces(), after.faces(), action.turns, land_first)
            assert apply(Layout.showing(board, position.faces()), steps).faces() == after.faces(), str(action)
            assert bool(action.turns) == any(isinstance(step, TurnSheet) for step in steps)
            position = after


def test_any_faces_can_be_reached(memento: Board) -> None:
    dice = Random(1)
    two_in_one = memento.faces.piled(("stone", "marker-red", "stone", "marker-blue"))
    choices = [*memento.faces.values(), two_in_one]
    for _ in range(60):
        one, other = ({site: dice.choice(choices) for site in dice.sample(list(memento.sites), 6)} for _ in range(2))
        assert apply(Layout.showing(memento, one), plan(memento, one, other)).faces() == other


def test_a_capture_above_three_is_taken_down_stone_by_stone(memento: Board) -> None:
    steps = plan(memento, memento.faces.read({"T1": "red3", "T5": "blue2"}), memento.faces.read({"T5": "red2"}))
    assert steps == [
        Carry("T5", BANK, 1),
        Carry("T1", "T5", 4),
        Carry("T5", "@aside-0", 1),
        *[Carry("T5", BANK, 1)] * 3,
        Carry("@aside-0", "T5", 1),
    ]
    landed = apply(Layout.showing(memento, memento.faces.read({"T1": "red1", "T5": "blue1"})), [Carry("T1", "T5", 2)])
    assert spelled(landed.faces()) == {"T5": "stone+marker-blue+stone+marker-red"}, (
        "two markers in one stack, for a moment"
    )


# Sequences


@pytest.mark.parametrize("game", GAMES)
def test_a_match_played_by_hand_ends_as_the_rules_say(game: str) -> None:
    match = begin(game)
    player, board = player_for(match), board_of(game)
    deeds = list(random_deeds(match, Scene(board), 25, 3))
    told, last, gone_at = [], None, 0.0
    for shot in player.scenes(deeds):
        if shot.truth.hand:
            gone_at = shot.t
        for event in shot.truth.events:
            assert not shot.truth.hand or event["event"] != "action" or shot.t - gone_at < 0.01
            told.append(event)
        if not shot.scene.arms and not any(lying.turn % 1 > 0 for lying in shot.scene.sheets.values()):
            assert faces_of(board, shot.scene.stacks) == shot.truth.faces
        last = shot
    assert last is not None
    assert last.truth.faces == player.match.position.faces()
    assert [event["action"] for event in told if event["event"] == "action"] == [deed.action for deed in deeds]  # type: ignore[union-attr]
    assert [event["ply"] for event in told if event["event"] == "action"] == list(range(len(deeds)))


def test_hands_come_carry_and_go(memento: Board) -> None:
    """Between rest and rest there is a hand; a held piece is in the air and on no site."""
    match = begin("memento-tuos", "+T1", "+L1,L2")
    player = player_for(match)
    shots = list(player.scenes([Play("+R1,R4")]))
    hands = [bool(shot.scene.arms) for shot in shots]
    assert not hands[0]
    assert not hands[-1]
    seconds = sum(hands) / 10
    assert 1.5 <= seconds <= 6
    held = [stack for shot in shots for stack in shot.scene.stacks if stack.site is None and stack.z > 20]
    assert held
    assert {shot.truth.faces.get("R1", EMPTY).name for shot in shots} == {"", "red1"}
    starts = [np.array(shot.scene.arms[0].grip) for shot in shots if shot.scene.arms]
    steps = np.linalg.norm(np.diff(starts, axis=0), axis=1)
    assert steps.max() < 200, "no hand jumps"


def test_no_hand_holds_a_stack_down_into_the_table() -> None:
    match = begin("memento-tuos", "+T1")
    shots = list(
        player_for(match).scenes([Mistake(MEMENTO.read({"T1": "red1", "T7": "blue3"}), rules=("enter.height",))])
    )
    assert any(len(stack.pieces) == 4 for shot in shots for stack in shot.scene.stacks if stack.site is None)
    assert min(stack.z for shot in shots for stack in shot.scene.stacks) >= 0


def test_what_is_told_comes_when_the_hand_has_left_the_picture() -> None:
    """A referee can know no sooner, and needs to wait no longer."""
    player = player_for(begin("memento-tuos", "+T1", "+L1,L2"))
    shots = list(player.scenes([Play("+R1,R4")]))
    due = next(number for number, shot in enumerate(shots) if shot.truth.events)
    renderer = Renderer(shots[0].scene.board)
    last = next(
        number
        for number, shot in reversed(list(enumerate(shots)))
        if shot.scene.arms and renderer.render(shot.scene).covered.any()
    )
    assert 0 < due - last <= 3


def test_a_turned_tile_takes_its_pieces_along(memento: Board) -> None:
    match = begin("memento-tuos", "+T1", "+L1,L2")
    player = player_for(match)
    angles, radii = set(), set()
    for shot in player.scenes([Play("T>")]):
        lying = shot.scene.sheets.get("tile-T", Lying())
        angles.add(round(lying.turn, 3))
        x, y = next(stack.at for stack in shot.scene.stacks if stack.pieces == ("stone", "marker-red"))
        pivot = memento.by_name["tile-T"].centre
        radii.add(round(float(np.hypot(x - pivot[0], y - pivot[1])), 3))
    assert len(angles) > 5
    assert min(angles) == 0
    assert max(angles) == 1
    assert max(radii) - min(radii) < 0.01
    assert player.match.position.faces()["T2"].name == "red1"


def test_what_goes_wrong_is_told() -> None:
    texts = ("+T1", "+L1,L2", "+R1,R4")
    match = begin("memento-tuos", *texts)
    before = dict(match.position.faces())
    wrong = Mistake(before | {"I7": match.rules.game.faces["blue1"]}, rules=("enter.inner",))
    told = events(player_for(match), wrong)
    assert [event["event"] for event in told] == ["illegal", "restored"]
    assert told[0]["rules"] == ["enter.inner"]
    told = events(player_for(match), Undo(1), Play("+L4,L5"))
    assert [event["event"] for event in told] == ["undo", "action"]
    assert told[0]["to_ply"] == 1
    assert told[1]["ply"] == 1
    told = events(player_for(match), Quick(("+T2,T3", "+R2,R3")))
    assert [event["event"] for event in told] == ["action", "action"]
    assert told[0]["t"] == told[1]["t"]
    told = events(player_for(match), Interrupted("+T2,T3"))
    assert [event["event"] for event in told] == ["unfinished", "action"]
    told = events(player_for(match), Interrupted("T>"))
    assert [event["event"] for event in told] == ["action"], "an action of one step cannot be half done"
    assert not events(player_for(match), Hover(1.0), Shove("T1", (3.0, 2.0), (1.0, 0.0)), Pause(1.0))


def test_illegal_is_told_only_after_it_stood_for_a_while() -> None:
    player = player_for(begin("memento-tuos", "+T1"))
    gone = told = None
    for shot in player.scenes(
        [Mistake(MEMENTO.read({"T1": "red1", "T7": "blue1"}), rules=("enter.middle",), restore=False)]
    ):
        if shot.truth.hand:
            gone = shot.t
        if shot.truth.events:
            told = shot.t
    assert gone is not None
    assert told is not None
    assert 1.5 <= told - gone < 1.8


def test_mishaps_show_in_the_scene() -> None:
    player = player_for(begin("memento-tuos", "+T1"))
    light = Light(kelvin=6500)
    cup = Cup((50.0, 0.0), 3.0)
    nudge = Nudge(board_at=(6.0, -3.0, 2.0), pose=replace(POSE, roll=3))
    *_, last = player.scenes([nudge, Lamp(light), Leave(cup), Shove("T1", (4.0, 0.0))])
    assert last.scene.board_at == (6.0, -3.0, 2.0)
    assert last.scene.pose.roll == 3
    assert last.scene.light == light
    assert last.scene.things == (cup,)
    site = player.match.rules.game.board(2, {}).sites["T1"]  # type: ignore[misc]
    assert last.scene.stacks[0].at == (site.at[0] + 4, site.at[1])


def test_frames_are_dropped_and_time_goes_on() -> None:
    player = player_for(begin())
    shots = list(player.frames([Pause(0.3), Drop(2), Pause(0.3)]))
    assert [shot.bgr is None for shot in shots].count(True) == 2
    assert [shot.t for shot in shots] == pytest.approx([k / 10 for k in range(len(shots))])
    assert shots[0].bgr is not None
    assert shots[0].bgr.shape == (360, 640, 3)


def test_the_same_seed_plays_the_same_frames() -> None:
    def film() -> list[bytes]:
        match = begin("rings")
        scene = replace(Scene(board_of("rings")), pose=POSE)
        player = TablePlayer(match, scene, Style(fps=5.0, pause=0.2), seed=9)
        deeds = random_deeds(match, scene, 1, 9)
        return [b"" if shot.bgr is None else shot.bgr.tobytes() for shot in player.frames(deeds)]

    assert film() == film()


@pytest.mark.parametrize("game", GAMES)
def test_troubled_matches_stay_true(game: str) -> None:
    rates = Rates(mistake=0.3, undo=0.1, quick=0.1, interrupted=0.2, nudge=0.2, lamp=0.1, thing=0.1, askew=0.2)
    troubles = set[type]()
    for seed in range(3):
        match = begin(game)
        scene = replace(Scene(board_of(game)), pose=POSE)
        # What is true in the end does not depend on how often it is looked at.
        player = TablePlayer(match, scene, Style(fps=2.0), seed=5)
        deeds = list(random_deeds(match, scene, 20, seed, rates))
        troubles.update(map(type, deeds))
        *_, last = player.scenes(deeds)
        assert last.truth.faces == player.match.position.faces()
    assert troubles >= {Mistake, Undo, Interrupted, Nudge}
    assert Rates(**dict.fromkeys(Rates.__dataclass_fields__, 0)) == SMOOTH


# Refusals


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda board: Scene.showing(board, {"X9": board.faces["red1"]}), SceneError, "no site 'X9'"),
        (lambda board: Scene.showing(board, {"T1": Face("red9", "red", 9)}), SceneError, "shows 'red9'"),
        (lambda board: Scene(board, (Stack(("brick",), (0, 0)),)), SceneError, "no piece 'brick'"),
        (lambda board: Scene(board, (Stack((), (0, 0)),)), SceneError, "nothing"),
        (lambda board: Scene(board, (Stack(("stone",) * 60, (0, 0)),)), SceneError, "fall over"),
        (lambda board: Scene(board, (Stack(("stone",), (float("nan"), 0)),)), SceneError, "cannot stand"),
        (lambda board: Scene(board, sheets={"tile-Z": Lying(1)}), SceneError, "no sheet 'tile-Z'"),
        (lambda board: Scene(board, light=Light(lamp=(0, 0, 10))), SceneError, "lamp"),
        (lambda board: Scene(board, table=TableTop("marble")), SceneError, "marble"),
        (lambda board: Scene(board, pose=Pose(distance=5)).camera, PoseError, "distance"),
        (lambda board: Scene(board, pose=Pose(tilt=95)).camera, PoseError, "tilt"),
        (lambda board: Scene(board, pose=Pose(aim=(5000, 0))).camera, PoseError, "does not see"),
        (lambda board: Scene(board, pose=Pose(size=(10, 10))).camera, PoseError, "pixels"),
        (lambda board: Scene(board, pose=Pose(hfov=float("nan"))).camera, PoseError, "finite"),
        (lambda board: Renderer(board).render(Scene(board, pose=Pose(aim=(900, 0)))), PoseError, "does not see"),
        (lambda board: Renderer(board).render(Scene(board_of("rings"))), SceneError, "rings"),
        (lambda board: on_site(board, "nowhere", ("stone",)), SceneError, "nowhere"),
        (lambda board: apply(Layout(board), [Carry("T1", "T2", 1)]), ScriptError, "T1"),
        (lambda board: apply(Layout(board), [TurnSheet("tile-Q", 1)]), ScriptError, "tile-Q"),
        (lambda board: list(player_for(begin()).scenes([Undo(4)])), ScriptError, "ply 4"),
        (lambda board: list(player_for(begin()).scenes([Shove("T1", (1, 1))])), ScriptError, "T1"),
    ],
)
def test_refusals_are_named_and_one_line(memento: Board, make: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as raised:
        make(memento)  # type: ignore[operator]
    assert isinstance(raised.value, VirtualTableError)
    assert isinstance(raised.value, ValueError)
    assert "\n" not in str(raised.value)


def test_gallery_scenes_see_the_board() -> None:
    shown = scenes()
    assert len(shown) == 4
    for scene in shown.values():
        scene.camera.check_sees(scene.board)
    assert any(scene.arms for scene in shown.values())
    assert Arm((0, 0, 20)).grasp == 1


def test_a_line_is_made_before_a_pawn_is_taken_for_it() -> None:
    board = find_game("rings").board(2, {})
    before = board.faces.read({"a6": "red", "b3": "red", "a1": "yellow"})
    steps = plan(board, before, board.faces.read({"a1": "yellow", "a8": "yellow"}))
    assert [(step.source, step.target) for step in steps if isinstance(step, Carry)] == [
        (BANK, "a8"),
        ("a6", BANK),
        ("b3", BANK),
    ]
