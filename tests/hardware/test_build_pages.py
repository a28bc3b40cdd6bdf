"""The building pages say what the data says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from build_pages import BLOCK, BLOCKS, DOCS, DRAWINGS, PAGES, all_wires, budget, filled

from firmware.settings.pins import HEADER, Pins
from hardware.build.models import piece_kinds
from hardware.build.parts import GROUPS, parts_list, total
from hardware.build.wiring import BUILDS

ADVICE = "run make -C hardware/build pages"
LINK = re.compile(r"\]\(([^)#\s]+)")


@pytest.mark.parametrize("language", PAGES)
def test_a_page_is_as_it_would_be_made_now(language: str) -> None:
    page = PAGES[language].read_text(encoding="utf-8")
    assert {match[2] for match in BLOCK.finditer(page)} == set(BLOCKS), "every table is on the page"
    assert page == filled(page, language), ADVICE


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_as_it_would_be_made_now(name: str) -> None:
    assert (DOCS / "pictures" / name).read_text(encoding="utf-8") == DRAWINGS[name](), ADVICE


@pytest.mark.parametrize("language", PAGES)
def test_the_pin_table_is_the_firmware_s(language: str) -> None:
    rows = [line.split("|") for line in BLOCKS["pins"](language)][2:]
    told = {(int(row[2]), int(row[3])) for row in rows}
    assert {(pin, HEADER[pin]) for _, pin in Pins()} <= told
    assert told == {(wire.gpio, wire.header) for wire in all_wires()}


@pytest.mark.parametrize("page", [*PAGES.values(), DOCS / "install.md"], ids=lambda path: path.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("language", PAGES)
def test_every_section_the_page_points_to_is_there(language: str) -> None:
    page = PAGES[language].read_text(encoding="utf-8")
    headings = [
        re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in page.splitlines()
        if line.startswith("## ")
    ]
    for anchor in re.findall(r"\]\(#([^)]+)\)", page):
        assert anchor in headings


def test_both_pages_have_the_same_pictures_and_steps() -> None:
    english, german = (PAGES[language].read_text(encoding="utf-8") for language in ("en", "de"))
    for pattern in (r"^## ", r"^\d\. ", r"^!\[|^   !\[", r"^```"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, german, re.MULTILINE)), (
            pattern
        )


def test_the_parts_list_is_whole() -> None:
    parts = parts_list(all_wires(), budget())
    assert {part.group for part in parts} == set(GROUPS)
    for part in parts:
        assert set(part.number) <= set(BUILDS)
        assert all(part.name.values())
        assert bool(part.instead["en"]) == bool(part.instead["de"])
        assert "{" not in "".join((*part.name.values(), *part.instead.values()))
    assert total(parts, "table") < total(parts, "deluxe")
    by_name = {part.name["en"]: part for part in parts}
    resistors = next(part for name, part in by_name.items() if name.startswith("resistors"))
    assert resistors.number["table"] == sum(wire.kind in ("rgb", "led") for wire in all_wires())


def test_the_parts_list_knows_how_high_the_pieces_are() -> None:
    names = [part.name["en"] for part in parts_list(all_wires(), budget())]
    for kind in piece_kinds():
        said = f"{kind.number} × {kind.name} of {kind.height:g} mm"
        assert any(said in name and f"Ø {kind.diameter:g} mm" in name for name in names), said
