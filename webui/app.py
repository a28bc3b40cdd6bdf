"""The page as a Flask application, put together."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from importlib import import_module

from flask import Flask

from webui.access.safety import prepare_safety
from webui.access.thrift import prepare_thrift
from webui.house import Access, House, HouseClosedError
from webui.navigation import prepare_navigation
from webui.words.languages import prepare_languages

BLUEPRINTS = (
    *("table.live", "table.director", "table.welcome", "table.starting", "table.cameras", "table.screen"),
    *("table.stream", "api.requests"),
    *("archive.matches", "archive.api", "upkeep.backup", "archive.statistics"),
    *("learning.help", "learning.lessons", "learning.rules"),
    *("words.clock", "upkeep.settings", "upkeep.install", "api.page"),
)
"""Modules of this package that have a `blueprint`; what they add to the API they describe as `PATHS`."""
LARGEST_BODY = 64 * 1024


def create_app(house: House, access: Access) -> Flask:
    """The page for this table."""
    app = Flask(__name__)
    app.config.update(
        HOUSE=house,
        ACCESS=access,
        SECRET_KEY=access.secret,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        SESSION_COOKIE_NAME="magister",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        # A stream opened before the PIN was entered must not restore the old session.
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=180),
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(0),
    )
    prepare_languages(app, partial(_language_of, house))
    prepare_navigation(app)
    prepare_safety(app, access.names)
    prepare_thrift(app)
    app.extensions["paths"] = {}
    for name in BLUEPRINTS:
        module = import_module(f"webui.{name}")
        app.register_blueprint(module.blueprint)
        app.extensions["paths"].update(getattr(module, "PATHS", {}))
    return app


def _language_of(house: House) -> str:
    """The table's own language."""
    try:
        return str(house.state().state.get("language", ""))
    except HouseClosedError:
        return ""
