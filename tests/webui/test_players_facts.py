"""The rules page tells how matches go, where that was measured."""

from __future__ import annotations

from html import unescape

from house import ACCESS, PaperHouse

from engine.players.balance import balances
from engine.registry import find_game
from webui import create_app


def test_the_rules_page_has_the_facts() -> None:
    client = create_app(PaperHouse(), ACCESS).test_client()
    page = unescape(client.get("/rules/rings").get_data(as_text=True))
    facts = [fact for each in balances(find_game("rings").configure()) for fact in each.say()]
    assert facts
    assert all(fact in page for fact in facts)
    german = client.get("/rules/rings", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Wie Partien verlaufen" in german
