"""Runs the fuzzer in another process, which forks: one with threads or a context could not."""

from __future__ import annotations

import subprocess
import sys

from tests.checkout import ROOT


def breaches(*words: str) -> str:
    """Returns what `python -m tests.fuzz` with these words reports of each file without its answer or its line."""
    line = [sys.executable, "-m", "tests.fuzz", *words]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    if ended.returncode not in (0, 1) or " files, " not in ended.stdout:
        return f"the fuzzer ended with {ended.returncode}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
    return ended.stdout if ended.returncode else ""
