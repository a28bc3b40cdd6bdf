"""How accurately and how fast pictures are read: random scenes of the virtual table over the whole promised range.

`MAGISTER_SCENES` sets how many scenes of each game are read (default 500). `MAGISTER_GAME` measures one game alone.
Seeds are odd: even ones are for tuning.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from time import process_time
from typing import TYPE_CHECKING

from engine.face import EMPTY
from firmware.bench import Row, setting
from firmware.bench.rigs.hit_rate import HitRate
from firmware.bench.rigs.tables import followed, seeds_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from engine.board import Board
    from engine.core import Json, Rules
    from engine.face import Face
    from engine.referee.reading import Reading
    from hardware.virtual.painting.render import Rendered, Renderer
    from hardware.virtual.scene import Scene
    from vision.look import Eye, Look

STEEP = 15.0
"""Degrees of tilt from which on height shows well."""
SURE = 0.99
SET_DOWN = {0.3: "set down with care", 0.8: "set down quickly", 1.5: "set down by a child"}
"""How far (mm, up to twice as much) stacks stand off their sites; they are crooked by up to half of it a piece."""
ASKEW = 1.2
"""Degrees by which people miss a sheet's position, about."""


MATCHES = 3
"""So many matches of each game are timed frame by frame, if `MAGISTER_TIMED` says nothing else."""
REFERENCE_EVERY = 5
"""Of so many frames one is timed with `cv2.aruco` alone."""


@dataclass
class ReadingScore:
    """Everything counted, by what it is and in which slice."""

    tallies: dict[str, HitRate] = field(default_factory=lambda: defaultdict(HitRate))
    look: list[float] = field(default_factory=list)
    fiducials: list[float] = field(default_factory=list)
    tracked: list[float] = field(default_factory=list)
    moving: list[float] = field(default_factory=list)


GOALS = {
    "sites right, colour": 0.9999,
    "sites right, height, tilt from 15 deg": 0.999,
    "sites right, height, tilt below 15 deg": 0.97,
    "sure and right": 0.995,
    "boards without a mistake": 0.995,
    "fields right, pips and colour": 0.999,
    "cards right, cell and values": 0.999,
    "set-ups from sight right, from one picture": 0.99,
}
MISPRINT = 0.97
"""What "fit to page" makes of a mat."""
IN_SIGHT = 0.7
"""How much of a field must be in sight for its die to count."""


def measure() -> list[Row]:
    import cv2

    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return [row for game in followed() for row in _rows(game, max(1, setting("MAGISTER_SCENES", 500)))]
    finally:
        cv2.setNumThreads(threads)


def _rows(game: str, scenes: int) -> list[Row]:
    score = _read_scenes(game, scenes)
    rows = []
    for what, tally in sorted(score.tallies.items()):
        low, high = tally.interval
        told = f"{game}: {what} ({tally.right}/{tally.all}, {100 * low:.2f}–{100 * high:.2f} %)"
        rows.append(Row(what=told, value=tally.share, goal=GOALS.get(what)))
    rows.append(_time_row(f"{game}: a look from scratch, ms", score.look, score.fiducials, 4.0))
    rows.append(_time_row(f"{game}: a look at a board that was seen before, ms", score.tracked, score.fiducials, 1.5))
    rows.append(_time_row(f"{game}: a look while a hand comes in, ms", score.moving, score.fiducials, 1.5))
    if not (timed := setting("MAGISTER_TIMED", MATCHES)):
        return rows
    ours, theirs = (1000 * sum(times) / len(times) for times in _match_times(game, timed))
    what = f"{game}: a frame of a match, with and without hands, mean, ms"
    rows.append(Row(what=what, value=ours, reference=theirs, of="cv2.aruco alone", goal=1.5, at_most=True))
    return rows


