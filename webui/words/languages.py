"""Five languages: the one chosen on this device, else the table's own, else the browser's, else English."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, current_app, redirect, request
from flask_babel import Babel, get_locale
from werkzeug.datastructures import LanguageAccept
from werkzeug.wrappers import Response

from engine.words import LANGUAGES

DOMAIN = "page"
COOKIE, THEME = "language", "theme"
THEMES = ("auto", "light", "dark")
YEAR = 365 * 24 * 3600
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "it": "Italiano", "uk": "Українська"}
"""Each language in its own words."""

blueprint = Blueprint("languages", __name__)


def prepare_languages(app: Flask, own: Callable[[], str] = str) -> None:
    """`own` tells the table's own language, empty if it has none."""
    app.config["BABEL_DEFAULT_LOCALE"] = "en"
    Babel(
        app,
        default_domain=DOMAIN,
        default_translation_directories="locale",
        locale_selector=lambda: chosen(
            request.cookies.get(COOKIE), lambda: "" if _is_told() else own(), request.accept_languages
        ),
    )
    app.register_blueprint(blueprint)

    @app.context_processor
    def _spoken() -> dict[str, Any]:
        theme = request.cookies.get(THEME)
        return {
            "language": language(),
            "languages": NAMES,
            "theme": theme if theme in THEMES else "auto",
        }


def _is_told() -> bool:
    """Whether this is another program, which says what language it wants; a page's own requests have its cookie."""
    is_page = not request.path.startswith("/api/") or current_app.config["SESSION_COOKIE_NAME"] in request.cookies
    return not is_page and bool(request.accept_languages)


def chosen(wanted: str | None, own: Callable[[], str], accepted: LanguageAccept) -> str:
    """The language for somebody who has chosen this one or none, at a table with a language of its own or none."""
    if wanted in LANGUAGES:
        return wanted
    ours = own()
    return ours if ours in LANGUAGES else accepted.best_match(LANGUAGES) or "en"


def language() -> str:
    """The language of this request."""
    locale = get_locale()
    return locale.language if locale is not None else "en"


@blueprint.get("/language/<code>")
def choose_language(code: str) -> Response:
    """Remember the language on this device and return to the previous page."""
    # Only a path of this page, or the language switch could redirect people elsewhere.
    back = request.args.get("back", "/")
    is_ours = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    answer = redirect(back if is_ours else "/")
    if code in LANGUAGES:
        answer.set_cookie(COOKIE, code, max_age=YEAR, samesite="Lax", path=current_app.config["APPLICATION_ROOT"])
    return answer
