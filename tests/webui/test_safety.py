"""Safe on a home network: who may look, who may change, and what comes of clumsy or wicked requests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from house import ACCESS, PaperHouse

from webui import create_app
from webui.access.invitation import PASSED_ON
from webui.access.names import is_answered, own_names
from webui.access.safety import HEADERS, Guesses
from webui.api.schemas import HARMLESS, WISHES

BODIES = {
    "/arbiter": {"calling": True},
    "/camera": {"camera": "usb:0"},
    "/match/clock": {"paused": True},
    "/settings/file": {"kind": "lens", "content": None},
    "/match/resume": {"match": 1},
    "/archive/names": {"match": 1, "names": ["Ada", "Ben"]},
    "/archive/remove": {"match": 1, "removed": True},
    "/match": {"game": "rings", "players": [{"colour": "red"}, {"colour": "blue", "name": "Ben"}], "first": "lot"},
    "/match/answer": {"action": "T>"},
    "/match/position": {"sites": {"T1": "red1"}, "seat": 1},
    "/match/resign": {"seat": 0},
    "/match/names": {"names": ["Ada", "Ben"]},
    "/match/setup": {"told": {"a1": {"pips": 3, "colour": "red"}}},
    "/match/call": {"site": "g1", "number": 4},
    "/assist": {"seat": 1, "level": "hints", "hints": 3},
}

GUARDED = [path for path, (wish, _) in WISHES.items() if wish not in HARMLESS]


@pytest.fixture
def house() -> PaperHouse:
    return PaperHouse()


@pytest.fixture
def client(house: PaperHouse) -> FlaskClient:
    return create_app(house, ACCESS).test_client()


def let_in(client: FlaskClient) -> dict[str, str]:
    """A device that has given the PIN: the headers its page sends."""
    token = client.get("/api/v1/session").json["token"]
    headers = {"X-Magister-Token": token}
    assert client.post("/api/v1/pin", json={"pin": ACCESS.pin}, headers=headers).json == {"may_change": True}
    return headers


@pytest.mark.parametrize("path", GUARDED)
def test_a_change_needs_the_pin_and_the_pages_token(client: FlaskClient, house: PaperHouse, path: str) -> None:
    body = BODIES.get(path, {})
    assert client.post(f"/api/v1{path}", json=body).status_code == 401
    headers = let_in(client)
    assert client.post(f"/api/v1{path}", json=body).json["error"] == "no-token"
    for origin in ("https://evil.example", "http://[x"):
        foreign = headers | {"Origin": origin}
        assert client.post(f"/api/v1{path}", json=body, headers=foreign).json["error"] == "foreign-page"
    crossing = headers | {"Sec-Fetch-Site": "cross-site"}
    assert client.post(f"/api/v1{path}", json=body, headers=crossing).json["error"] == "foreign-page"
    assert house.wishes == []
    assert client.post(f"/api/v1{path}", json=body, headers=headers).status_code == 200
    assert house.wishes == [(WISHES[path][0], body)]


def test_another_program_shows_the_pin_itself(client: FlaskClient, house: PaperHouse) -> None:
    assert client.post("/api/v1/match/draw", json={}, headers={"X-Magister-Pin": "0000"}).status_code == 403
    assert client.post("/api/v1/match/draw", json={}, headers={"X-Magister-Pin": ACCESS.pin}).status_code == 200
    assert house.wishes == [("draw", {})]


def test_a_device_is_remembered_until_the_pin_changes(client: FlaskClient) -> None:
    let_in(client)
    assert client.get("/api/v1/session").json["may_change"] is True
    other = type(ACCESS)("1234", ACCESS.secret)
    client.application.config["ACCESS"] = other
    assert client.get("/api/v1/session").json["may_change"] is False


def test_nobody_may_guess_for_long(client: FlaskClient) -> None:
    headers = {"X-Magister-Token": client.get("/api/v1/session").json["token"]}
    tries = [client.post("/api/v1/pin", json={"pin": str(k)}, headers=headers).status_code for k in range(7)]
    assert tries == [403] * 5 + [429] * 2
    assert client.post("/api/v1/pin", json={"pin": ACCESS.pin}, headers=headers).status_code == 429, (
        "not even with luck"
    )
    shown = client.post("/api/v1/match/draw", json={}, headers={"X-Magister-Pin": ACCESS.pin})
    assert shown.status_code == 429


def test_guessing_is_forgotten_after_a_minute_and_limited_over_all() -> None:
    now = 0.0
    guesses = Guesses(clock=lambda: now)
    for _ in range(5):
        assert guesses.wait("a") == 0
        guesses.wrong("a")
    assert guesses.wait("a") == 60
    assert guesses.wait("b") == 0
    now = 60.0
    assert guesses.wait("a") == 0
    for number in range(30):
        guesses.wrong(f"address {number}")
    assert guesses.wait("new") == 60, "who has many addresses is no faster"


def test_the_pin_is_in_no_cookie_and_no_page(client: FlaskClient) -> None:
    let_in(client)
    answer = client.get("/")
    cookie = client.get_cookie("magister")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    assert ACCESS.pin not in answer.text
    assert ACCESS.pin not in cookie.value


@pytest.mark.parametrize("path", ["/", "/new", "/api/v1/state", "/static/page.js", "/nowhere", "/api/v1/nowhere"])
def test_every_answer_is_strict(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/", "/new"])
def test_no_page_has_inline_script_or_style(client: FlaskClient, path: str) -> None:
    page = client.get(path).text
    assert " style=" not in page
    assert "<style" not in page
    assert "javascript:" not in page
    assert page.count("<script") == page.count('<script type="module" src=') + page.count(
        '<script type="application/json"'
    )


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/..\\app.py",
        "/..%2f..%2fetc/passwd",
        "/language/..%2f..%2fen",
    ],
)
def test_no_path_leads_out(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (302, 308, 404)
    assert b"import" not in answer.data
    assert b"root:" not in answer.data


def test_bodies_are_bounded(client: FlaskClient, house: PaperHouse) -> None:
    headers = let_in(client)
    names = {"names": ["x" * 100_000]}
    assert client.post("/api/v1/match/names", json=names, headers=headers).status_code == 413
    assert house.wishes == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/match/answer", {}),
        ("/match/answer", {"action": 3}),
        ("/match/answer", {"action": "x" * 61}),
        ("/match/answer", {"action": "a\nb"}),
        ("/match/answer", {"action": "T>", "more": 1}),
        ("/match/answer", ["T>"]),
        ("/match/resign", {"seat": True}),
        ("/match/resign", {"seat": -1}),
        ("/match/names", {"names": []}),
        ("/match/position", {"sites": {"T1": None}}),
        ("/match", {"game": "rings", "players": [{"colour": "pink"}]}),
        ("/match", {"game": "rings", "players": [{"colour": "red"}], "first": "me"}),
    ],
)
def test_what_does_not_fit_gets_one_sentence(client: FlaskClient, house: PaperHouse, path: str, body: object) -> None:
    answer = client.post(f"/api/v1{path}", json=body, headers=let_in(client))
    assert answer.status_code == 400
    assert "\n" not in answer.json["message"]
    assert house.wishes == []


def test_a_body_that_is_no_json_is_refused(client: FlaskClient) -> None:
    headers = let_in(client)
    assert client.post("/api/v1/match/draw", data="draw", headers=headers).status_code == 415
    broken = client.post("/api/v1/match/draw", data="{", headers=headers, content_type="application/json")
    assert broken.status_code == 400


def test_a_refusal_of_the_table_is_a_sentence(client: FlaskClient, house: PaperHouse) -> None:
    house.refuses = "the match is over"
    answer = client.post("/api/v1/match/draw", json={}, headers=let_in(client))
    assert (answer.status_code, answer.json["message"]) == (409, "the match is over")


def test_only_what_changes_the_session_sends_it(client: FlaskClient) -> None:
    # A slow answer to an old request would otherwise bring back the session from before the PIN was given.
    let_in(client)
    for path in ("/", "/new", "/api/v1/state", "/api/v1/session"):
        assert "Set-Cookie" not in client.get(path).headers


def test_fonts_are_kept_and_everything_else_is_asked_for_again(client: FlaskClient) -> None:
    with client.get("/static/fonts/SourceSans-Regular.woff2") as font, client.get("/static/page.js") as script:
        assert "immutable" in font.headers["Cache-Control"]
        assert "max-age=0" in script.headers["Cache-Control"]
    assert client.get("/api/v1/state").headers["Cache-Control"] == "no-store"


def test_a_body_nested_without_end(client: FlaskClient) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/v1/pin", data="[" * 20_000, headers=headers)
    assert (answer.status_code, answer.json["error"]) == (400, "not-json")


def test_a_page_elsewhere_cannot_take_this_machine_for_its_own(house: PaperHouse) -> None:
    client = create_app(house, replace(ACCESS, names=frozenset({"club.example"}))).test_client()
    for path in ("/", "/api/v1/picture.jpg", "/api/v1/state", "/api/v1/events", "/static/page.js", "/matches"):
        assert client.get(path, headers={"Host": "evil.example:8000"}).status_code == 403, path
    assert client.post("/api/v1/match/draw", json={}, headers={"Host": "evil.example"}).status_code == 403
    for host in ("localhost:8000", "127.0.0.1:8000", "[::1]:8000", "192.168.1.20", "magister.local", "CLUB.example."):
        assert client.get("/api/v1/state", headers={"Host": host}).status_code == 200, host


@pytest.mark.parametrize("host", ["raspberrypi.evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""])
def test_a_name_that_only_begins_like_ours_is_not_ours(host: str) -> None:
    assert not is_answered(host, own_names(lambda: "raspberrypi"))


@pytest.mark.parametrize("host", ["raspberrypi", "RaspberryPi.local:8000", "raspberrypi.fritz.box", "raspberrypi.lan."])
def test_the_machines_own_names_are_answered(host: str) -> None:
    assert is_answered(host, own_names(lambda: "raspberrypi"))


def test_a_trick_at_a_simulated_table_needs_no_pin_but_its_own_page(client: FlaskClient, house: PaperHouse) -> None:
    ask = {"json": {"what": "cheat"}}
    assert client.post("/api/v1/table/trick", **ask).status_code == 403
    headers = {"X-Magister-Token": client.get("/api/v1/session").json["token"]}
    assert client.post("/api/v1/table/trick", headers=headers, **ask).status_code == 200
    elsewhere = headers | {"Origin": "http://evil.example"}
    assert client.post("/api/v1/table/trick", headers=elsewhere, **ask).status_code == 403
    assert [kind for kind, _ in house.wishes] == ["trick"]


NETWORK = replace(ACCESS, address="http://192.168.1.20:8000/", screen=True)


@pytest.mark.parametrize("here", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_the_tables_own_screen_shows_address_and_pin(house: PaperHouse, here: str, host: str) -> None:
    client = create_app(house, NETWORK).test_client()
    asked = {"headers": {"Host": host}, "environ_base": {"REMOTE_ADDR": here}}
    assert 'href="/screen"' in client.get("/", **asked).text
    answer = client.get("/screen", **asked)
    assert "<svg" in answer.text
    assert "http://192.168.1.20:8000/" in answer.text
    assert ACCESS.pin in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("address", "host", "passed_on"),
    [
        ("192.168.1.7", "192.168.1.20:8000", {}),
        ("192.168.1.7", "localhost:8000", {}),
        ("::ffff:192.168.1.7", "localhost:8000", {}),
        ("", "localhost:8000", {}),
        ("127.0.0.1", "magister.local", {}),
        ("127.0.0.1", "192.168.1.20:8000", {}),
        ("127.0.0.1", "localhost.evil.example", {}),
        *(("127.0.0.1", "localhost:8000", {name: "192.168.1.7"}) for name in PASSED_ON),
    ],
)
def test_nobody_elsewhere_sees_the_pin(house: PaperHouse, address: str, host: str, passed_on: dict[str, str]) -> None:
    client = create_app(house, NETWORK).test_client()
    for path in ("/screen", "/", "/settings", "/new", "/start", "/api/v1/state", "/api/v1/session"):
        answer = client.get(path, headers={"Host": host} | passed_on, environ_base={"REMOTE_ADDR": address})
        assert ACCESS.pin not in answer.text
        assert 'href="/screen"' not in answer.text
    assert answer.status_code in (200, 403)
    asked = client.get("/screen", headers={"Host": host} | passed_on, environ_base={"REMOTE_ADDR": address})
    assert asked.status_code in (403, 404)


def test_no_screen_shows_the_pin_unless_somebody_wants_it(house: PaperHouse) -> None:
    """A web server in front of the page may look like a browser at the machine, and pass on what it is told."""
    client = create_app(house, replace(NETWORK, screen=False)).test_client()
    for path in ("/screen", "/"):
        answer = client.get(path, headers={"Host": "localhost:8000"}, environ_base={"REMOTE_ADDR": "127.0.0.1"})
        assert ACCESS.pin not in answer.text
        assert 'href="/screen"' not in answer.text
    assert client.get("/screen", headers={"Host": "localhost:8000"}).status_code == 404


def test_where_no_phone_finds_the_page_there_is_nothing_to_scan(client: FlaskClient) -> None:
    """A demo that listens to its own machine alone."""
    assert client.get("/screen").status_code == 404
    assert 'href="/screen"' not in client.get("/").text
