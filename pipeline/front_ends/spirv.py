"""Opens SPIR-V: the text of a module is Vulkan's GLSL as SPIRV-Cross writes it, with a part for each entry point.

A module has no text of its own; what a person sees, and what lines point to, is this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from texelscope.pipeline.errors import TexelscopeError, nearest, one_line
from texelscope.pipeline.front_ends.request import TranslationRequest
from texelscope.pipeline.front_ends.rows import Row, rows_of, with_directives
from texelscope.pipeline.front_ends.spirv_blocks import with_names
from texelscope.pipeline.front_ends.spirv_cross import CrossRequest, converted
from texelscope.pipeline.front_ends.spirv_module import SpirvModule, read_module
from texelscope.pipeline.front_ends.spirv_names import named
from texelscope.pipeline.front_ends.spirv_text import as_written
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.old_words import Stage

_HEAD = re.compile(r"// Entry point (?P<name>.+), (?P<stage>compute|fragment|vertex), translated from SPIR-V\.$")
# What a module needs of a device that OpenGL has not, by the numbers of SPIR-V's capabilities (SPIR-V 1.6, 3.31).
_REFUSED: tuple[tuple[frozenset[int], str, str], ...] = (
    (frozenset({4, 5, 6}), "OpenCL's kernels", "Compile it as a shader for Vulkan, as clspv does."),
    (frozenset({9, 4433, 4434, 4435, 4436}), "16-bit types", "Use float and int, or packHalf2x16."),
    (frozenset({22}), "16-bit integers", "Use int."),
    (frozenset({39, 4448, 4449, 4450}), "8-bit integers", "Use int, or unpackUnorm4x8."),
    (frozenset({11, 12}), "64-bit integers", "Use int."),
    (
        frozenset({61, 62, 63, 64, 65, 66, 67, 68, 4423, 4431, 5297, 5350, *range(5603, 5620)}),
        "subgroups", "Use shared memory and barrier().",
    ),
    (frozenset({6033, 6034, 6095, 5614}), "atomic operations on floats", "Use a sum in shared memory."),
    (frozenset({5347}), "pointers to memory", "Use storage buffers."),
    (frozenset({40}), "subpass inputs", "Use a texture."),
    (frozenset({5302, 5308, 5309, 5310, 5311}), "arrays of resources", "Bind each by its own name."),
    (frozenset({6022, 6118}), "cooperative matrices", "Use shared memory."),
)  # fmt: skip


def decoded(data: bytes, who: str) -> str:
    """Returns the text of a module's bytes: GLSL of Vulkan, one part behind another for its entry points.

    Raises TexelscopeError, naming `who`, for bytes that are no module, for one that needs what OpenGL has not or that
    SPIRV-Cross refuses, and where that is not installed.
    """
    return _decoded(data, who)


@lru_cache(maxsize=64)
def _decoded(data: bytes, who: str) -> str:
    module = read_module(data, who)
    _check_device(module, who)
    points = [(each.name, each.stage) for each in module.entry_points if each.stage is not None]
    if not points:
        got = "other stages" if module.entry_points else "none"
        expected = "an entry point of a compute, fragment or vertex shader"
        raise TexelscopeError(who, expected, got, "Compile it as one of these.")
    names = named(module)
    texts = converted([CrossRequest(names.data, name, stage) for name, stage in points], who)
    parts: list[str] = []
    for (name, stage), text in zip(points, texts, strict=True):
        rows = with_names(as_written(text, stage), names)
        head = f"// Entry point {one_line(name)}, {stage}, translated from SPIR-V."
        parts.append("\n".join([head, *(row.text for row in rows)]))
    return "\n\n".join(parts) + "\n"


def _check_device(module: SpirvModule, who: str) -> None:
    for numbers, what, do_next in _REFUSED:
        if module.capabilities & numbers:
            raise TexelscopeError(who, "a shader that OpenGL can run", f"one that needs {what}", do_next)


def entry_points(text: str, stage: Stage) -> list[str]:
    """Returns the entry points of a stage in a module's text, in order."""
    found = (_HEAD.match(line) for line in text.split("\n"))
    return [match["name"] for match in found if match is not None and match["stage"] == stage]


def translated(request: TranslationRequest) -> str:
    """Returns the part of the text that is the entry point's; its `#line`s are those of the text.

    Raises AuthorTextError for one that the module has not, and for macros, which it has no more.
    """
    if request.defines:
        got = f"'{next(iter(request.defines))}'"
        expected = "no macros for a module, which is compiled"
        raise AuthorTextError(0, expected, got, "Set a constant: specialization.NAME.")
    known = entry_points(request.text, request.stage)
    entry = request.entry or _only_entry(known, request)
    if entry not in known:
        every = [name for stage in _STAGES for name in entry_points(request.text, stage)]
        expected = f"an entry point of a {request.stage} shader"
        raise AuthorTextError(0, expected, f'entry = "{entry}"', nearest(entry, known or every))
    return with_directives(_part(rows_of(request.text), entry, request.stage))


_STAGES: tuple[Stage, ...] = ("compute", "fragment", "vertex")


def _only_entry(known: Sequence[str], request: TranslationRequest) -> str:
    if len(known) == 1:
        return known[0]
    expected = f"one entry point of a {request.stage} shader"
    if known:
        got = f"{len(known)}: {', '.join(known)}"
        raise AuthorTextError(0, expected, got, f'Choose one: entry = "{known[0]}".')
    others = [f"{name} ({stage})" for stage in _STAGES for name in entry_points(request.text, stage)]
    if request.stage == "fragment" and entry_points(request.text, "compute"):
        raise AuthorTextError(0, expected, "a compute shader", "Dispatch it: dispatch = [8, 8, 1].")
    raise AuthorTextError(0, expected, ", ".join(others) or "none", "Compile it for that stage.")


def _part(rows: Sequence[Row], entry: str, stage: Stage) -> list[Row]:
    found: list[Row] = []
    is_inside = False
    for row in rows:
        if (match := _HEAD.match(row.text)) is not None:
            is_inside = match["name"] == entry and match["stage"] == stage
        elif is_inside:
            found.append(row)
    return found
