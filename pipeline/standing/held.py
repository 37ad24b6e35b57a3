"""Textures held on the GPU as they were, and asked whether others still are the same, bit by bit.

Equal bits and nothing else: a changed NaN is seen, and so is a zero that changed its sign. A driver on which a shader
does not see every bit (one that takes tiny numbers for zero, say) is found out first; on such a one nothing counts as
the same.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence

import moderngl
import numpy as np

from pipeline.gl.session import Session
from pipeline.gl.state import pass_state
from pipeline.glsl.assemble import read_shader
from pipeline.glsl.default_vertex import default_vertex_shader
from pipeline.plan import Sampler, StoredTensor
from pipeline.planning.memory import available_memory, texture_bytes
from pipeline.standing.answers import A_ROW, any_in, placed

_NEAREST = Sampler("", "")
# Pairs of float32, as bits, that a shader has to tell apart: the least number and zero, zero and minus zero, two NaN,
# neighbours near 1.
_APART = ((0x00000001, 0x00000000), (0x00000000, 0x80000000), (0x7FC00001, 0x7FC00002), (0x3F800000, 0x3F800001))
# Copies take at most this share of the memory that is free before the first of them.
_MOST_OF_MEMORY = 0.5

_LOG = logging.getLogger(__name__)
Pair = tuple[moderngl.Texture, moderngl.Texture]


class HeldTensors:
    """Copies of a session's textures, by key. `reads` counts how often anything came back from the GPU."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._context = session.context
        self._copies: dict[str, tuple[StoredTensor, moderngl.Texture]] = {}
        self._programs: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}
        self._answers: moderngl.Framebuffer | None = None
        self._sees_bits: bool | None = None
        self._bytes = 0
        self._most_bytes: float | None = None
        self.reads = 0

    def release(self) -> None:
        """Frees every GL object."""
        self._session.make_current()
        for key in [*self._copies]:
            self.drop(key)
        for program, array in self._programs.values():
            array.release()
            program.release()
        self._programs.clear()
        _let_go(self._answers)
        self._answers = None

    def drop(self, key: str) -> None:
        """Lets one copy go."""
        if key in self._copies:
            stored, copy = self._copies.pop(key)
            self._bytes -= texture_bytes(stored)
            copy.release()

    def hold(self, keys: Collection[str]) -> frozenset[str]:
        """Copies the textures of `keys` as they are now; gives those that were copied: memory may be too short."""
        self._session.make_current()
        textures = self._session.plan.textures
        for key in [key for key, (stored, _) in self._copies.items() if textures.get(key) != stored]:
            self.drop(key)
        if not keys or not self._is_able():
            return frozenset()
        copied = []
        try:
            for key in keys:
                stored = textures[key]
                if key not in self._copies and self._has_room(stored):
                    self._copies[key] = (stored, self._session.scratch_like(key))
                    self._bytes += texture_bytes(stored)
                if key in self._copies:
                    self._copy(self._session.texture(key), self._copies[key][1])
                    copied.append(key)
        except moderngl.Error:  # the driver's own memory is full: what is held by now is
            _LOG.debug("holding tensors", exc_info=True)
        return frozenset(copied)

    def same(self, keys: Collection[str]) -> frozenset[str]:
        """Those of `keys` whose textures are, bit by bit, as they were held. Reads one small picture, if any."""
        self._session.make_current()
        textures = self._session.plan.textures
        held = [key for key in keys if key in self._copies and self._copies[key][0] == textures[key]]
        pairs = [(self._session.texture(key), self._copies[key][1]) for key in held]
        return frozenset(key for key, differs in zip(held, self._differ(pairs), strict=False) if not differs)

    # -- on the GPU ----------------------------------------------------------------------------------------

    def _differ(self, pairs: Sequence[Pair]) -> tuple[bool, ...]:
        """Whether the two textures of each pair differ; of as many pairs as one picture has room for."""
        rows = placed((now.size for now, _ in pairs), int(self._context.info["GL_MAX_TEXTURE_SIZE"]))
        if not rows:
            return ()
        target = self._picture(rows[-1].end)
        program, array = self._program("differs")
        nearest = self._session.sampler(_NEAREST)
        with pass_state(self._context, target):
            for (now, held), each in zip(pairs, rows, strict=False):
                for unit, texture in enumerate((now, held)):
                    texture.use(unit)
                    nearest.use(unit)
                program["u_apart"].value = each.apart  # type: ignore[union-attr]
                program["u_first_row"].value = each.first  # type: ignore[union-attr]
                target.viewport = (0, each.first, A_ROW, each.count)
                array.render(moderngl.TRIANGLES, vertices=3)
        data = target.read((0, 0, A_ROW, rows[-1].end), components=1, alignment=1)
        self.reads += 1
        return any_in(np.frombuffer(data, np.uint8).reshape(-1, A_ROW), rows)

    def _picture(self, row_count: int) -> moderngl.Framebuffer:
        """A target of at least that many rows."""
        if self._answers is None or self._answers.height < row_count:
            _let_go(self._answers)
            self._answers = self._context.framebuffer([self._context.texture((A_ROW, row_count), 1)])
        return self._answers

    def _copy(self, texture: moderngl.Texture, to: moderngl.Texture) -> None:
        _, array = self._program("copy")
        target = self._context.framebuffer([to])
        try:
            with pass_state(self._context, target):
                texture.use(0)
                self._session.sampler(_NEAREST).use(0)
                array.render(moderngl.TRIANGLES, vertices=3)
        finally:
            target.release()

    def _program(self, name: str) -> tuple[moderngl.Program, moderngl.VertexArray]:
        if name not in self._programs:
            fragment = read_shader(f"standing/{name}.frag.glsl")
            program = self._context.program(vertex_shader=default_vertex_shader(fragment), fragment_shader=fragment)
            for sampler, unit in (("t_now", 0), ("t_held", 1), ("u_a_row", A_ROW)):
                if sampler in program:
                    program[sampler].value = unit  # type: ignore[union-attr]
            self._programs[name] = (program, self._context.vertex_array(program, []))
        return self._programs[name]

    # -- what can be done here -----------------------------------------------------------------------------

    def _is_able(self) -> bool:
        """Whether a shader sees every bit on this driver; found out once."""
        if self._sees_bits is None:
            made = [self._texel(bits) for pair in _APART for bits in pair]
            try:
                self._sees_bits = all(self._differ([*zip(made[::2], made[1::2], strict=True)]))
            except moderngl.Error:  # a driver that does not take the shader
                _LOG.debug("comparing textures", exc_info=True)
                self._sees_bits = False
            finally:
                for texture in made:
                    texture.release()
        return self._sees_bits

    def _texel(self, bits: int) -> moderngl.Texture:
        """A texture of one texel whose last lane alone has these bits."""
        data = np.array([0, 0, 0, bits], dtype=np.uint32).tobytes()
        return self._context.texture((1, 1), 4, data, dtype="f4")

    def _has_room(self, stored: StoredTensor) -> bool:
        if self._most_bytes is None:
            available = available_memory()
            self._most_bytes = np.inf if available is None else _MOST_OF_MEMORY * available
        return self._bytes + texture_bytes(stored) <= self._most_bytes


def _let_go(target: moderngl.Framebuffer | None) -> None:
    if target is not None:
        target.color_attachments[0].release()
        target.release()
