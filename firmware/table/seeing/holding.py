"""A card that somebody holds still beside the board, or lays down there, to ask where it fits."""

from __future__ import annotations

import cv2

from engine.referee.table import Seen
from hardware.printing.raster import rasterise
from vision.find.pose import BoardPose
from vision.frame import Frame, Image
from vision.look import Eye, Look
from vision.readers.cards.held_cards import HeldCards
from vision.readers.cards.reader import CardReader

CHANGED = 24
"""Steps of grey, of 256, by which a picture differs from the one that was looked at last if anything has changed."""


class Holding:
    """Looks beside the board whenever the whole picture has come to rest and shows something new there."""

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self._glanced: Image | None = None
        self._card: str | None = None
        self._finder: HeldCards | None = None
        """Made when it is wanted first: few games need it."""

    def card(self, frame: Frame | None, look: Look | None, seen: Seen | None) -> str | None:
        """The name of the card that is shown, as it was when nothing moved last."""
        if "cards" not in self._eye.board.readers or frame is None or look is None or seen is None:
            return self._card
        if seen.restless or look.reading.moving or not self._is_new(frame.glance, look.pose):
            return self._card
        self._glanced = frame.glance
        found = self._beside.find(frame.bgr, look.pose, look.flat.light)
        self._card = None if found is None else found.card.removeprefix("card-")
        return self._card

    @property
    def _beside(self) -> HeldCards:
        if self._finder is None:
            board, reader = self._eye.board, self._eye.readers["cards"]
            assert isinstance(reader, CardReader)
            self._finder = HeldCards(board, {board.base.name: rasterise(board.base)}, reader.print)
        return self._finder

    def _is_new(self, glance: Image, pose: BoardPose) -> bool:
        """Whether anything beside the board is not as it was: what is laid on it does not matter here."""
        if self._glanced is None or self._glanced.shape != glance.shape:
            return True
        about = cv2.bitwise_and(self._beside.outline(pose), cv2.bitwise_not(self._eye.flattener.outline(pose)))
        return bool(cv2.absdiff(self._glanced, glance)[about > 0].max(initial=0) > CHANGED)
