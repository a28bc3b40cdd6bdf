"""The network that looks again: at what seems to be hidden, and at what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from pictured import showing

from engine.board import Board
from engine.face import BARE, EMPTY, Face
from engine.referee.reading import Likelihoods, guess, posterior
from firmware.training.gather import random_faces
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene
from hardware.virtual.strangers import strange_pieces, strange_print, strange_scene
from vision.flatten.colour import linear
from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Frame
from vision.look import Eye
from vision.readers.reader import Findings
from vision.readers.stacks.reader import StackReader
from vision.readers.stacks.second_opinion import Advisor
from vision.readers.stacks.site_network import KINDS, LEVELS, SiteNetwork, SiteOdds

HEIGHTS = np.array([31.0, 59.0, 87.0])


@pytest.fixture
def view(board: Board, eye: Eye, photograph: Callable[[Scene], Frame]) -> FlatView:
    scene = replace(showing(board, {"T7": "red1", "L7": "blue2"}, seed=4), pose=Pose(distance=620, tilt=30, hfov=68))
    return eye.view(eye.look(photograph(scene)))


class Network:
    """Says what it is told to of some sites, and of all others that they are free; counts what it is asked."""

    def __init__(self, board: Board, **told: tuple[str, int, float]) -> None:
        self.board, self.told, self.asked = board, told, 0

    def tell(self, view: FlatView, sites: Floats) -> SiteOdds:
        self.asked += len(sites)
        kinds, covered = np.zeros((len(sites), len(KINDS))), np.zeros(len(sites))
        levels = np.tile(np.eye(LEVELS)[0], (len(sites), 1))
        for row, at in enumerate(sites):
            number = int(np.linalg.norm(view.sites - at, axis=1).argmin())
            kind, level, share = self.told.get(list(self.board.sites)[number], ("", 1, 0.0))
            kinds[row, KINDS.index(kind)], covered[row] = 1 - share, share
            levels[row] = 0.99 * np.eye(LEVELS)[level - 1] + 0.01 / LEVELS
        return SiteOdds(kinds, covered, levels)


def advised(
    board: Board,
    view: FlatView,
    found: Findings,
    told: Mapping[str, tuple[str, int, float]],
    behind: frozenset[int] = frozenset(),
    rough: bool = False,
) -> tuple[Findings, int]:
    network = Network(board, **told)
    stacks = [[board.faces.of(kind, level) for level in range(1, LEVELS + 1)] for kind in KINDS[1:]]
    findings = Advisor(tuple(board.sites), stacks, network.tell).reconsider(found, view, behind, rough)
    return findings, network.asked


def shows(board: Board, face: Face, p: float = 0.999, other: Face = EMPTY) -> Likelihoods:
    """So sure to be this, else to be that."""
    rest = 1e-6
    shares = dict.fromkeys((EMPTY, *board.faces.lawful), rest) | {other: 1 - p, face: p}
    return {each: float(np.log(share)) for each, share in shares.items()}


def all_free(board: Board, **others: Likelihoods) -> dict[str, Likelihoods]:
    free = shows(board, EMPTY, other=board.faces["red1"])
    return {site: others.get(site, free) for site in board.sites}


def test_a_site_that_nothing_covers_is_read(board: Board, view: FlatView) -> None:
    sites = all_free(board)
    del sites["L4"]
    findings, asked = advised(board, view, Findings(sites, frozenset({"L4"})), {"L4": ("yellow", 2, 0.0)})
    assert not findings.hidden
    assert guess(findings.sites["L4"]).best.name == "yellow2"
    assert asked == 1, "what is sure is not asked about"


def test_a_site_under_a_hand_stays_hidden(board: Board, view: FlatView) -> None:
    sites = all_free(board)
    del sites["L4"]
    findings, _ = advised(board, view, Findings(sites, frozenset({"L4"})), {"L4": ("", 1, 0.9)})
    assert findings.hidden == {"L4"}
    assert findings.sites.keys() == sites.keys()


def test_what_a_hand_holds_beside_a_covered_site_stands_nowhere(board: Board, view: FlatView) -> None:
    sites = all_free(board, L5=shows(board, board.faces["red2"]), I1=shows(board, board.faces["red2"]))
    del sites["L4"]
    told = {"L4": ("", 1, 0.9), "L5": ("red", 2, 0.8), "I1": ("red", 2, 0.8)}
    findings, _ = advised(board, view, Findings(sites, frozenset({"L4"})), told)
    assert findings.hidden == {"L4", "L5"}, "I1 is too far away for the same hand"


def test_beside_a_covered_site_only_what_is_clear_is_read(board: Board, view: FlatView) -> None:
    sites = all_free(board)
    del sites["L4"], sites["L5"]
    for share, hidden in ((0.0, {"L4"}), (0.01, {"L4", "L5"}), (0.1, {"L4", "L5"})):
        told = {"L4": ("", 1, 0.9), "L5": ("green", 1, share)}
        assert advised(board, view, Findings(sites, frozenset({"L4", "L5"})), told)[0].hidden == hidden


def test_what_is_in_doubt_gets_surer_or_turns_over(board: Board, view: FlatView) -> None:
    doubt = shows(board, board.faces["green1"], 0.6, board.faces["yellow1"])
    for kind, least in (("green", 0.99), ("yellow", 0.9)):
        findings, asked = advised(board, view, Findings(all_free(board, R3=doubt)), {"R3": (kind, 1, 0.0)})
        shares = posterior(findings.sites["R3"])
        assert asked == 1
        assert sum(share for face, share in shares.items() if face.kind == kind) > least


def test_its_word_on_heights_is_only_half_believed(board: Board, view: FlatView) -> None:
    """It says three stones and is sure of it; the others' word for two is worth more than a tenth of that."""
    doubt = shows(board, board.faces["red2"], 0.9, board.faces["red3"])
    findings, _ = advised(board, view, Findings(all_free(board, R3=doubt)), {"R3": ("red", 3, 0.0)})
    assert 0.1 < posterior(findings.sites["R3"])[board.faces["red2"]] < 0.9


