from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_room import HubRoom


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HubRoom]:
    made = HubRoom(tmp_path)
    yield made
    made.close()
