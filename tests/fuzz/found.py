"""Keeps cases with a breach, with the messages: the first of each fault."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.server import Ran
from tests.fuzz.verdict import Breach

_MOST = 6000


def keep(folder: Path, name: str, case: Case, ran: Ran, found: list[Breach]) -> None:
    """Writes the case's files and a text to a folder of the fault, unless that is there already."""
    place = folder / re.sub(r"\W+", "_", f"{found[0].what} {found[0].signature}")[:120].strip("_")
    if place.exists():
        return
    (place / "case").mkdir(parents=True)
    case.write(place / "case")
    kind, seed, number = name.rsplit("-", 2)
    lines = [
        f"app.py {shlex.join(case.words)}   (in this folder; entry {case.entry}, settings {dict(case.settings)})",
        f"again: python -m tests.fuzz --seed {seed} --kind {kind} --number {number} --count 999999",
        f"exit code {ran.code}, signal {ran.signal}",
        f"{ran.seconds:.1f} s CPU, {ran.wall_seconds:.1f} s, {ran.bytes_at_most >> 20} MiB",
        *(f"{each.what}: {each.detail}" for each in found),
        "--- stderr", ran.stderr[:_MOST], "--- crash", ran.crash[-_MOST:], "--- stack", ran.stack[:_MOST],
    ]  # fmt: skip
    (place / "about.txt").write_text("\n".join(lines), encoding="utf-8", errors="backslashreplace")
