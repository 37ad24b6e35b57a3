"""Summarises many files: a row a kind, a line a fault."""

from __future__ import annotations

import time
from collections import Counter

from tests.fuzz.server import Ran
from tests.fuzz.verdict import Breach


class Summary:
    """Counts as cases end."""

    def __init__(self) -> None:
        self.count = self.breached = 0
        self._started = time.monotonic()
        self._files: Counter[str] = Counter()
        self._codes: dict[str, Counter[int]] = {}
        self._breached: Counter[str] = Counter()
        self._signatures: Counter[str] = Counter()
        self._slowest: dict[str, float] = {}
        self._largest: dict[str, int] = {}

    def add(self, kind: str, ran: Ran, found: list[Breach]) -> None:
        """Adds one more case."""
        self.count += 1
        self._files[kind] += 1
        self._codes.setdefault(kind, Counter())[ran.code] += 1
        self._slowest[kind] = max(self._slowest.get(kind, 0.0), ran.seconds)
        self._largest[kind] = max(self._largest.get(kind, 0), ran.bytes_at_most)
        if found:
            self.breached += 1
            self._breached[kind] += 1
            self._signatures.update({f"{each.what}: {each.signature}" for each in found})

    def line(self) -> str:
        """Formats the progress."""
        passed = time.monotonic() - self._started
        return f"{self.count} files, {self.breached} with a breach, {len(self._signatures)} faults, {passed:.0f} s"

    def table(self) -> str:
        """Formats all of it."""
        lines = [f"{'kind':<18} {'files':>6} {'0':>6} {'1':>6} {'2':>6} {'breach':>7} {'CPU s':>7} {'MiB':>6}"]
        for kind in sorted(self._files):
            codes = self._codes[kind]
            lines.append(
                f"{kind:<18} {self._files[kind]:>6} {codes[0]:>6} {codes[1]:>6} {codes[2]:>6} {self._breached[kind]:>7}"
                f" {self._slowest[kind]:>7.1f} {self._largest[kind] >> 20:>6}"
            )
        lines += [f"{count:>6}  {signature}" for signature, count in self._signatures.most_common()]
        return "\n".join([*lines, self.line()])
