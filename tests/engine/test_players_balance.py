"""What matches of the program against itself have shown, as data and in words."""

from __future__ import annotations

from itertools import product

import pytest

from engine.players.balance import Balance, balances, measured
from engine.registry import find_game, packages
from engine.words import LANGUAGES
from firmware.bench import balance as bench
from firmware.bench.rigs.tables import games
from firmware.commands.cli import main


def test_what_was_measured_makes_sense() -> None:
    every = [each for package in packages() for each in measured(package)]
    assert {(each.game, each.variant, each.players) for each in every} == {
        (game.name, variant, players)
        for game in games()
        for variant, players in product(game.variants or (None,), game.seats)
    }
    for each in every:
        share, low, high = each.first
        assert 0 <= low <= share <= high <= 1
        assert 0 < each.plies[0] <= each.plies[1] <= each.plies[2]
        assert sum(each.ends.values()) == each.matches
        assert set(each.ends) <= {*find_game(each.game).endings, "capped"}
        assert Balance.read(each.record()) == each


def test_the_same_rules_by_another_name_have_the_same_facts() -> None:
    ludis = list(balances(find_game("memento-ludis").configure()))
    assert ludis == list(balances(find_game("memento-tuos").configure("original")))
    assert ludis


def test_a_table_is_weighed_by_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MATCHES", 2)
    each = bench.weigh(find_game("memento-tuos").configure("simple"), 2)
    assert (each.variant, each.players, each.matches) == ("simple", 2, 2)
    assert sum(each.ends.values()) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_in_five_languages(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "rings", "--facts", "--lang", language]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Trois Anneaux\n")
    assert told.count("* ") == 4 * len(list(balances(find_game("rings").configure())))
    assert "{" not in told


def test_house_rules_that_nobody_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "rings", "--facts", "--option", "flying=off"]) == 2
    assert "no statistics for these house rules" in capsys.readouterr().err
