"""The commands of `magister`, one module each: `register` says how it is called, `run` does it."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
