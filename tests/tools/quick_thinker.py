"""An thinker without a process: it answers at once, or when it is let."""

from __future__ import annotations

from firmware.coaching.thinker import Question, Reply, Thinker, think_about


class QuickThinker(Thinker):
    """Thinks when it is asked for its answer."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = False
        self.question: Question | None = None

    def ask(self, question: Question) -> None:
        self.question = question

    def forget(self) -> None:
        self.question = None

    def answer(self) -> Reply | None:
        if self.question is None or self.slow:
            return None
        question, self.question = self.question, None
        return think_about(question, lambda: False)
