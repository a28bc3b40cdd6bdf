"""The commands of `magister`, one module each: `register` adds its arguments, `run` does the work."""

from __future__ import annotations

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
