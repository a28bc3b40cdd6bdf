"""The camera picture for the page: drawn and compressed outside the loop that owns the match."""

from __future__ import annotations

from queue import Empty, Full, Queue
from threading import Thread

import cv2

from engine.board import Board
from firmware.page.desk import Desk
from vision.frame import Image
from vision.look import Look
from vision.overlay import annotate

QUALITY = 80
WIDTH = 1280
"""Pixels at most: a phone shows no more."""

Order = tuple[list[int], bool, Image, Board | None, Look | None]


class Photographer:
    """One picture at a time; further requests wait for the next frame."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._orders: Queue[Order | None] = Queue(maxsize=2)
        self._thread = Thread(target=self._work, name="photographer", daemon=True)
        self._thread.start()

    def serve(self, bgr: Image | None, board: Board | None, look: Look | None) -> None:
        """Answer the pending requests with this picture, as soon as it is drawn."""
        wanted = self._desk.wanted_pictures()
        for overlay in (False, True):
            numbers = [number for number, drawn in wanted if drawn == overlay]
            if not numbers:
                continue
            try:
                if bgr is None:
                    raise Full
                self._orders.put_nowait((numbers, overlay, bgr, board, look))
            except Full:
                for number in numbers:
                    self._desk.send_picture(number, None)

    def close(self) -> None:
        try:
            self._orders.put(None, timeout=1)
        except Full:
            return
        self._thread.join(timeout=2)

    def _work(self) -> None:
        while True:
            try:
                order = self._orders.get(timeout=60)
            except Empty:
                continue
            if order is None:
                return
            numbers, overlay, bgr, board, look = order
            shown = annotate(bgr, board, look) if overlay and board is not None and look is not None else bgr
            jpeg = packed(shown)
            for number in numbers:
                self._desk.send_picture(number, jpeg)


def packed(bgr: Image) -> bytes | None:
    """A picture as JPEG."""
    height, width = bgr.shape[:2]
    if width > WIDTH:
        bgr = cv2.resize(bgr, (WIDTH, round(height * WIDTH / width)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else None