def _time_row(what: str, ours: list[float], reference: list[float], goal: float) -> Row:
    mine, theirs = (1000 * sorted(times)[len(times) // 2] for times in (ours, reference))
    return Row(what=what, value=mine, reference=theirs, of="cv2.aruco alone", goal=goal, at_most=True)


def _read_scenes(game: str, scenes: int) -> ReadingScore:
    from hardware.virtual.painting.render import Renderer
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    score, tables = ReadingScore(), _tables(game)
    for seed in range(1, 2 * scenes, 2):
        table = tables(seed)
        eye, renderer = table.eye, Renderer(table.board)
        scene, faces, set_down = draw_scene(table.board, seed) if table.faces is None else table.scene(seed)
        picture = renderer.render(scene)
        turns = {name: round(lying.turn) for name, lying in scene.sheets.items()}
        slices = [set_down, *_slices(scene.pose.tilt, scene.light.exposure, bool(scene.arms))]
        look = _read_one(eye, picture, faces, turns, slices, score)
        if look is not None and table.faces is not None and not scene.arms:
            _count_misprints(table, look, scene, score)
        if look is not None and table.setup is not None:
            _count_fields(look.reading, picture, faces, table.setup["fields"], score)
            _count_set_up(table, renderer, seed, score)
        if scene.arms:
            frame = Frame(renderer.render(replace(scene, arms=(), frame=1)).bgr)
            try:
                before = eye.look(frame)
            except BoardNotFoundError:
                continue
            start = process_time()
            eye.look(Frame(picture.bgr), before)
            score.moving.append(process_time() - start)
    return score


@dataclass(frozen=True)
class BenchTable:
    """A table that pictures are taken of, and the eye that looks at them."""

    rules: Rules
    players: int
    board: Board
    eye: Eye
    setup: Json | None = None
    """What lies on it, if the eye is to find that out."""
    faces: dict[str, Face] | None = None
    """What a match has come to, where cards are laid on the sites."""

    def scene(self, seed: int) -> tuple[Scene, dict[str, Face], str]:
        """The match under a random camera and lamp."""
        from hardware.virtual.sample import random_scene

        assert self.faces is not None
        return random_scene(self.board, self.faces, seed), self.faces, "cards off their cells"


def _tables(game: str) -> Callable[[int], BenchTable]:
    """For a seed the table of its scene: always the same one, unless a table is laid out with cards."""
    from random import Random

    from engine.registry import find_game
    from firmware.settings.eyes import make_eye
    from hardware.virtual.acting.strewing import laid_loosely, strewn

    known = find_game(game)
    rules = known.configure()
    eyes = {players: make_eye(known.board(players)) for players in (known.seats if known.covers else (2,))}
    usual = BenchTable(rules, 2, known.board(2), eyes[2])

    def table(seed: int) -> BenchTable:
        if known.anonymous:
            players = known.seats[seed // 2 % len(known.seats)]
            faces = _match_so_far(rules, players, seed)
            return BenchTable(rules, players, laid_loosely(usual.board, faces, seed), eyes[2], faces=faces)
        if not known.covers:
            return usual
        players = known.seats[seed // 2 % len(known.seats)]
        setup = rules.deal(players, Random(seed))
        return BenchTable(rules, players, strewn(known.board(players, setup), seed), eyes[players], setup)

    return table


MOST_PLIES = 34
CHIPLESS = 0.25
"""How often nobody plays with chips on the mat."""


def _match_so_far(rules: Rules, players: int, seed: int) -> dict[str, Face]:
    """What lies on the table somewhere in a match that is played at random, cards rather than purchases."""
    from random import Random

    dice = Random(seed)
    position, board = rules.start(players, rules.deal(players, dice)), rules.game.board(players)
    for _ in range(dice.randrange(MOST_PLIES)):
        laid = {action: position.after(action) for action in position.legal()}
        fits = [after for after in laid.values() if after.faces().keys() <= board.sites.keys()]
        more = [after for after in fits if after.faces() != position.faces()] or fits
        after = dice.choice(more)
        if after.outcome is not None:
            break
        position = after
    with_chips = dice.random() >= CHIPLESS
    return {**position.faces(), **(rules.beside(position) if with_chips else {})}


def _count_fields(
    reading: Reading, picture: Rendered, faces: dict[str, Face], dealt: Json, score: ReadingScore
) -> None:
    """Count the dice in sight."""
    dice = reading.prints()
    for name, die in dealt.items():
        if name in faces or picture.sites[name].seen < IN_SIGHT:
            continue
        seen, p = dice.get(name, (None, 0.0))
        right = seen is not None and (seen.pips, seen.colour) == (die["pips"], die["colour"])
        score.tallies["fields right, pips and colour"].add(right)
        if p >= SURE:
            score.tallies["fields sure and right"].add(right)


def _count_misprints(table: BenchTable, look: Look, scene: Scene, score: ReadingScore) -> None:
    """Whether the cards of one picture tell that the mat was printed at 97 %, and do not tell so when it was not."""
    from firmware.table.seeing.print_scale import FEW, percent_off
    from hardware.virtual.misprint import mat_printed_at
    from hardware.virtual.painting.render import Renderer
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    sizes = _card_sizes(table.eye, look)
    if len(sizes) < FEW:
        return
    score.tallies["mats printed at 100 % that are not complained about"].add(percent_off(sizes) is None)
    board = mat_printed_at(table.board, MISPRINT)
    try:
        look = table.eye.look(Frame(Renderer(board).render(replace(scene, board=board)).bgr))
    except BoardNotFoundError:
        return
    percent = percent_off(_card_sizes(table.eye, look))
    score.tallies["mats printed at 97 % noticed"].add(percent is not None and percent > 0)


def _card_sizes(eye: Eye, look: Look) -> list[float]:
    """How large the cards are that are surely in sight."""
    sure = ((site, guess.best) for site, guess in look.reading.guesses().items() if guess.p >= SURE)
    sizes = (eye.card_size(look, site, face) for site, face in sure if face.sheet and face.lawful)
    return [size for size in sizes if size is not None]


def _count_set_up(table: BenchTable, renderer: Renderer, seed: int, score: ReadingScore) -> None:
    """Whether one picture of the table tells how the match begins."""
    from hardware.virtual.sample import random_scene
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    assert table.setup is not None
    start = table.rules.start(table.players, table.setup)
    scene = random_scene(table.board, start.faces(), seed + 1, hand=False)
    try:
        look = table.eye.look(Frame(renderer.render(scene).bgr))
    except BoardNotFoundError:
        return
    told = table.rules.survey(table.players, (look.reading,), {}).setup
    score.tallies["set-ups from sight right, from one picture"].add(told == table.setup)
    if told is not None:
        score.tallies["set-ups from sight that were told and right"].add(told == table.setup)


def _match_times(game: str, matches: int) -> tuple[list[float], list[float]]:
    """Seconds that the frames of some matches take, each after the one before; and what the fiducials of some take."""
    import cv2
    import numpy as np

    from engine.board import DICTIONARY
    from firmware.bench.rigs.trial import Trial
    from firmware.settings.eyes import make_eye
    from vision.find.fiducials import find_fiducials
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    ours, theirs = [], []
    for seed in seeds_of(game, matches):
        trial, before = Trial.drawn(seed), None
        game_of, begun = trial.match.rules.game, trial.match.position
        eye = make_eye(game_of.board(begun.players, begun.setup())).without(game_of.setup_readers)
        for number, bgr in enumerate(shot.bgr for shot in trial.player.frames(trial.deeds)):
            if bgr is None:
                continue
            start, known = process_time(), before is not None
            try:
                before = eye.look(Frame(bgr), before)
            except BoardNotFoundError:
                before = None
            if known:
                ours.append(process_time() - start)
            if number % REFERENCE_EVERY == 0:
                grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
                start = process_time()
                find_fiducials(grey, DICTIONARY, eye.finder.sought)
                theirs.append(process_time() - start)
    return ours, theirs


def draw_scene(board: Board, seed: int) -> tuple[Scene, dict[str, Face], str]:
    """A scene, what stands on its sites, and how it was set down."""
    import numpy as np

    from hardware.virtual.sample import random_scene, set_askew

    random = np.random.default_rng([seed, 5])
    faces = _random_faces(board, random)
    sloppy = float(random.choice(list(SET_DOWN)))
    return set_askew(random_scene(board, faces, seed, sloppy=sloppy), ASKEW, seed), faces, SET_DOWN[sloppy]


def _random_faces(board: Board, random: np.random.Generator) -> dict[str, Face]:
    count = int(random.integers(0, 13))
    sites = random.choice(list(board.sites), count, replace=False)
    return {str(site): board.faces.lawful[int(random.integers(len(board.faces.lawful)))] for site in sites}


def _slices(tilt: float, exposure: float, hand: bool) -> list[str]:
    return [
        f"tilt {int(tilt // 10) * 10}–{int(tilt // 10) * 10 + 10} deg",
        "dim" if exposure < 0.55 else "bright",
        "with a hand" if hand else "without a hand",
    ]


def _read_one(
    eye: Eye, picture: Rendered, faces: dict[str, Face], turns: dict[str, int], slices: list[str], score: ReadingScore
) -> Look | None:
    import cv2
    import numpy as np

    from engine.board import DICTIONARY
    from vision.find.fiducials import find_fiducials
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    frame = Frame(picture.bgr)
    start = process_time()
    find_fiducials(
        np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8), DICTIONARY, eye.finder.sought
    )
    score.fiducials.append(process_time() - start)
    start = process_time()
    try:
        look = eye.look(frame)
    except BoardNotFoundError:
        for name in ("boards without a mistake", "boards found"):
            score.tallies[name].add(False)
        return None
    score.look.append(process_time() - start)
    start = process_time()
    eye.look(frame, look)
    score.tracked.append(process_time() - start)
    score.tallies["boards found"].add(True)
    _count_hidden(look.reading, picture, score)
    right, honest = _count_sites(look.reading, picture, faces, slices[0], score)
    cards_right, cards_honest = _count_cards(look.reading, picture, faces, score)
    right, honest = right and cards_right, honest and cards_honest
    for name, turn in turns.items():
        lies = look.reading.turn(name)[0] == turn
        score.tallies["turnable sheets right"].add(lies)
        right, honest = right and lies, honest and lies
    score.tallies["boards without a mistake that is not called unsure"].add(honest)
    for name in ("boards without a mistake", *(f"boards without a mistake, {part}" for part in slices)):
        score.tallies[name].add(right)
    return look


def _count_sites(
    reading: Reading, picture: Rendered, faces: dict[str, Face], set_down: str, score: ReadingScore
) -> tuple[bool, bool]:
    """Count every site that can be seen; whether all are right, and whether all mistakes are called unsure."""
    from vision.drawing import SURE as UNSURE

    steep = "from" if eye_tilt(picture) >= STEEP else "below"
    right = honest = True
    for site, guess in reading.guesses().items():
        want = faces.get(site, EMPTY)
        if want.sheet:
            continue
        if picture.sites[site].covered > 0.5:
            continue
        colour = guess.best.kind == want.kind
        score.tallies["sites right, colour"].add(colour)
        if want.level and colour:
            for part in ("", f", {set_down}"):
                score.tallies[f"sites right, height, tilt {steep} 15 deg{part}"].add(guess.best == want)
        if guess.p >= SURE:
            score.tallies["sure and right"].add(guess.best == want)
        right &= guess.best == want
        honest &= guess.best == want or guess.p < UNSURE
    return right, honest


def _count_cards(reading: Reading, picture: Rendered, faces: dict[str, Face], score: ReadingScore) -> tuple[bool, bool]:
    """Count every card that is in sight for the most part; whether all are right, and whether all mistakes are called
    unsure or hidden."""
    from vision.drawing import SURE as UNSURE

    guesses, right, honest = reading.guesses(), True, True
    for site, want in faces.items():
        if not want.sheet:
            continue
        guess = guesses.get(site)
        met = guess is not None and guess.best == want and site not in reading.hidden
        wrong = guess is not None and guess.best != want and guess.p >= UNSURE and site not in reading.hidden
        if 1 - picture.sites[site].covered < IN_SIGHT:
            continue
        score.tallies["cards right, cell and values"].add(met)
        score.tallies["cards not silently wrong"].add(not wrong)
        if not picture.covered.any():
            score.tallies["cards right, cell and values, without a hand"].add(met)
        right, honest = right and met, honest and not wrong
    return right, honest


def _count_hidden(reading: Reading, picture: Rendered, score: ReadingScore) -> None:
    """Count the sites that something covers, and those that are only said to be covered."""
    for site, truth in picture.sites.items():
        if truth.covered > 0.5:
            score.tallies["hidden sites found"].add(site in reading.hidden)
        elif site in reading.hidden:
            score.tallies["sites called hidden that are (more than a quarter)"].add(truth.covered > 0.25)


def eye_tilt(picture: Rendered) -> float:
    """The camera's true tilt, degrees."""
    from math import acos, degrees

    position = picture.camera.position
    return degrees(acos(position[2] / float((position**2).sum() ** 0.5)))
