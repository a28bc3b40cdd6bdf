"""`magister bench`: the project's benchmarks, as ratios to a reference measured in the same run."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil

import firmware.bench
from firmware.bench import Row
from firmware.commands import Commands
from firmware.machine.errors import UsageError


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="run the benchmarks")
    parser.add_argument("names", metavar="NAME", nargs="*", help="benchmarks to run (default: all)")
    parser.add_argument("--json", action="store_true", help="print one JSON document per line, one per benchmark")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    known = sorted(module.name for module in pkgutil.iter_modules(firmware.bench.__path__) if not module.ispkg)
    for name in args.names:
        if name not in known:
            raise UsageError(f"unknown benchmark {name!r}; there are: {', '.join(known)}")
    met = True
    for name in args.names or known:
        rows: list[Row] = importlib.import_module(f"firmware.bench.{name}").measure()
        met &= all(row.ok for row in rows)
        if args.json:
            print(json.dumps({"bench": name, "rows": [row.record() for row in rows]}), flush=True)
        else:
            print("\n".join([name, *(f"  {row}" for row in rows)]), flush=True)
    return 0 if met else 1
