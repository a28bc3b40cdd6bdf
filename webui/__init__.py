"""The page: watch, correct, replay, learn. It is told what to show and where to send requests; it knows no rules."""

from webui.app import create_app

__all__ = ["create_app"]
