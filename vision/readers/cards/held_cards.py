"""A card that somebody holds into the picture beside the mat, to ask where it fits."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from engine.board import Board
from engine.referee.reading import Loose
from vision.find.pose import BoardPose
from vision.flatten.board_plane import BoardPlane
from vision.flatten.flat_view import FlatView
from vision.flatten.light import Illumination
from vision.flatten.plain_print import terms_of
from vision.flatten.rectifier import Rectifier
from vision.flatten.settings import FLAT
from vision.flatten.sheet_art import Pictures
from vision.frame import GLANCE, Image
from vision.readers.cards.card_print import CardPrint
from vision.readers.cards.loose_cards import LooseCards
from vision.readers.cards.settings import LOOSE


class HeldCards:
    """Looks beside the mat of one board. It takes as long as a whole look, and is asked only when nothing moves."""

    def __init__(self, board: Board, pictures: Pictures, cards: CardPrint) -> None:
        self.plane = BoardPlane(board, pictures, replace(FLAT, around=LOOSE.around))
        self.rectifier = Rectifier(self.plane)
        self.terms = np.ascontiguousarray(np.moveaxis(terms_of(self.plane.cell_places()), -1, 0), dtype=np.float32)
        self.cards = LooseCards(cards, LOOSE.merged_held)
        reach = 2 * round(LOOSE.near_mat * self.plane.px_per_mm) + 1
        self._mat = np.asarray(
            cv2.dilate(self.plane.known.astype(np.uint8), np.ones((reach, reach), np.uint8)), np.uint8
        )

    def outline(self, pose: BoardPose) -> Image:
        """Where (255) a glance at the camera's picture shows the mat and what is looked at about it."""
        return self.rectifier.in_camera(pose, GLANCE)

    def find(self, bgr: Image, pose: BoardPose, light: Illumination) -> Loose | None:
        """The one card that is shown beside the mat; None if there is none, or more than one."""
        part = self.rectifier.laid(pose)
        flat = self.rectifier.flatten(bgr, pose, part)
        codes = light.normalise(flat, self.terms, part)
        view = FlatView(codes, pose.eye, self.plane, (), self.plane.sites, pose.focal_doubt)
        found = [card for lifted in LOOSE.lifted for card in self._sure(view, lifted)]
        best = max(found, key=lambda card: card.p, default=None)
        return best if len({card.card for card in found}) == 1 else None

    def _sure(self, view: FlatView, lifted: float) -> list[Loose]:
        return [card for card in self.cards.find(view, (), self._mat, lifted) if card.p >= LOOSE.sure]
