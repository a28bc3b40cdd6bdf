"""A table without board and camera, in a process of its own: `python -m firmware.hub.simulated_table LOG NAME URL TOKEN
SEED PAUSE`. It joins a hub as any other, begins the matches that it is sent, and plays legal actions at random."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from engine.core import GameError, Json
from engine.match import Match
from engine.registry import find_game
from firmware.hub.joining import open_link
from firmware.hub.line import HubWish
from firmware.hub.link import Link
from firmware.log.claim import own_log
from firmware.log.match.record import seated
from firmware.log.store import Store
from firmware.machine.clock import wall_clock

LONGEST = 60
"""Actions of a match; then somebody resigns, or the players agree on a draw …"""
DRAWS = 0.3
"""… so often."""
LOOK = 0.05
RECENT = 6


class SimulatedTable:
    def __init__(self, store: Store, link: Link, random: Random, pause: float) -> None:
        self._store, self._link, self._random, self._pause = store, link, random, pause
        self._recent: list[Json] = []

    def serve(self) -> None:
        self._link.show({"phase": "idle"})
        while True:
            for wish in self._link.wishes():
                self._grant(wish)
            time.sleep(LOOK)

    def _grant(self, wish: HubWish) -> None:
        if wish.kind != "begin":
            self._link.answer(wish, refused={"message": "nobody sits at a simulated table"})
            return
        try:
            names = [str(each["name"]) for each in wish.payload["players"]]
            rules = find_game(str(wish.payload["game"])).configure()
            setup = rules.deal(len(names), self._random)
            match = Match.begin(rules, len(names), setup)
        except (GameError, KeyError, TypeError) as error:
            self._link.answer(wish, refused={"message": str(error)})
            return
        self._link.answer(wish)
        self._recent.clear()
        number = self._store.begin_match(rules, seated(names), setup, started=wall_clock())
        self._play(number, match, names)

    def _play(self, number: int, match: Match, names: list[str]) -> None:
        begun = time.monotonic()
        while match.position.outcome is None and match.ply < LONGEST:
            self._show(number, match, names, "playing")
            time.sleep(self._pause)
            action, seat = self._random.choice(list(match.position.legal())), match.position.seat
            payload = {"ply": match.ply, "seat": seat, "action": str(action)}
            match = match.play(action)
            self._note(number, "action", payload, begun)
        outcome = match.position.outcome
        if outcome is None and self._random.random() < DRAWS:
            self._note(number, "draw", {}, begun)
        elif outcome is None:
            self._note(number, "resign", {"seat": match.position.seat}, begun)
        else:
            self._note(number, "result", outcome.record(), begun)
        self._show(number, match, names, "over")

    def _note(self, number: int, kind: str, payload: Json, begun: float) -> None:
        event = self._store.append(number, kind, payload, at=wall_clock(), seconds=time.monotonic() - begun)
        self._recent = [*self._recent, {"event": kind, "at": event.at, "t": event.seconds} | payload][-RECENT:]

    def _show(self, number: int, match: Match, names: list[str], phase: str) -> None:
        position = match.position
        self._link.show(
            {"phase": phase, "match": number, "begun": True, "game": match.rules.game.name}
            | {"title": match.rules.game.title, "variant": match.rules.variant, "turns": {}}
            | {"players": [player.record() for player in seated(names)], "recent": self._recent, "ply": match.ply}
            | {"seat": None if phase == "over" else position.seat, "closed": phase == "over"}
            | {"faces": {site: face.name for site, face in position.faces().items()}}
        )


def main(log: str, name: str, url: str, token: str, seed: str, pause: str) -> None:
    path = Path(log)
    with own_log(path) as store:
        link = open_link(url, name, path, lambda text: print(f"{name}: {text}", file=sys.stderr), token=token)
        try:
            SimulatedTable(store, link, Random(int(seed)), float(pause)).serve()
        finally:
            link.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
