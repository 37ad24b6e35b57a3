"""Keeps copies of textures, and finds textures that still equal them, bit by bit.

Only equal bits count: a changed NaN is seen, and so is a zero that changed its sign. On a driver that does not show
every bit nothing counts as equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import moderngl
import numpy as np

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.gl.context import limits_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.incremental_compare.copies import Copies, CopiesInMemory
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.planning.memory import available_memory, texture_bytes

# Copies take at most this share of the memory that is free before the first of them.
_MOST_OF_MEMORY = 0.5

_LOG = logger(__name__)


class HeldTensors:
    """Copies a session's textures, by key: on the GPU, or in memory where the driver computes there."""

    def __init__(self, session: Session, copies: Copies | None = None) -> None:
        self._session = session
        self._copies = copies or _copies_of(session)
        self._held: dict[str, StoredTensor] = {}
        self._sees_bits: bool | None = None
        self._bytes = 0
        self._most_bytes: float | None = None

    def release(self) -> None:
        """Frees every GL object."""
        self._session.make_current()
        for key in [*self._held]:
            self.drop(key)
        self._copies.release()

    def drop(self, key: str) -> None:
        """Drops one copy."""
        if key in self._held:
            self._bytes -= texture_bytes(self._held.pop(key))
            self._copies.drop(key)

    def hold(self, keys: Collection[str]) -> frozenset[str]:
        """Copies the present textures of `keys`; returns those that were copied: memory may be too short."""
        self._session.make_current()
        textures = self._session.plan.textures
        for key in [key for key, stored in self._held.items() if textures.get(key) != stored]:
            self.drop(key)
        if not keys or not self._is_able():
            return frozenset()
        copied = []
        key = ""
        try:
            for key in keys:
                stored = textures[key]
                if key not in self._held and not self._has_room(stored):
                    continue
                self._copies.put(key, self._session.texture(key))
                if key not in self._held:
                    self._held[key] = stored
                    self._bytes += texture_bytes(stored)
                copied.append(key)
        except (moderngl.Error, MemoryError):  # the copies so far remain
            _LOG.debug("holding tensors", exc_info=True)
            if key not in self._held:
                self._copies.drop(key)
        return frozenset(copied)

    def groups(self, keys: Iterable[str]) -> Iterator[list[str]]:
        """Cuts `keys` into groups of which `same` compares one in some milliseconds."""
        textures, group, size = self._session.plan.textures, list[str](), 0
        for key in keys:
            group.append(key)
            size += texture_bytes(textures[key])
            if size >= self._copies.bytes_at_once:
                yield group
                group, size = [], 0
        if group:
            yield group

    def same(self, keys: Collection[str]) -> frozenset[str]:
        """Returns those of `keys` whose textures equal their copies, bit by bit."""
        self._session.make_current()
        textures = self._session.plan.textures
        held = [key for key in keys if key in self._held and self._held[key] == textures[key]]
        return self._copies.same({key: self._session.texture(key) for key in held}) if held else frozenset()

    def _is_able(self) -> bool:
        """Whether every bit is seen on this driver; found out once."""
        if self._sees_bits is None:
            try:
                self._sees_bits = self._copies.sees_bits()
            except moderngl.Error:  # a driver that does not take the shader
                _LOG.debug("comparing textures", exc_info=True)
                self._sees_bits = False
        return self._sees_bits

    def _has_room(self, stored: StoredTensor) -> bool:
        if self._most_bytes is None:
            available = available_memory()
            self._most_bytes = np.inf if available is None else _MOST_OF_MEMORY * available
        return self._bytes + texture_bytes(stored) <= self._most_bytes


def _copies_of(session: Session) -> Copies:
    if limits_of(session.context).is_software:
        return CopiesInMemory(session.context)
    from texelscope.pipeline.incremental_compare.in_textures import CopiesInTextures

    return CopiesInTextures(session)
