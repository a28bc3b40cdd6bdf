"""The match at a table: all that is known of it. The loop alone changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.board import Board
from engine.core import COLOURS, Json
from engine.face import Face, FaceSet
from engine.match import Match
from engine.referee.news import News, Plain, Unclear
from engine.referee.purse import parted
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.state import Course
from engine.referee.table import Seen, Table
from firmware.coaching.coach import Coach
from firmware.coaching.help import lifted, targets
from firmware.devices.chain import Chain, board_lights, rebuilding_lights
from firmware.devices.signals import BLINKS, Mood, Rgb, Status, hear, rest
from firmware.log.lines import MatchLog
from firmware.log.match.seating import Seating
from firmware.settings.arguments import dealt
from firmware.table.beginning.checks import Surveyed, TableSurvey
from firmware.table.beginning.plans import MatchPlan
from firmware.table.beginning.rebuilding import Rebuilding
from firmware.table.beginning.waiting import Waiting
from firmware.table.events import Said
from firmware.table.gear import Gear
from firmware.table.seeing.covering import Covering
from firmware.table.seeing.holding import Holding
from firmware.table.seeing.learning import PaintLearner
from firmware.table.seeing.print_scale import PrintScale
from firmware.table.seeing.sight import Beginning, Sight
from firmware.table.timekeeping import Timekeeping

Resumed = tuple[int, Table]
"""A match of the log that goes on: its number there, and as the referee knows it."""


@dataclass
class Playing:
    """A match that is set up for, played, or over."""

    start: Match
    """As it was begun."""
    seating: Seating
    sight: Sight
    coach: Coach
    log: MatchLog
    chain: Chain | None = None
    is_surveyed: bool = False
    """Whether the table tells how it begins: until then `start` is no more than a guess."""
    lesson: str | None = None
    """The lesson that is being done at the table: its game and its name."""
    table: Table | None = None
    """The match under the referee; None until the board was seen whole."""
    rebuilding: Rebuilding = field(default_factory=lambda: Rebuilding(goes_on=False))
    asked: Unclear | None = None
    """The question that is open."""
    mood: Mood = field(default_factory=Mood)
    waits_since: float | None = None
    """Since when the board has been waited for."""
    covering: Covering = field(default_factory=Covering)
    scale: PrintScale = field(default_factory=PrintScale)
    waiting: Waiting = field(default_factory=Waiting)
    time: Timekeeping | None = None
    """Its clock, where one is set."""
    learner: PaintLearner = field(default_factory=PaintLearner)

    def __post_init__(self) -> None:
        self.beginning = Beginning(self.start, self.is_surveyed)
        self.holding = Holding(self.sight.eye)

    @property
    def match(self) -> Match:
        return self.table.match if self.table is not None else self.start

    @property
    def is_known(self) -> bool:
        """Whether it is known how the match begins."""
        return self.table is not None or not self.is_surveyed

    @property
    def surveyed(self) -> Surveyed | None:
        """What a look at the table tells of how the match begins; None where that is known."""
        return self._surveyed if self.is_surveyed and self.table is None else None

    def _surveyed(self, reading: Reading) -> TableSurvey:
        rules, players, told = self.start.rules, len(self.seating), self.beginning.told
        known = self.by_rules(reading)
        found = rules.survey(players, (known,), told)
        counts = dict(zip(self.seating.colours, parted(known, self.start.position)[1], strict=False))
        return TableSurvey(replace(found, flaws=tuple(map(self.seating.spoken, found.flaws))), counts)

    def begin(self, seen: Seen) -> None:
        """Begin the match if this look shows enough of the board, and of the set-up."""
        self.table = self.beginning.table(seen)
        if self.table is not None and self.is_surveyed:
            self.start = self.table.match
            self.sight.set_up(self.start.rules.game.setup_readers)

    @property
    def goes_on(self) -> bool:
        """Whether it has begun and is not over."""
        return self.table is not None and not self.table.closed and self.match.position.outcome is None

    @property
    def board(self) -> Board:
        return self.sight.eye.board

    @property
    def reading(self) -> Reading | None:
        """What was read last, in the colours of the rules; None where the board was not found."""
        look = self.sight.look
        return self.by_rules(look.reading) if look is not None else None

    # The rules know seats by their own colours; people play with those they like.

    @property
    def faces(self) -> FaceSet:
        """All that a site of this game can show."""
        return self.start.rules.game.faces

    def by_rules(self, reading: Reading) -> Reading:
        """What is seen on the table, in the colours of the rules."""
        return self.seating.seen_by_rules(reading, self.faces)

    def on_table(self, faces: Mapping[str, Face]) -> dict[str, Face]:
        """Faces of the rules, in the colours in use."""
        return self.seating.on_table(faces, self.faces)

    def told(self, news: News) -> News:
        """What the referee says, in the colours in use."""
        return self.seating.told(news, self.faces)

    def said(self, news: News, seconds: float) -> Said:
        """An event of this match, in the colours that are played with."""
        return Said(seconds, self.told(news), self.start.rules.game)

    def hear(self, table: Table, seconds: float) -> None:
        """Take in what the referee said: the question that is open, and what the lights tell."""
        # Who covers the board for a moment has not answered the question.
        if not all(isinstance(news, Plain) and news.event in ("lost", "found") for news in table.news):
            self.asked = next((news for news in reversed(table.news) if isinstance(news, Unclear)), None)
        self.mood = self._until_put_back(hear(self.mood, table, seconds), table, seconds)
        if self.time is not None:
            unseen = self.rebuilding.is_unseen
            self.time = self.time.following(table, self.mood.status, seconds, is_unseen=unseen)

    @property
    def is_to_be_put_back(self) -> bool:
        """Whether something was taken back by a word, and the table has not shown it yet."""
        return self.table is not None and bool(self.table.heard.rejected) and not self.table.closed

    def _until_put_back(self, mood: Mood, table: Table, seconds: float) -> Mood:
        """What was taken back by a word alone still lies on the table: that is no time for a quiet light."""
        blink = BLINKS.get(mood.status)
        is_calm = mood.status is Status.QUIET or (blink is not None and blink.is_over(seconds - mood.since))
        if table.heard.rejected and is_calm:
            return replace(mood, status=Status.REBUILD, since=seconds)
        if mood.status is Status.REBUILD and not table.heard.rejected and not self.rebuilding.is_waiting:
            return replace(rest(table, seconds), seat=mood.seat)
        return mood

    def site_lights(self, table: Table, seconds: float) -> Mapping[str, Rgb]:
        """What the light at every site shows."""
        if self.mood.status is Status.REBUILD:
            return rebuilding_lights(self.on_table(self._missing(table)))
        own = [site for site, face in table.stand.faces.items() if _is_movers(table, face)]
        return board_lights(self.mood, seconds, own=own, targets=self._targets(table), hints=self.coach.sites())

    def _missing(self, table: Table) -> Mapping[str, Face]:
        """What should stand on the sites that do not show it."""
        guesses = self.reading.guesses() if self.reading is not None else {}
        return {
            site: face for site, face in table.stand.faces.items() if site not in guesses or guesses[site].best != face
        }

    def _targets(self, table: Table) -> tuple[str, ...]:
        """Where the figure may go that somebody holds in the hand."""
        position, reading = table.match.position, self.reading
        if self.mood.status is not Status.UNFINISHED or reading is None or not self.coach.agreed.shows(position.seat):
            return ()
        site = lifted(table.stand.faces, reading)
        return () if site is None else targets(position, site)


def _is_movers(table: Table, face: Face) -> bool:
    seat = table.match.position.seat
    return seat is not None and face.kind == COLOURS[seat]


def resumed_table(match: Match, turns: Mapping[str, int]) -> Table:
    """A match of the log as the referee knows it: what the table showed at every ply."""
    stands = [Stand(match.positions[0].faces(), dict(turns))]
    for action, position in zip(match.actions, match.positions[1:], strict=True):
        lies = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            lies[name] = lies.get(name, 0) + steps
        stands.append(Stand(position.faces(), lies))
    return Table(Course(match, tuple(stands)))


def sit_down(plan: MatchPlan, gear: Gear, resumed: Resumed | None, setup: Json | None, lesson: str | None) -> Playing:
    """A match about to be played; see `Sitting.play`."""
    players = len(plan.seating)
    begun = dealt(plan.rules, players, gear.random) if setup is None else setup
    match, game = Match.begin(plan.rules, players, begun), plan.rules.game
    number, table = resumed or (None, None)
    if table is not None:
        begun = table.match.positions[0].setup()
    is_surveyed = game.surveyed and setup is None and resumed is None
    board = game.board(players, None if is_surveyed else begun)
    sight = Sight(gear.make_eye(board, gear.lens))
    if not is_surveyed:
        sight.set_up(game.setup_readers)
    return Playing(
        match,
        plan.seating,
        sight,
        Coach(gear.thinker, plan.seating, gear.random.randrange(1 << 30)),
        MatchLog(gear.outbox if lesson is None else None, gear.wall, number),
        is_surveyed=is_surveyed,
        lesson=lesson,
        table=None if table is None else _unsure_of_untold(table, board),
        rebuilding=Rebuilding(goes_on=resumed is not None),
        time=None if plan.clock is None or lesson is not None else Timekeeping(plan.clock),
    )


def _unsure_of_untold(table: Table, board: Board) -> Table:
    """The table of a match that goes on, unsure of the sheets of which the log does not tell how they lay."""
    untold = {sheet.name for sheet in board.turnable} - table.stands[0].turns.keys()
    return replace(table, accepted=replace(table.accepted, unsure=frozenset(untold)))
