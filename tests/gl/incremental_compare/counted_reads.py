"""Counts what comes back from the GPU, whoever asks for it."""

from __future__ import annotations

from typing import Any

import moderngl
import pytest


class Reads:
    """How many bytes came back, a number a read, since the last `clear`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes: list[int] = []
        for kind in (moderngl.Texture, moderngl.Framebuffer):
            self._count(monkeypatch, kind)

    def _count(self, monkeypatch: pytest.MonkeyPatch, kind: Any) -> None:
        whole = kind.read

        def counted(self_: Any, *arguments: Any, **named: Any) -> bytes:
            data: bytes = whole(self_, *arguments, **named)
            self.bytes.append(len(data))
            return data

        monkeypatch.setattr(kind, "read", counted)

    def clear(self) -> None:
        """From here on."""
        self.bytes.clear()
