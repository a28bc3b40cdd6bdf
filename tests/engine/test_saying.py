"""Actions in words, and what rules are called: in every game and every language."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Game
from engine.registry import all_games, find_game
from engine.saying import told_action
from engine.titles import NOT_LEGAL, title_of_rule
from engine.words import LANGUAGES


@pytest.mark.parametrize(
    ("game", "action", "told"),
    [
        ("memento-tuos", "+T7", "Yellow placed a Single on T7."),
        ("memento-ludis", "+T4,R1", "Yellow placed two Singles on T4, R1."),
        ("memento-tuos", "L<", "Yellow turned triangle L counter-clockwise."),
        ("memento-tuos", "R1xR6", "Yellow moved from R1 and took R6."),
        ("memento-tuos", "T7/2T1,T4", "Yellow split T7 onto T1 (2), T4."),
        ("rings", "+a3xb8", "Yellow placed a pawn on a3 and took b8."),
        ("rings", "b>xa1,c4", "Yellow turned ring b clockwise and took a1, c4."),
        ("rings", "c1-a2xc4", "Yellow moved from c1 to a2 and took c4."),
        ("dimenticato", "@4xg1>e2", "Yellow left start field 4 for g1; the figure there went back to e2."),
        ("dimenticato", "e2:2-@2", "Yellow said 2 on e2 and came home to start field 2."),
        ("dimenticato", "g1:?", "Yellow said a wrong number on g1."),
        ("triominos", "134@-1,0", "Yellow laid card 134 on -1,0."),
        ("triominos", "JJJ@-1,0", "Yellow laid the joker on -1,0."),
        ("triominos", "buy", "Yellow bought a card."),
        ("rings", "--", "Yellow passed."),
        ("rings", "of another version", "Yellow played of another version."),
    ],
)
def test_an_action_is_told_in_words(game: str, action: str, told: str) -> None:
    assert told_action(find_game(game), action, "Yellow", "en") == told


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_action_of_a_match_is_told_in_every_language(game: Game) -> None:
    random = Random(3)
    rules = game.configure()
    position = rules.start(2, rules.deal(2, random))
    for _ in range(40):
        if not (legal := position.legal()):
            break
        for action in random.sample(list(legal), min(4, len(legal))):
            told = {told_action(game, str(action), "Ada", language) for language in LANGUAGES}
            assert len(told) >= 4, f"{action}: {told}"
            assert not [text for text in told if "{" in text or str(action) in text.split()], told
        position = position.after(random.choice(legal))


def test_every_rule_has_a_title() -> None:
    codes = {code for game in all_games() for code in game.sentences} - {"unknown"}
    assert not [code for code in codes if title_of_rule(code) == NOT_LEGAL]
    assert title_of_rule("unknown", "de") == "Keine erlaubte Aktion"
    assert title_of_rule("swap.fit", "fr") == "Échanger le joker"
