"""Copies a session's textures to further textures; a shader compares each with its copy, one small read answers.

A driver whose shaders do not see every bit (one that takes tiny numbers for zero, say) is found out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gl.program import compiled
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.gl.state import pass_state
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.other_stages import default_vertex_shader
from texelscope.pipeline.incremental_compare.copies import APART, texel_of
from texelscope.pipeline.plan import Sampler

# One answer is about SIDE x SIDE texels, as in shaders/incremental_compare/differs.frag.glsl.
SIDE = 8
# Answers in a row of the picture.
A_ROW = 256


@dataclass(frozen=True)
class AnswerRows:
    """Assigns rows of the picture to one texture of `size`: width and height in texels."""

    size: tuple[int, int]
    first: int

    @property
    def apart(self) -> tuple[int, int]:
        """The number of answers along width and height, and the distance between the texels of one."""
        return -(-self.size[0] // SIDE), -(-self.size[1] // SIDE)

    @property
    def count(self) -> int:
        """The number of rows; the last is filled up."""
        across, down = self.apart
        return -(-across * down // A_ROW)

    @property
    def end(self) -> int:
        """The row after the last."""
        return self.first + self.count


def placed(sizes: Iterable[tuple[int, int]], most_rows: int) -> tuple[AnswerRows, ...]:
    """Assigns rows to textures of these sizes, one after the other, as many textures as `most_rows` have room for."""
    found: list[AnswerRows] = []
    for size in sizes:
        rows = AnswerRows(size, found[-1].end if found else 0)
        if rows.end > most_rows:
            break
        found.append(rows)
    return tuple(found)


def any_in(answers: NDArray[np.uint8], rows: tuple[AnswerRows, ...]) -> tuple[bool, ...]:
    """Returns for each texture whether any of its answers, of the picture [row, answer], is not zero."""
    return tuple(bool(answers[each.first : each.end].any()) for each in rows)


_NEAREST = Sampler("", "")

Pair = tuple[moderngl.Texture, moderngl.Texture]


class CopiesInTextures:
    """Keeps textures like those of a session, by key."""

    bytes_at_once = 64 << 20  # a small GPU reads some ten gigabytes a second, and each answer waits for it

    def __init__(self, session: Session) -> None:
        self._session = session
        self._context = session.context
        self._copies: dict[str, moderngl.Texture] = {}
        self._programs: dict[str, tuple[moderngl.Program, moderngl.VertexArray]] = {}
        self._answers: moderngl.Framebuffer | None = None

    def release(self) -> None:
        """Frees every GL object."""
        for key in [*self._copies]:
            self.drop(key)
        for program, array in self._programs.values():
            array.release()
            program.release()
        self._programs.clear()
        _let_go(self._answers)
        self._answers = None

    def drop(self, key: str) -> None:
        """Drops one copy, if there is one."""
        if key in self._copies:
            self._copies.pop(key).release()

    def put(self, key: str, texture: moderngl.Texture) -> None:
        """Copies the texture as it is now."""
        if key not in self._copies:
            self._copies[key] = self._session.scratch_like(key)
        _, array = self._program("copy")
        target = self._context.framebuffer([self._copies[key]])
        try:
            with pass_state(self._context, target):
                texture.use(0)
                self._session.sampler(_NEAREST).use(0)
                array.render(moderngl.TRIANGLES, vertices=3)
        finally:
            target.release()

    def same(self, textures: Mapping[str, moderngl.Texture]) -> frozenset[str]:
        """Returns the keys of the textures that equal their copies, bit by bit. Reads one small picture, if any."""
        pairs = [(texture, self._copies[key]) for key, texture in textures.items()]
        return frozenset(key for key, differs in zip(textures, self._differ(pairs), strict=False) if not differs)

    def sees_bits(self) -> bool:
        """Whether a shader distinguishes all different bits."""
        made = [texel_of(self._context, bits) for pair in APART for bits in pair]
        try:
            return all(self._differ([*zip(made[::2], made[1::2], strict=True)]))
        finally:
            for texture in made:
                texture.release()

    def _differ(self, pairs: Sequence[Pair]) -> tuple[bool, ...]:
        """Whether the two textures of each pair differ, for as many pairs as one picture has room for."""
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
        return any_in(np.frombuffer(data, np.uint8).reshape(-1, A_ROW), rows)

    def _picture(self, row_count: int) -> moderngl.Framebuffer:
        """Returns a target of at least that many rows."""
        if self._answers is None or self._answers.height < row_count:
            _let_go(self._answers)
            self._answers = self._context.framebuffer([self._context.texture((A_ROW, row_count), 1)])
        return self._answers

    def _program(self, name: str) -> tuple[moderngl.Program, moderngl.VertexArray]:
        if name not in self._programs:
            fragment = read_shader(f"incremental_compare/{name}.frag.glsl")
            program = compiled(self._context, default_vertex_shader(fragment), fragment)
            for sampler, unit in (("t_now", 0), ("t_held", 1), ("u_a_row", A_ROW)):
                if sampler in program:
                    program[sampler].value = unit  # type: ignore[union-attr]
            self._programs[name] = (program, self._context.vertex_array(program, []))
        return self._programs[name]


def _let_go(target: moderngl.Framebuffer | None) -> None:
    if target is not None:
        target.color_attachments[0].release()
        target.release()
