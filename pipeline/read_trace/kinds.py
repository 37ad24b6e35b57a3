"""Supplies what follows the reads of samplers other than `sampler2D`: wrappers in GLSL, and texels from positions.

A log has two numbers for a position; `shaders/read_trace/stacked.glsl` says how a place in slices or in a buffer fits.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.plan import Pass, Sampler, StoredTensor
from texelscope.pipeline.planning.sampler_views import texels_in_view, view_size
from texelscope.pipeline.sampler_kinds import SamplerKind, kind_called

Indices = NDArray[np.int64]
# Texels in a row of `stacked.glsl`, and rows that a float32 tells from their neighbours.
_IN_A_ROW, _MOST_ROWS = 4096, 1 << 22
_FILES = {"2D": "reads_2d", "2DArray": "reads_slices", "3D": "reads_slices", "Buffer": "reads_buffer"}
_VECTORS = {"float": "vec4", "int": "ivec4", "uint": "uvec4"}
_OF_SLICES = {
    "2DArray": {"TAP_OFFSET": "ivec2", "TAP_BY(by)": "ivec3(by, 0)", "TAP_SLICE(at, size)": "(at.z + 0.5)"},
    "3D": {"TAP_OFFSET": "ivec3", "TAP_BY(by)": "by", "TAP_SLICE(at, size)": "(at.z * float(size.z))"},
}


def kind_of(node: SyntaxNode) -> SamplerKind | None:
    """Returns the kind of sampler that a declaration or a parameter declares; None for anything else."""
    return next((kind for child in node.children if (kind := kind_called(child.text)) is not None), None)


def wrappers(kinds: Collection[SamplerKind]) -> tuple[str, ...]:
    """Returns GLSL's wrappers of the reads of samplers of those kinds, in the order of their names."""
    others = sorted((each for each in kinds if not each.is_plain), key=str)
    return (read_shader("read_trace/stacked.glsl"), *map(_wrapper, others)) if others else ()


def _wrapper(kind: SamplerKind) -> str:
    words = {"TAP_SAMPLER": str(kind), "TAP_VEC4": _VECTORS[kind.numbers], **_OF_SLICES.get(kind.form, {})}
    defined = "".join(f"#define {name} {meaning}\n" for name, meaning in words.items())
    undefined = "".join(f"#undef {name.partition('(')[0]}\n" for name in words)
    return f"{defined}{read_shader(f'read_trace/{_FILES[kind.form]}.glsl')}{undefined}"


def check_views(shader_pass: Pass, textures: Mapping[str, StoredTensor], who: str) -> None:
    """Raises UnsupportedError for a pass with a sampler whose positions cannot be followed."""
    for sampler in shader_pass.samplers:
        if sampler.kind.form == "2D":
            continue
        got = ""
        rows = math.prod(size + 2 for size in view_size(textures[sampler.key], sampler)[1:])
        if shader_pass.dispatch is not None:
            got = f"{sampler.kind} '{sampler.uniform}' in a compute shader"
        elif (sampler.filter, sampler.wrap) != ("nearest", "clamp_to_edge"):
            got = f"{sampler.kind} '{sampler.uniform}' with filter '{sampler.filter}' and wrap '{sampler.wrap}'"
        elif rows > _MOST_ROWS:
            got = f"{rows} rows in the slices of '{sampler.uniform}'"
        if got:
            expected = f"nearest reads in a fragment shader, of slices with at most {_MOST_ROWS} rows"
            raise UnsupportedError(who, expected, got, "The pass itself runs as it is.")


@dataclass(frozen=True, eq=False)
class ViewTexels:
    """The texels [reads, 2] of a tensor's texture that were read, and which of the reads were `inside` the view."""

    texels: Indices
    inside: NDArray[np.bool_]


def texels_through(positions: NDArray[np.float64], sampler: Sampler, stored: StoredTensor) -> ViewTexels:
    """Returns the texels behind positions [reads, 2] of a log, read through slices or a buffer."""
    x, row = np.floor(positions).astype(np.int64).T
    size = view_size(stored, sampler)
    if sampler.kind.form == "Buffer":
        places = (row * _IN_A_ROW + x)[:, None]
    else:
        places = np.stack([x, row % (size[1] + 2) - 1, row // (size[1] + 2) - 1], axis=1)
    inside = np.all((places >= 0) & (places < np.array(size)), axis=1)
    held = np.clip(places, 0, np.array(size) - 1)
    flat = np.ravel_multi_index(tuple(held.T[::-1]), size[::-1])
    texel = texels_in_view(stored, sampler)[flat]
    columns = stored.texture_shape[1]
    return ViewTexels(np.stack([texel % columns, texel // columns], axis=1), np.asarray(inside))
