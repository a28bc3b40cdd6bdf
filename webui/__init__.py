"""The page: watch, correct, replay, learn. It is told what to show and where to leave a wish; it knows no rules."""

from webui.app import create_app

__all__ = ["create_app"]
