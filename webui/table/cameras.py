"""Which camera the table is seen through: what it shows, what else there is, and how to try again."""

from __future__ import annotations

from base64 import b64encode

from flask import Blueprint, current_app, jsonify, render_template
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.safety import RefusedError, check_change
from webui.api.bodies import read_body
from webui.api.openapi import answer
from webui.api.paths import described_post, told
from webui.api.schemas import record, text
from webui.house import House
from webui.words.languages import language
from webui.words.telling import told_state
from webui.words.texts import N_, spoken

blueprint = Blueprint("cameras", __name__)

NOTHING_SEEN = N_("This camera is not giving a picture right now. Is another program using it?")
GLANCE = record({"camera": text(300)})
PATHS: Json = {
    "/camera/glance": described_post(
        "What a webcam that is not in use sees; it is opened for a moment",
        GLANCE,
        answer("a JPEG", told({"jpeg": {"type": "string", "description": "in base64"}})),
        guarded=True,
    )
}

TEXTS = {
    "stale": N_("Out of date: there has been no news from the table for a while."),
    "offline": N_("Connection lost. Trying again …"),
    "camera_off": N_("The camera has no picture yet."),
    "works": N_("This camera works."),
    "waiting": N_("Waiting for the first picture …"),
    "opening": N_("Opening the camera …"),
    "sim": N_("Simulated table"),
    "picamera2": N_("Raspberry Pi camera"),
    "usb": N_("USB camera {number}"),
    "url": N_("Network camera {address}"),
    "phone": N_("A phone"),
    "in_use": N_("in use"),
    "use": N_("Use this camera"),
    "again": N_("Try again"),
    "sees": N_("What {camera} sees"),
    "look": N_("Show its picture"),
}


@blueprint.get("/cameras")
def cameras() -> str:
    house: House = current_app.config["HOUSE"]
    state = told_state(house.state(), language()) | {"alive": house.alive()}
    return render_template("cameras.html", state=state, script_texts=spoken(TEXTS))


@blueprint.post("/api/v1/camera/glance")
def glance() -> Response:
    """Only for those with the PIN: a webcam that is not over the board may show a room."""
    check_change()
    house: House = current_app.config["HOUSE"]
    jpeg = house.glance(read_body(GLANCE)["camera"])
    if jpeg is None:
        raise RefusedError(409, "refused", NOTHING_SEEN)
    return jsonify(jpeg=b64encode(jpeg).decode())
