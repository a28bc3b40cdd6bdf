"""One look at the table: from a picture to a reading. The recipe, step by step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from engine.board import Board
from engine.face import Face
from engine.referee.reading import Reading
from vision.find.board_finder import BoardFinder
from vision.find.lens import Lens
from vision.find.not_found import BoardNotFoundError
from vision.find.pose import BoardPose
from vision.find.settings import FIND, FindSettings
from vision.flatten.board_plane import BoardPlane
from vision.flatten.card_slack import CARDS, CardSettings, CardSlackReader
from vision.flatten.flat_picture import FlatPicture, Flattener
from vision.flatten.flat_view import FlatView
from vision.flatten.settings import FLAT, LIGHT, PATCHES, FlatSettings, IlluminationSettings, PatchSettings
from vision.flatten.sheet_art import Pictures
from vision.flatten.sheet_slack import SLACK, SheetSlackReader, SlackSettings
from vision.flatten.sheet_turns import TURNS, SheetTurnReader, TurnSettings
from vision.frame import Floats, Frame, Image
from vision.motion import MOTION, UNKNOWN, Changes, Coarse, Motion, MotionSettings, changes, coarse, differing
from vision.readers.cards.reader import CardReader
from vision.readers.paints import Paints, paints_of
from vision.readers.reader import NOTHING, Findings, merged
from vision.readers.registry import painted_readers, readers_of
from vision.reprint import Reprint

__all__ = ["BoardNotFoundError", "Eye", "EyeSettings", "Look"]

CLEAR_OF_PIECES = 2.0
"""Millimetres from where the widest piece may stand on a site: the print beyond tells how sheets lie. By hand."""


@dataclass(frozen=True, kw_only=True)
class EyeSettings:
    """The settings of every stage except the readers."""

    find: FindSettings = FIND
    flat: FlatSettings = FLAT
    light: IlluminationSettings = LIGHT
    patches: PatchSettings = PATCHES
    turns: TurnSettings = TURNS
    slack: SlackSettings = SLACK
    cards: CardSettings = CARDS
    motion: MotionSettings = MOTION


SETTINGS = EyeSettings()


@dataclass(frozen=True, eq=False)
class Look:
    """What one picture showed, and what it was read from."""

    reading: Reading
    pose: BoardPose
    flat: FlatPicture
    cells: Coarse
    """The flat picture coarsely: to see what moves next."""
    sites: Floats
    """Where the sites are, millimetres: where their sheets lie."""
    rough: bool = False
    """Whether it was a hasty look while something moved, to be repeated once nothing does."""
    reprinted: bool = False
    """Whether it shows the board's other print."""

    def at_rest(self) -> Look:
        """The same look once nothing moves any more."""
        return replace(self, reading=replace(self.reading, moving=frozenset()))


