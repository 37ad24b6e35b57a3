"""Uniforms of any type from flat values."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from texelscope.pipeline.plan import UniformValue

# GL's types of whole numbers (OpenGL 3.3, table 2.9): int, ivec2-4, bool, bvec2-4; uint, uvec2-4. The rest is float.
_INT_TYPES = frozenset({0x1404, *range(0x8B53, 0x8B5A)})
_UINT_TYPES = frozenset({0x1405, *range(0x8DC6, 0x8DC9)})
_SAMPLER_TYPES = frozenset({*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DC6), *range(0x8DC9, 0x8DD9)})
# Images (OpenGL 4.6, table 7.3).
_IMAGE_TYPES = frozenset(range(0x904C, 0x906D))


def set_uniforms(program: moderngl.Program | moderngl.ComputeShader, uniforms: Mapping[str, UniformValue]) -> None:
    """Sets those uniforms that the program kept; a driver may have removed one that has no effect.

    Of an array it may have kept the beginning alone.
    """
    for name, value in uniforms.items():
        uniform = program.get(name, None)
        if isinstance(uniform, moderngl.Uniform):
            gl_type: int = uniform.gl_type  # type: ignore[attr-defined]  # missing in moderngl's stubs
            kind = "i4" if gl_type in _INT_TYPES else "u4" if gl_type in _UINT_TYPES else "f4"
            with np.errstate(over="ignore"):  # a number beyond the shader's is infinity there
                numbers = np.atleast_1d(np.asarray(value)).astype(kind)
            uniform.write(numbers[: uniform.dimension * uniform.array_length].tobytes())


def initial_uniforms(program: moderngl.Program | moderngl.ComputeShader) -> dict[str, bytes]:
    """The values that a program's own uniforms (no samplers, no images) have now, as bytes; asked when it is new."""
    found = {}
    for name in program:
        uniform = program[name]
        if isinstance(uniform, moderngl.Uniform) and uniform.gl_type not in _SAMPLER_TYPES | _IMAGE_TYPES:  # type: ignore[attr-defined]
            found[name] = uniform.read()
    return found
