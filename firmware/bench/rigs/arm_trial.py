"""What players' arms tell of whose a card is: counted card by card, whoever the rows say it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core import Json
from engine.referee.arms import LEARNED
from engine.referee.table import Table
from firmware.bench.rigs.hit_rate import HitRate


@dataclass
class ArmTrial:
    """The cards of one match."""

    counts: Counter[str] = field(default_factory=Counter)

    def follows(self, before: Table, after: Table) -> None:
        """Count the card that was accepted with this step, if one was."""
        position, visit = before.position, before.watch.visit
        is_card = after.match.ply == before.match.ply + 1 and after.position.faces() != position.faces()
        if not is_card or position.seat is None or not position.rules.game.anonymous:
            return
        self.counts["cards"] += 1
        if visit is None or not visit.is_one_hand or visit.side is None:
            return
        self.counts["sides"] += 1
        arms, players = before.accepted.arms, position.players
        if all(len(arms.sides.get(seat, ())) == LEARNED for seat in range(players)):
            # As if it had been the turn of the player before, who left it out unseen.
            told = arms.whose(visit.side, (position.seat - 1) % players)
            self.counts["known"] += 1
            self.counts["told"] += told == position.seat
            self.counts["wrong"] += told not in (None, position.seat)
            self.counts["in vain"] += arms.whose(visit.side, position.seat) is not None


@dataclass
class ArmScore:
    """The cards of many matches."""

    sides: HitRate
    """Cards that came with the side of one hand."""
    told: HitRate
    """Of those that came once all players' arms were known: which would have been told from the player's before."""
    wrong: int
    """How many would have been taken for a third player's …"""
    in_vain: int
    """… and of how many people would have been asked although it was that player's turn."""

    @classmethod
    def of(cls, records: Iterable[Json]) -> ArmScore:
        total: Counter[str] = Counter()
        for record in records:
            total.update(record.get("arms", {}))
        sides, told = HitRate(total["sides"], total["cards"]), HitRate(total["told"], total["known"])
        return cls(sides, told, total["wrong"], total["in vain"])
