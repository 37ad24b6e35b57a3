"""Collects insertions into a text, by byte offset."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Edits:
    """Collects insertions by byte offset; those at one offset by their rank, and those of one rank keep their order."""

    at: dict[int, list[tuple[tuple[int, ...], str]]] = field(default_factory=dict)

    def insert(self, offset: int, text: str, rank: tuple[int, ...] = (0,)) -> None:
        self.at.setdefault(offset, []).append((rank, text))

    def apply(self, source: bytes) -> str:
        parts, last = [], 0
        for offset in sorted(self.at):
            parts.append(source[last:offset].decode())
            parts.extend(text for _, text in sorted(self.at[offset], key=lambda each: each[0]))
            last = offset
        return "".join([*parts, source[last:].decode()])
