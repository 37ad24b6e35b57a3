"""Formats the peers as a table, in a terminal and in a page between two marks."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers.measuring import Peer
from benchmarks.peers.model import About
from texelscope.pipeline.atomic_files import write_whole
from texelscope.pipeline.errors import printable

HEADINGS = ("engine", "warm ms", "least", "ratio", "first result ms", "ratio", "runs", "differs by", "driver")


def rows_of(peers: Sequence[Peer]) -> list[tuple[str, ...]]:
    """Returns the texts under `HEADINGS`; ratios are to the first engine that ran, above 1 it takes longer."""
    base = next((peer for peer in peers if not peer.missing), None)
    rows = []
    for peer in peers:
        if peer.missing or base is None:
            rows.append((peer.name, *[""] * 7, peer.missing))
            continue
        rows.append(
            (
                peer.name,
                f"{peer.warm_ms:.1f}",
                f"{peer.least_ms:.1f}",
                f"{peer.warm_ms / base.warm_ms:.2f}",
                f"{peer.first_ms:.0f}{'*' if peer.since != 'process' else ''}",
                f"{peer.first_ms / base.first_ms:.2f}",
                str(peer.runs),
                f"{peer.off_by:.0e}",
                f"{peer.version}: {printable(peer.driver)}",
            )
        )
    return rows


def headline(about: About) -> str:
    """Describes the run."""
    return f"{about.title}: {about.parameters:,} parameters, {about.macs / 1e9:.2f} G multiply-adds"


NOTE = (
    "Medians, output read back into memory. First results count from a process's start with empty shader caches; "
    "* from the browser's launch."
)


def text(about: About, peers: Sequence[Peer]) -> str:
    """Formats the table for a terminal."""
    rows = [HEADINGS, *rows_of(peers)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    ends = {0, len(HEADINGS) - 1}
    lines = [
        "  ".join(row[i].ljust(width) if i in ends else row[i].rjust(width) for i, width in enumerate(widths))
        for row in rows
    ]
    return "\n".join([headline(about), "", *(line.rstrip() for line in lines), "", NOTE])


def markdown(about: About, peers: Sequence[Peer]) -> str:
    """Formats the table as a section of a page."""
    rows = [f"| {' | '.join(row)} |" for row in rows_of(peers)]
    marks = "|---|" + "---:|" * (len(HEADINGS) - 2) + "---|"
    head = [f"{headline(about)}.", "", f"| {' | '.join(HEADINGS)} |", marks]
    return "\n".join([*head, *rows, "", NOTE.replace("*", r"\*")])


def as_json(about: About, peers: Sequence[Peer]) -> str:
    """Returns strict JSON: an engine that did not run has no figures."""
    entries = [{name: _finite(value) for name, value in asdict(peer).items()} for peer in peers]
    figures = {"title": about.title, "parameters": about.parameters, "macs": about.macs, "peers": entries}
    return json.dumps(figures, indent=2, allow_nan=False)


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def put_between(page: Path, name: str, section: str) -> None:
    """Puts `section` between the page's comments `<!-- NAME -->` and `<!-- /NAME -->`, in place of the text there."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    whole = page.read_text(encoding="utf-8")
    if begin not in whole or end not in whole:
        raise SystemExit(f"{page}: expected the lines {begin} and {end}, found none. Add them where it is to stand.")
    head, rest = whole.split(begin, 1)
    tail = rest.split(end, 1)[1]
    new = f"{head}{begin}\n{section}\n{end}{tail}"
    write_whole(page, lambda unfinished: unfinished.write_text(new, encoding="utf-8"))