@pytest.mark.parametrize(("burnt", "least", "most"), [(False, 0.85, 0.9), (True, 0.5, 0.6)])
def test_of_a_burnt_marker_its_word_on_the_colour_is_only_half_believed(
    burnt: bool, least: float, most: float, board: Board, view: FlatView
) -> None:
    site = list(board.sites).index("R3")

    def torn(view: FlatView, sites: Floats) -> SiteOdds:
        return SiteOdds(np.array([[0.0, 0.0, 0.04, 0.04, 0.88, 0.04]]), np.zeros(1), np.eye(LEVELS)[:1])

    any_colour = shows(board, EMPTY, 1e-6) | {board.faces[f"{colour}1"]: np.log(0.25) for colour in KINDS[2:]}
    stacks = [[board.faces.of(kind, level) for level in range(1, LEVELS + 1)] for kind in KINDS[1:]]
    found, marked = Findings(all_free(board, R3=any_colour)), frozenset([site] if burnt else [])
    findings = Advisor(tuple(board.sites), stacks, torn).reconsider(found, view, frozenset(), False, marked)
    assert least < posterior(findings.sites["R3"])[board.faces["green1"]] < most


def test_of_other_dyes_it_tells_no_colours(board: Board, view: FlatView) -> None:
    """It was never shown them: whether there is a marker it knows, but not which."""
    doubt = shows(board, board.faces["green1"], 0.6, board.faces["yellow1"])
    found, network = Findings(all_free(board, R3=doubt)), Network(board, R3=("yellow", 1, 0.0))
    stacks = [[board.faces.of(kind, level) for level in range(1, LEVELS + 1)] for kind in KINDS[1:]]
    for familiar, best in ((True, "yellow1"), (False, "green1")):
        advisor = Advisor(tuple(board.sites), stacks, network.tell, familiar)
        findings = advisor.reconsider(found, view, frozenset(), rough=False)
        assert guess(findings.sites["R3"]).best.name == best


@pytest.mark.parametrize(("dye", "familiar"), [("#c02a34", True), ("#dd9a50", False)], ids=["another red", "orange"])
def test_the_reader_knows_whether_the_dyes_are_familiar(
    dye: str, familiar: bool, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr("vision.readers.stacks.reader.Advisor", lambda *given: asked.append(given[-1]))
    StackReader(board, {"marker-red": linear(dye)})
    assert asked == [familiar]


def test_it_is_not_asked_where_it_cannot_see(board: Board, view: FlatView) -> None:
    doubt = shows(board, EMPTY, 0.5, board.faces["red1"])
    behind = frozenset({list(board.sites).index("R3")})
    found = Findings(all_free(board, R3=doubt))
    findings, asked = advised(board, view, found, {"R3": ("red", 1, 0.0)}, behind)
    assert (findings, asked) == (found, 0)


def test_in_haste_it_is_asked_about_a_few_hidden_sites_only(board: Board, view: FlatView) -> None:
    doubt = shows(board, EMPTY, 0.5, board.faces["red1"])
    for hidden, count in (({"L4"}, 1), ({"L4", "L5", "L6", "L7"}, 0), (set(), 0)):
        sites = {site: read for site, read in all_free(board, R3=doubt).items() if site not in hidden}
        assert advised(board, view, Findings(sites, frozenset(hidden)), {}, rough=True)[1] == count


def test_the_network_knows_what_stands_on_strangers_tables(board: Board, eye: Eye) -> None:
    """Odd seeds: it was taught on even ones."""
    network, right, every = SiteNetwork(HEIGHTS), 0, 0
    for seed in (9001, 9003, 9005, 9009):
        random = np.random.default_rng(seed)
        pieces, painter = strange_pieces(board, random), strange_print(random)
        faces = random_faces(pieces, random)
        scene = strange_scene(pieces, faces, seed, hand=False)
        assert faces
        view = eye.view(eye.look(Frame(Renderer(pieces, painter).render(scene).bgr)))
        told = network.tell(view, view.sites)
        for row, site in enumerate(board.sites):
            known = faces.get(site, EMPTY)
            right += KINDS[int(told.kinds[row].argmax())] == ("bare" if known.kind == BARE else known.kind)
            every += 1
    assert right > 0.97 * every


def test_of_no_sites_it_has_nothing_to_say(view: FlatView) -> None:
    told = SiteNetwork(HEIGHTS).tell(view, np.zeros((0, 2)))
    assert told.kinds.shape == (0, len(KINDS))
    assert told.levels.shape == (0, LEVELS)
