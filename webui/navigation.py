"""The links in the page's header, and the version in its footer."""

from __future__ import annotations

from typing import Any

from flask import Flask, request, url_for
from flask_babel import gettext as _

from webui.words.texts import N_

ENTRIES = (
    ("live.live", N_("Live")),
    ("archive.index", N_("Matches")),
    ("statistics.index", N_("Statistics")),
    ("teach.index", N_("Learn")),
)
"""Endpoints and their titles. An endpoint without a blueprint is left out."""

PARTS = {"lessons": "teach", "rules": "teach", "cameras": "live", "welcome": "live", "screen": "live"}
"""Blueprints that belong to the entry of another one."""


def prepare_navigation(app: Flask) -> None:
    """The header's links and the footer's version, for every page."""

    @app.context_processor
    def _navigation() -> dict[str, Any]:
        return {
            "version": app.config["HOUSE"].version,
            "navigation": [
                {
                    "address": url_for(endpoint),
                    "title": _(title),
                    "current": PARTS.get(here := request.blueprint or "", here) == endpoint.partition(".")[0],
                }
                for endpoint, title in ENTRIES
                if endpoint in app.view_functions
            ],
        }
