"""The settings of the table: to be seen by all, changed with the PIN, checked by what reads the settings file."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, current_app, jsonify, make_response, render_template
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.invitation import code_of
from webui.access.safety import RefusedError, check_change, is_let_in, let_in
from webui.api.bodies import read_body
from webui.api.openapi import answer as described
from webui.api.openapi import refusals
from webui.api.paths import described_post, told
from webui.api.schemas import NEW_PIN, NOTHING
from webui.house import Access, House, HouseClosedError, NoIndexError, WishRefusedError
from webui.words.languages import NAMES
from webui.words.texts import N_, spoken

blueprint = Blueprint("settings", __name__)

TEXTS = {
    "saved": N_("Saved."),
    "needs_restart": N_("Saved. It takes effect when the program is restarted."),
    "no_file": N_("This is not a file that `magister calibrate` has written."),
    "restart": N_("Restart the program now? It takes a few seconds, and a match at the table goes on."),
    "restarting": N_("Restarting …"),
    "pin_changed": N_("The PIN has been changed. All other devices must enter the new one."),
    "restore": N_("Replace the matches here with those of the backup? A match at the table is put aside."),
    "newer": N_("Version {version} is available. Install it the same way as this one, then restart."),
    "newest": N_("This is the newest version."),
    "restored": N_("Restored. What was here before is kept on the machine."),
}
PATHS: Json = {
    "/settings/pin": {
        "post": {
            "summary": "Change the table's PIN; every device must enter the new one",
            "requestBody": {"required": True, "content": {"application/json": {"schema": NEW_PIN}}},
            "responses": {"200": described("changed", {"type": "object", "properties": {}})}
            | refusals(400, 401, 403, 409, 413, 415, 429, 503),
            "security": [{"pin": []}, {"device": [], "token": []}],
        }
    },
    "/settings/newer": described_post(
        "Look for a newer version in the package index named in the settings",
        NOTHING,
        described("the newest version if it is newer than this one, else empty", told({"version": {"type": "string"}})),
        guarded=True,
    ),
}
NO_INDEX = N_("Cannot look for newer versions right now: the package index does not answer.")


@blueprint.get("/settings")
def index() -> Response:
    house: House = current_app.config["HOUSE"]
    try:
        chosen: Json | None = house.wish("settings", {})
    except (WishRefusedError, HouseClosedError):
        chosen = None
    page = render_template(
        "settings.html",
        chosen=chosen,
        state={"usual_clock": (chosen or {}).get("clock", "")},
        voices=NAMES,
        code=code_of(current_app.config["ACCESS"]) if is_let_in() else "",
        logged=house.archive is not None,
        updates=house.updates,
        script_texts=spoken(TEXTS),
    )
    answer = make_response(page)
    # It may show the PIN: nobody keeps it.
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.post("/api/v1/settings/newer")
def look_for_newer() -> Response:
    check_change()
    read_body(NOTHING)
    house: House = current_app.config["HOUSE"]
    try:
        if not house.updates.index:
            raise NoIndexError
        return jsonify(version=house.updates.offered())
    except NoIndexError as error:
        raise RefusedError(409, "refused", NO_INDEX) from error


@blueprint.post("/api/v1/settings/pin")
def change_pin() -> Response:
    check_change()
    body = read_body(NEW_PIN)
    house: House = current_app.config["HOUSE"]
    house.wish("new_pin", body)
    access: Access = current_app.config["ACCESS"]
    current_app.config["ACCESS"] = replace(access, pin=body["pin"])
    # Whoever has changed it knows it.
    let_in(body["pin"])
    return jsonify({})
