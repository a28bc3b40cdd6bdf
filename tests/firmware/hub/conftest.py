from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hub_room import PASSWORD, HubRoom, send

from firmware.hub.club import HubClub
from webui.hub import create_hub_app


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HubRoom]:
    made = HubRoom(tmp_path)
    yield made
    made.close()


@pytest.fixture
def people(room: HubRoom) -> Callable[[str], FlaskClient]:
    """Somebody with a role, or nobody, at a browser of their own."""
    app = create_hub_app(HubClub(room.hub, "mqtt://127.0.0.1:1883"), b"secret")

    def browser(role: str = "") -> FlaskClient:
        client = app.test_client()
        if role:
            answer = send(client, "/api/v1/join", token=room.hub.people.invite(role), name=role, password=PASSWORD)
            assert answer.status_code == 200, answer.text
        return client

    return browser
