"""What the program withstands: kills, power cuts, damaged files, full disks, odd clocks, failing cameras, crowds.

`MAGISTER_KILLS`, `MAGISTER_CUTS`, `MAGISTER_CALLS` set how many writers are killed, power cuts replayed and calls made
(1,000, 1,000 and 2,000), `MAGISTER_DAMAGED` how many logs are damaged in each way (200), `MAGISTER_TROUBLED` how many
matches see each trouble of the disk (20), `MAGISTER_FILMED` each trouble of the camera (2), `MAGISTER_PAGES` how often
the page is killed (10), `MAGISTER_RUNS` how often the whole program is (20), `MAGISTER_CROWD` whether a crowd comes to
the page (1). What is set to 0 is left out. Shares come with Wilson's interval (95 %).
Connections are made to this machine only, from its own addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware.bench import Row, setting
from firmware.bench.rigs.camera_trouble import TROUBLES, play_with
from firmware.bench.rigs.damage import damaged_files, damaged_journals, write_logs
from firmware.bench.rigs.disk_trouble import Trouble, clock_jumps, full_disk, read_only_disk
from firmware.bench.rigs.fuzz import fuzz
from firmware.bench.rigs.hit_rate import HitRate
from firmware.bench.rigs.kills import kill_runs
from firmware.bench.rigs.log_trial import survive
from firmware.bench.rigs.page_trouble import crowded, killed_pages
from firmware.bench.rigs.power_cuts import power_cuts

IDLE, STREAMING, ASKED = 1000, 300, 40
SAVED = 0.99


def measure() -> list[Row]:
    with TemporaryDirectory(prefix="magister-faults-") as name:
        folder = Path(name)
        # One of the trials goes on as another user.
        folder.chmod(0o711)
        return [
            *_kills(folder),
            *_cuts(folder),
            *_damage(folder),
            *_disk(folder),
            *_camera(),
            *_page(folder),
            *_calls(folder),
        ]


def _kills(folder: Path) -> Iterator[Row]:
    if kills := setting("MAGISTER_KILLS", 1000):
        writers = survive(folder / "killed.sqlite", kills, Random(1))
        yield from _lost(f"{writers.kills} writers killed", len(writers.lost), len(writers.confirmed))
    if kills := setting("MAGISTER_RUNS", 20):
        runs = kill_runs(folder / "runs.sqlite", kills, Random(1))
        yield from _lost(f"{runs.kills} whole programs killed", len(runs.lost), runs.confirmed)


def _cuts(folder: Path) -> Iterator[Row]:
    wanted = setting("MAGISTER_CUTS", 1000)
    if not wanted:
        return
    cuts = power_cuts(wanted, _made(folder, "cuts"), Random(1))
    yield from _lost(f"{cuts.cuts} power cuts", cuts.lost + len(cuts.flaws), cuts.announced)
    yield _none(f"sound logs called damaged after {cuts.cuts} power cuts", cuts.alarms, cuts.cuts)


def _damage(folder: Path) -> Iterator[Row]:
    tries, random = setting("MAGISTER_DAMAGED", 200), Random(1)
    if not tries:
        return
    whole, cut = write_logs(_made(folder, "damage"), random)
    for what, second in (("", True), (" without the second copy", False)):
        journals = damaged_journals(cut, tries, random, second_copy=second)
        files = damaged_files(whole, tries, random, second_copy=second)
        for kind, damage in (("journals", journals), ("files", files)):
            silent = damage.noticed.all - damage.noticed.right
            # One bit in the last commit looks like a cut: without a second copy nobody can tell.
            goal = None if kind == "journals" and not second else 0
            yield _none(f"damaged {kind}{what} taken for sound", silent, damage.noticed.all, goal)
            yield _share(f"readable events rescued from damaged {kind}{what}", damage.rescued, SAVED)


def _disk(folder: Path) -> Iterator[Row]:
    kinds: dict[str, Callable[[Path, int], Trouble]] = {
        "a full disk": full_disk,
        "a disk that may only be read": read_only_disk,
        "clocks that jump": clock_jumps,
    }
    matches = setting("MAGISTER_TROUBLED", 20)
    for what, trial in kinds.items() if matches else ():
        told = [
            trial(_made(folder, f"{what} {seed}".replace(" ", "-")) / "log.sqlite", seed) for seed in range(matches)
        ]
        yield from _lost(
            f"{matches} matches with {what}", sum(each.lost for each in told), sum(each.played for each in told)
        )
        if what != "clocks that jump":
            yield _share(
                f"matches with {what} in which that was said", HitRate(sum(each.told for each in told), matches), 1.0
            )


def _camera() -> Iterator[Row]:
    matches = setting("MAGISTER_FILMED", 2)
    for trouble in TROUBLES if matches else ():
        told = [play_with(trouble, seed) for seed in range(matches)]
        right = HitRate(sum(each.right for each in told), sum(each.played for each in told))
        yield _share(f"actions seen by a camera that {trouble} now and then", right, 1.0)
        yield _none(f"false events by a camera that {trouble}", sum(each.wrong for each in told), right.all)


def _page(folder: Path) -> Iterator[Row]:
    kills = setting("MAGISTER_PAGES", 10)
    if kills:
        seconds = sorted(killed_pages(folder / "page.sqlite", kills))
        yield Row(
            what=f"the page answers again after {kills} kills, slowest",
            value=seconds[-1],
            unit="s",
            goal=15,
            at_most=True,
        )
    if not setting("MAGISTER_CROWD", 1):
        return
    crowd = crowded(folder / "page.sqlite", IDLE, STREAMING, ASKED)
    what = f"{crowd.idle} idle and {crowd.streaming} streaming connections from one address"
    yield _share(f"{what}: others answered", HitRate(crowd.answered, crowd.asked), 1.0)
    slow = crowd.seconds[len(crowd.seconds) * 95 // 100]
    yield Row(what=f"{what}: others wait, 95 of 100 at most", value=slow, unit="s", goal=1.0, at_most=True)


def _calls(folder: Path) -> Iterator[Row]:
    calls = setting("MAGISTER_CALLS", 2000)
    if not calls:
        return
    told = fuzz(calls, _made(folder, "fuzz"), Random(1))
    for kind, found in (("with a traceback", told.tracebacks), ("that hung", told.hung)):
        yield _none(f"fuzzed calls {kind}{': ' if found else ''}{'; '.join(found[:3])}", len(found), calls)


def _made(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def _lost(what: str, lost: int, of: int) -> Iterator[Row]:
    yield _none(f"{what}: announced events lost", lost, of)


def _none(what: str, count: int, of: int, goal: float | None = 0) -> Row:
    """Something of which there should be none."""
    high = HitRate(count, of).interval[1]
    return Row(what=f"{what} (of {of}; up to {100 * high:.2g} %)", value=count, goal=goal, at_most=True)


def _share(what: str, rate: HitRate, goal: float) -> Row:
    low, high = rate.interval
    return Row(
        what=f"{what} ({rate.right}/{rate.all}, {100 * low:.2f}–{100 * high:.2f} %)", value=rate.share, goal=goal
    )