@dataclass(frozen=True, eq=False)
class Kept:
    """What the last look said that still holds while something moves elsewhere."""

    found: Findings = field(default_factory=Findings)
    """What was found on sites around which nothing changed."""
    sheets: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The positions of sheets on whose sites nothing changed."""
    places: Floats | None = None
    """Where the sites are."""


class Eye:
    """Reads pictures of one board. It knows nothing about rules."""

    def __init__(
        self,
        board: Board,
        pictures: Pictures,
        lens: Lens | None = None,
        games: Mapping[str, frozenset[int]] | None = None,
        paints: Paints | None = None,
        settings: EyeSettings = SETTINGS,
        reprint: Reprint | None = None,
    ) -> None:
        """`games`: the fiducial ids of every game's board, to tell which other board is in a picture. `paints`: the
        colours of this set's pieces, where they were measured. `reprint`: another print in which the board comes."""
        self.reprint = reprint
        self._other: Eye | None = None
        self.board, self.lens, self.games, self.settings = board, lens, games or {}, settings
        self.finder = BoardFinder(board, self.games, settings.find)
        self.plane = BoardPlane(board, pictures, settings.flat)
        self.flattener = Flattener(board, self.plane, settings.light, settings.patches)
        clear = self.plane.widest / 2 + CLEAR_OF_PIECES
        self.turn_reader = SheetTurnReader(board, self.plane, clear, settings.turns)
        self.slack_reader = SheetSlackReader(board, self.plane, clear, settings.slack)
        self.card_reader = CardSlackReader(board, self.plane, settings.cards)
        self.paints = paints_of(board, paints)
        self.readers = readers_of(board, pictures, self.paints)

    def with_paints(self, paints: Paints) -> Eye:
        """The same eye, looking for pieces of these colours."""
        other = copy(self)
        other.paints = paints_of(self.board, paints)
        painted = painted_readers(self.board, other.paints)
        other.readers = {name: painted.get(name, reader) for name, reader in self.readers.items()}
        other._other = self._other and self._other.with_paints(paints)
        return other

    def without(self, readers: Collection[str]) -> Eye:
        """The same eye, without some of its readers."""
        other = copy(self)
        other.readers = {name: reader for name, reader in self.readers.items() if name not in readers}
        other._other = self._other and self._other.without(readers)
        return other

    def of(self, look: Look) -> Eye:
        """The eye that expects the print that a look shows."""
        if not look.reprinted or self.reprint is None:
            return self
        if self._other is None:
            made = self.reprint.make().with_paints(self.paints)
            self._other = made.without(made.readers.keys() - self.readers.keys())
        return self._other

    def view(self, look: Look) -> FlatView:
        """What a look was read from, for measuring on it."""
        return self.of(look)._view(look.flat, look.pose, look.reading.sheets, look.sites)

    def card_size(self, look: Look, site: str, face: Face) -> float | None:
        """How large this card is beside the board it lies on, 1 being alike; None where it is not clearly in sight."""
        reader = self.readers.get("cards")
        if not isinstance(reader, CardReader) or look.rough or look.reading.covered:
            return None
        place = self.board.sites[site]
        return reader.sizes.size(self.view(look), face, np.array(place.at), place.angle)

    def look(self, frame: Frame, before: Look | None = None, motion: Motion | None = None) -> Look:
        """The reading of a picture; raises `BoardNotFoundError` if the board is not in it.

        `before` is the look at the frame before, if any: then the fiducials are first sought where they were. `motion`
        is what moves in the whole picture, in a film: it has the last word on what moves over the board.
        """
        look = self._look(frame, before) if before is None else self.of(before)._look(frame, before)
        if before is None and self.reprint is not None and self.reprint.is_seen(self, look):
            look = replace(look, reprinted=True)
            look = replace(self.of(look).read(frame, look.pose), reprinted=True)
        elif before is not None:
            look = replace(look, reprinted=before.reprinted)
        if motion is None:
            return look
        moving = motion.moving(look.reading.moving, self.board, look.pose)
        return replace(look, reading=replace(look.reading, moving=moving))

    def _look(self, frame: Frame, before: Look | None) -> Look:
        grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        lens = self.lens.scaled(frame.size) if self.lens else None
        pose = self.finder.find(grey, lens, before.pose if before is not None else None)
        if before is None or pose is not before.pose:
            return self.read(frame, pose, before)
        changed = differing(before.flat.glance, frame.glance, self.flattener.outline(pose), self.settings.motion)
        if self._holds(before) and not changed.any():
            return before.at_rest()
        return self.read(frame, pose, before, changed)

    def read(self, frame: Frame, pose: BoardPose, before: Look | None = None, changed: Image | None = None) -> Look:
        """The reading of a picture whose pose is known.

        `changed`: if that is the pose before, where (255) anything changed since, seen at a glance.
        """
        mended = None
        if before is not None and changed is not None:
            mended = self.flattener.partly(frame, pose, before.flat, changed)
        flat = mended or self.flattener.whole(frame, pose)
        cells = coarse(flat.codes, self.plane.cell)
        moved = self._moved(before, pose, cells)
        if before is not None and self._holds(before) and moved.none:
            # The cells stay those that were read, so that slow changes add up until they are seen.
            return replace(before.at_rest(), pose=pose, flat=flat)
        if mended and not moved.moving:
            return self.read(frame, pose, before)
        kept = self._kept(before, moved)
        sheets = self.turn_reader.read(flat.codes, kept.sheets)
        places = kept.places if kept.places is not None else self._places(flat, sheets)
        told = self._findings(self._view(flat, pose, sheets, places), kept.found, rough=bool(moved.moving))
        told = _unveiled(told, before, moved)
        reading = Reading(told.sites, sheets, told.hidden, bool(told.hidden), moved.moving, told.fields, told.loose)
        return Look(reading, pose, flat, cells, places, rough=bool(moved.moving))

    def _holds(self, before: Look) -> bool:
        """Whether a look holds as long as nothing changes; without sites there is no telling."""
        return not before.rough and bool(self.board.sites)

    def _moved(self, before: Look | None, pose: BoardPose, cells: Coarse) -> Changes:
        """What has moved since the last look."""
        if before is None:
            return UNKNOWN
        return changes(self.board, self.plane, pose.eye, before.cells, cells, self.settings.motion)

    def _kept(self, before: Look | None, moved: Changes) -> Kept:
        """What a better look said about sites and sheets around which nothing changed, while something moves."""
        if before is None or not moved.moving:
            return Kept()
        still, reading = moved.still, before.reading
        stirred = {site.sheet for name, site in self.board.sites.items() if name not in still}
        found = Findings(
            {site: reading.sites[site] for site in still if site in reading.sites},
            reading.hidden & still,
            {name: reading.fields[name] for name in still if name in reading.fields},
        )
        return Kept(
            found,
            {name: values for name, values in reading.sheets.items() if name not in stirred},
            before.sites,
        )

    def _places(self, flat: FlatPicture, sheets: Mapping[str, Sequence[float]]) -> Floats:
        """Where the sites are: they go with their sheet, and with the card that they are on."""
        return self.card_reader.sites(flat.codes, self.slack_reader.sites(flat.codes, _turns(sheets)))

    def _view(self, flat: FlatPicture, pose: BoardPose, sheets: Mapping[str, Sequence[float]], at: Floats) -> FlatView:
        return FlatView(flat.codes, pose.eye, self.plane, _turns(sheets), at, pose.focal_doubt)

    def _findings(self, view: FlatView, kept: Findings, rough: bool) -> Findings:
        """What all readers find, one after the other, or found before and was kept."""
        found = NOTHING
        for reader in self.readers.values():
            found = merged([found, reader.read(view, rough, kept.places, before=merged([found, kept]))])
        return merged([found, kept])


def _unveiled(told: Findings, before: Look | None, moved: Changes) -> Findings:
    """The same with what the look before said of sites that seem to be covered now, though nothing moved there: what
    covers a site has to come from somewhere."""
    if before is None:
        return told
    unmoved = {site for site in told.hidden - moved.moving if site in before.reading.sites and site in moved.sites}
    sites = {site: before.reading.sites[site] for site in unmoved}
    return replace(told, sites={**told.sites, **sites}, hidden=told.hidden - unmoved)


def _turns(sheets: Mapping[str, Sequence[float]]) -> tuple[int, ...]:
    return tuple(max(range(len(values)), key=values.__getitem__) for values in sheets.values())
