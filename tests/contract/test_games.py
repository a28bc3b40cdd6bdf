"""What every game promises, checked over every game there is: a new game is tested by being there."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from engine.core import Action, Game, IllegalActionError, InvalidActionError, InvalidSetupError, Position, Rules
from engine.face import spelled
from engine.match import Match
from engine.registry import all_games, find_game
from engine.words import LANGUAGES, sentence

PLIES = 60
TABLES = [
    pytest.param(game, variant, players, id=f"{game.name}-{variant}-{players}")
    for game in all_games()
    for variant in (game.variants or (None,))
    for players in game.seats
]
GAMES = [pytest.param(game, id=game.name) for game in all_games()]


def random_match(rules: Rules, players: int, seed: int, plies: int = PLIES) -> Iterator[tuple[Position, Action]]:
    """The positions of a random match, each with the action played there."""
    dice = Random(seed)
    position = rules.start(players, rules.deal(players, dice))
    for _ in range(plies):
        if not (actions := position.legal()):
            return
        action = dice.choice(actions)
        yield position, action
        position = position.after(action)


def actions_from_elsewhere(rules: Rules, players: int, seed: int) -> list[Action]:
    """Well-formed actions of other matches: most of them are not legal where they are asked about."""
    dice = Random(seed)
    found = [dice.choice(position.legal()) for position, _ in random_match(rules, players, seed + 1000, 30)]
    return [*found, rules.parse("--")]


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
@pytest.mark.parametrize("seed", range(4))
def test_random_matches_keep_the_promise(game: Game, variant: str | None, players: int, seed: int) -> None:
    rules = game.configure(variant)
    for position, action in random_match(rules, players, seed):
        actions = position.legal()
        texts = [str(each) for each in actions]
        assert position.outcome is None
        assert position.seat in range(players)
        assert len(set(texts)) == len(texts), "the same text twice"
        assert not any(" " in text for text in texts)
        assert all(rules.parse(text) == each for text, each in zip(texts, actions, strict=True))
        before, view = hash(position), position.view(None)
        after = position.play(action)
        assert (hash(position), position.view(None)) == (before, view), "playing changed the position"
        assert after != position
        assert (after.outcome is None) == bool(after.legal()), "over exactly when nobody can act"
        assert (after.outcome is None) == (after.seat is not None)


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_refused_exactly_when_not_legal(game: Game, variant: str | None, players: int) -> None:
    rules = game.configure(variant)
    strangers = actions_from_elsewhere(rules, players, seed=7)
    refused = 0
    for position, action in random_match(rules, players, seed=7):
        legal = position.legal()
        assert not list(position.objections(action)), f"{action} is legal and objected to"
        for stranger in strangers:
            refusals = position.refusals(stranger)
            assert bool(refusals) == (stranger not in legal)
            for refusal in refusals:
                assert refusal.rule in game.sentences
                assert sentence(game, refusal)
            if refusals:
                refused += 1
                with pytest.raises(IllegalActionError, match=r"is not legal"):
                    position.play(stranger)
    assert refused > 100, "this test must meet actions that are not legal"


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_legal_actions_draw_no_objection(game: Game, variant: str | None, players: int) -> None:
    for position, _ in random_match(game.configure(variant), players, seed=11, plies=40):
        for action in position.legal():
            assert not list(position.objections(action)), f"{action} is legal and objected to"


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_turn_order_and_the_end_are_refused_by_name(game: Game, variant: str | None, players: int) -> None:
    rules = game.configure(variant)
    position, action = next(random_match(rules, players, seed=3))
    other = (position.seat or 0) + 1
    assert [refusal.rule for refusal in position.refusals(action, by=other)] == ["not-your-turn"]
    assert position.refusals(action, by=position.seat) == ()


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_position_can_be_sent_to_another_process(game: Game, variant: str | None, players: int) -> None:
    for position, action in random_match(game.configure(variant), players, seed=6, plies=10):
        assert pickle.loads(pickle.dumps((position, action))) == (position, action)


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_position_can_be_set_up_again(game: Game, variant: str | None, players: int) -> None:
    rules = game.configure(variant)
    for position, _ in random_match(rules, players, seed=5):
        assert rules.start(players, position.setup()) == position


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_no_view_leaks_what_is_hidden(game: Game, variant: str | None, players: int, seed: int) -> None:
    dice = Random(seed)
    viewers = (None, *range(players))
    changed = Counter[int | None]()
    for position, _ in random_match(game.configure(variant), players, seed):
        for viewer in viewers:
            other = position.redeal(viewer, dice)
            assert other.view(viewer) == position.view(viewer)
            changed[viewer] += other != position
    if game.hides:
        assert all(changed[viewer] for viewer in viewers), "what is hidden must be dealt anew, or nothing was proven"
    else:
        assert not changed.total(), "a game that hides nothing has nothing to deal anew"


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_position_is_set_from_its_faces_where_the_game_says_so(game: Game, variant: str | None, players: int) -> None:
    rules = game.configure(variant)
    for position, _ in random_match(rules, players, seed=2, plies=12):
        faces = spelled(position.faces())
        setup = rules.placed(position, faces, position.seat)
        if not game.placeable:
            with pytest.raises(InvalidSetupError):
                rules.start(players, setup)
            continue
        again = rules.start(players, setup)
        assert (spelled(again.faces()), again.seat) == (faces, position.seat)


@pytest.mark.parametrize(("game", "variant", "players"), [table for table in TABLES if not table.values[0].hides])
def test_a_game_that_hides_nothing_shows_all(game: Game, variant: str | None, players: int) -> None:
    positions = {position for position, _ in random_match(game.configure(variant), players, seed=8)}
    for viewer in (None, *range(players)):
        assert len({json.dumps(position.view(viewer)) for position in positions}) == len(positions)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [0, 1, 5])
def test_the_number_of_players_is_checked(game: Game, players: int) -> None:
    with pytest.raises(InvalidSetupError, match=f"not {players}"):
        game.configure().start(players, {})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text", ["", " ", "nonsense", "+", "--  ", "-- --", "\n", "+Z9", "T1-T5 ", "🎲", "+T1,,L3"])
def test_garbage_is_not_an_action(game: Game, text: str) -> None:
    with pytest.raises(InvalidActionError) as caught:
        game.configure().parse(text)
    assert "\n" not in str(caught.value).replace(text, "")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("setup", [{"strange": 1}, {"sites": 7}, {"position": []}, {"fields": None, "racks": 3}])
def test_a_strange_set_up_is_refused(game: Game, setup: dict[str, object]) -> None:
    with pytest.raises(InvalidSetupError):
        game.configure().start(2, setup)


@pytest.mark.parametrize("game", GAMES)
def test_every_option_can_be_set_and_is_explained(game: Game) -> None:
    for option in game.options:
        assert option.meaning.endswith(".")
        for value in option.values:
            rules = game.configure(options={option.name: value})
            assert rules.options[option.name] == value
            assert list(random_match(rules, 2, seed=1, plies=20))


@pytest.mark.parametrize("game", GAMES)
def test_faces_and_drawing_show_the_table(game: Game) -> None:
    for position, _ in random_match(game.configure(), 2, seed=2, plies=10):
        assert position.draw().strip()
        assert all(isinstance(site, str) and face in game.faces.lawful for site, face in position.faces().items())


@pytest.mark.parametrize("game", GAMES)
def test_a_match_replays_and_undoes_to_any_ply(game: Game) -> None:
    rules = game.configure()
    setup = rules.deal(2, Random(4))
    match = Match.begin(rules, 2, setup)
    dice = Random(4)
    for _ in range(30):
        if not (actions := match.position.legal()):
            break
        match = match.play(dice.choice(actions))
    again = Match.replay(rules, 2, setup, map(str, match.actions))
    assert again.position == match.position
    for ply in range(match.ply):
        back = match.undo(ply)
        assert back.position == match.positions[ply]
        assert back.undone[-1].actions == match.actions[ply:]
    assert Match.begin(rules, 2, setup).position == match.positions[0]


def test_the_five_rulebooks_are_here() -> None:
    names = {game.name for game in all_games()}
    assert names >= {"memento-tuos", "memento-ludis", "rings", "dimenticato", "triominos"}
    assert list(find_game("memento-tuos").variants) == ["original", "complex", "simple"]
    assert set(LANGUAGES) == {"en", "de", "fr", "it", "uk"}
