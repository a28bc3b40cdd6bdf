"""Films and analyses cost the machine much: each address gets them only so often."""

from __future__ import annotations

from flask.testing import FlaskClient
from house import ACCESS, PaperArchive, PaperHouse

from webui import create_app
from webui.access.thrift import MOST_KNOWN, Purses


def client() -> FlaskClient:
    house = PaperHouse()
    house.archive = PaperArchive({1: {"id": 1, "secret": False}}, {(1, "gif"): b"GIF89a"})
    return create_app(house, ACCESS).test_client()


def test_each_address_gets_only_so_many_films_at_once() -> None:
    page = client()
    codes = [page.get("/api/v1/matches/1/export/gif").status_code for _ in range(40)]
    assert codes[:30] == [200] * 30
    assert codes[-1] == 429
    assert page.get("/matches/1/export/gif").status_code == 429, "on the page as well"
    assert "please wait" in page.get("/api/v1/matches/1/export/gif").json["message"]
    other = page.get("/api/v1/matches/1/export/gif", environ_base={"REMOTE_ADDR": "192.168.1.9"})
    assert other.status_code == 200


def test_time_fills_the_purse_again_and_no_further() -> None:
    now = [0.0]
    purses = Purses(most=2, each_second=0.5, clock=lambda: now[0])
    assert [purses.spend("a") for _ in range(3)] == [0.0, 0.0, 2.0]
    now[0] = 2.0
    assert [purses.spend("a") for _ in range(2)] == [0.0, 2.0]
    now[0] = 1000.0
    assert [purses.spend("a") for _ in range(3)] == [0.0, 0.0, 2.0]


def test_no_more_addresses_are_remembered_than_need_be() -> None:
    purses = Purses(clock=lambda: 0.0)
    for number in range(MOST_KNOWN + 50):
        purses.spend(str(number))
    assert len(purses.left) == MOST_KNOWN
