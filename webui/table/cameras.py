"""Which camera the table is seen through: what it shows, what else there is, and how to try again."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template

from webui.house import House
from webui.words.languages import language
from webui.words.telling import told_state
from webui.words.texts import N_, spoken

blueprint = Blueprint("cameras", __name__)

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
}


@blueprint.get("/cameras")
def cameras() -> str:
    house: House = current_app.config["HOUSE"]
    state = told_state(house.state(), language()) | {"alive": house.alive()}
    return render_template("cameras.html", state=state, script_texts=spoken(TEXTS))
