"""The hub's page as a Flask application, put together."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module
from typing import Any

from flask import Flask, jsonify, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from webui.access.safety import prepare_safety
from webui.app import LARGEST_BODY
from webui.hub.guard import may, me
from webui.hub.house import Club, ClubClosedError
from webui.words.languages import language, prepare_languages
from webui.words.texts import N_, tell

BLUEPRINTS = ("watching", "matches", "tournaments", "people")
ENTRIES = (
    ("hub.tables", N_("Tables"), "spectator"),
    ("hub.wall", N_("Wall"), "spectator"),
    ("hub_tournaments.index", N_("Tournaments"), "spectator"),
    ("hub_matches.index", N_("Matches"), "spectator"),
    ("hub_matches.ratings", N_("Ratings"), "spectator"),
    ("hub_matches.mistakes", N_("Mistakes"), "spectator"),
    ("hub_people.people", N_("People"), "director"),
)
"""Endpoints, their titles, and who sees them."""


def create_hub_app(
    club: Club, secret: bytes, *, has_own_broker: bool = True, names: frozenset[str] = frozenset()
) -> Flask:
    """The page of a hub; all hubs of one club have the same secret. `names` are those it answers to besides the
    machine's own."""
    app = Flask("webui")
    app.config.update(
        CLUB=club,
        OWN_BROKER=has_own_broker,
        SECRET_KEY=secret,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        SESSION_COOKIE_NAME="magister-hub",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=30),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(0),
    )
    prepare_languages(app)
    prepare_safety(app, names, lambda: may("arbiter"))

    @app.errorhandler(ClubClosedError)
    def _closed(error: ClubClosedError) -> tuple[Response, int]:
        # No page: that would ask the database who is looking.
        said = tell(str(error), language())
        if request.path.startswith("/api/"):
            return jsonify(error="closed", message=said), 503
        return Response(said, mimetype="text/plain"), 503

    @app.context_processor
    def _navigation() -> dict[str, Any]:
        member = me()
        shown = [(each, title) for each, title, role in ENTRIES if role == "spectator" or may(role)]
        here = request.endpoint
        return {
            "version": club.version,
            "me": member,
            "navigation": [
                {"address": url_for(each), "title": _(title), "current": each == here} for each, title in shown
            ],
        }

    for name in BLUEPRINTS:
        app.register_blueprint(import_module(f"webui.hub.{name}").blueprint)
    return app
