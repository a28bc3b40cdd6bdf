"""The page as an app: it can be installed, is honest while the table is away, and its API can be read by people."""

from __future__ import annotations

import re
import struct

from browsing import OpenPage
from house import ACCESS, PaperHouse
from page_table import PageTable
from playwright.sync_api import expect

from webui import create_app
from webui.api.page import operations, sketch

client = create_app(PaperHouse(version="7.8.9"), ACCESS).test_client()


def got(path: str) -> bytes:
    """What the page serves there, its file closed again."""
    with client.get(path) as answer:
        assert answer.status_code == 200
        return answer.data


def test_the_manifest_names_icons_that_are_there_and_as_large_as_it_says() -> None:
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": "de"})
    told = answer.json
    assert answer.mimetype == "application/manifest+json"
    assert told is not None
    assert (told["start_url"], told["display"]) == ("/", "standalone")
    for icon in told["icons"]:
        data = got(icon["src"])
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", data[16:24])
        assert f"{width}x{height}" == icon["sizes"]
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}


def test_the_worker_keeps_nothing_that_tells_of_a_table() -> None:
    script = client.get("/worker.js").text
    assert '"magister-7.8.9"' in script, "another version forgets what this one kept"
    kept = re.findall('"(/[^"]*)"', script)
    assert "/offline" in kept
    assert all(path == "/offline" or path.startswith("/static/") for path in kept)
    assert "cache.put" not in script
    for path in kept:
        page = got(path).decode()
        assert ACCESS.pin not in page
        assert 'name="token"' not in page


def test_without_the_table_the_app_says_so_and_shows_no_old_verdict(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", forgive="ERR_")
    table.play("+I1")
    expect(page.locator("#before")).to_contain_text("+I1")
    page.evaluate("navigator.serviceWorker.ready.then(() => caches.match('/offline'))")
    page.reload()
    table.close()
    page.goto(f"{table.address}/matches")
    expect(page.locator("h1")).to_have_text("The table does not answer.")
    assert page.locator("#verdict").count() == 0
    page.goto(f"{table.address}/")
    expect(page.locator("h1")).to_have_text("The table does not answer.")
    assert page.evaluate("document.styleSheets.length") == 1, "it looks as it should"


def test_every_operation_has_a_name_and_a_group_and_is_on_the_page_for_people() -> None:
    described = client.get("/api/v1/openapi.json").json
    assert described is not None
    told = list(operations(described))
    names = [each["operationId"] for _, _, each in told]
    assert len(set(names)) == len(names) > 30
    tags = {tag["name"] for tag in described["tags"]}
    assert {tag for _, _, each in told for tag in each["tags"]} == tags
    page = client.get("/api").text
    for path, _, each in told:
        assert f'id="{each["operationId"]}"' in page
        assert path in page
    assert "http://" not in page.replace("http://www.w3.org", ""), "nothing comes from elsewhere"


def test_a_sketch_shows_what_fits_a_schema() -> None:
    schemas = {"Player": {"type": "object", "properties": {"name": {"type": "string"}}}}
    schema = {
        "type": "object",
        "properties": {
            "who": {"type": "array", "items": {"$ref": "#/components/schemas/Player"}},
            "first": {"anyOf": [{"type": ["integer", "null"]}, {"type": "string"}]},
            "kind": {"type": "string", "enum": ["a", "b"]},
        },
    }
    assert sketch(schema, schemas) == {"who": [{"name": "string"}], "first": "integer or null", "kind": "a | b"}
