"""Backup and restore for those who have no command line: one file down, one file up, both behind the PIN."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, make_response, request
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.safety import RefusedError, check_change
from webui.api.openapi import SECURITY, answer, refusals
from webui.house import Archive, BackupError, House

blueprint = Blueprint("backup", __name__, url_prefix="/api/v1")

ZIP = "application/zip"
LARGEST = 32 * 1024 * 1024
"""Bytes of a backup that is sent: some thousand matches."""
_FILE: Json = {"type": "string", "format": "binary"}
PATHS: Json = {
    "/backup": {
        "post": {
            "summary": "All matches, settings, lens and colours in one file",
            "responses": {"200": answer("a zip file", _FILE, ZIP)} | refusals(401, 403, 409, 429),
            "security": SECURITY,
        }
    },
    "/restore": {
        "post": {
            "summary": "Replace the matches here with those of a backup; the old file is kept",
            "requestBody": {"required": True, "content": {ZIP: {"schema": _FILE}}},
            "responses": {"200": answer("what was done", {"type": "object"})}
            | refusals(400, 401, 403, 409, 413, 415, 429, 503),
            "security": SECURITY,
        }
    },
}


@blueprint.post("/backup")
def backup() -> Response:
    check_change()
    try:
        name, data = _archive().backup()
    except BackupError as error:
        raise RefusedError(409, "no-backup", str(error)) from error
    sent = make_response(data)
    sent.headers["Content-Type"] = ZIP
    sent.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    sent.headers["Cache-Control"] = "no-store"
    return sent


@blueprint.post("/restore")
def restore() -> Response:
    check_change()
    if request.mimetype != ZIP:
        raise RefusedError(415, "not-zip", "the body must be a backup, sent as application/zip")
    request.max_content_length = LARGEST
    try:
        file = _archive().take_in(request.get_data())
    except BackupError as error:
        raise RefusedError(400, "no-backup", str(error)) from error
    return jsonify(_house().wish("restore", {"file": file}))


def _house() -> House:
    house: House = current_app.config["HOUSE"]
    return house


def _archive() -> Archive:
    archive = _house().archive
    if archive is None:
        raise RefusedError(409, "no-backup", "matches are not recorded here")
    return archive
