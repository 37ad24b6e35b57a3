"""Makes variants of a shader for interventions: reads moved by a part of a texel, full precision, more barriers.

Barriers go around writes to shared memory in a compute shader: if that helps, one was missing. `barrier()` may stand
only where all invocations of a work group reach it. So each goes beside the innermost statement around a write whose
loops and conditions are all uniform: none depends on an invocation's index, on anything computed from it, or on shared
memory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import Line, behind_head, line_map
from texelscope.pipeline.glsl.semantics.block_text import accesses, places_of_barriers
from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.statements import MacroBody
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits, is_es, renamed_words, version_of, with_directive
from texelscope.pipeline.plan import ProgramSource

# Reads with float coordinates, which can be moved; texelFetch has integers.
_MOVED = ("texture", "textureLod", "textureOffset", "textureLodOffset")
# Their older names, and an early version that has the new ones.
_OLD = ("texture2D", "texture2DLod")
_OLDEST, _SIZED = 130, "#version 330 core"
# Offsets in texels, (x, y), by the names of the redraws.
MOVES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "unmoved": (0.0, 0.0),
        "moved_half": (0.5, 0.5),
        "moved_half_back": (-0.5, -0.5),
        "moved_forth": (0.25, 0.25),
        "moved_back": (-0.25, -0.25),
    }
)
_BARRIER = "memoryBarrierShared(); barrier();"
# At most this many places are tried one by one.
_MOST_PLACES = 6


def samples(program: ProgramSource) -> bool:
    """Whether the shader reads anything at float coordinates rather than at whole texels."""
    return any(word in _MOVED or word in _OLD for word in _identifiers(program.fragment))


def moved_reads(program: ProgramSource) -> ProgramSource | None:
    """Returns the shader with every sampled coordinate moved by `u_moved` texels; None if it declares no version.

    A shader of GLSL 1.20 or ES 1.00 becomes one of a version that has textureSize.
    """
    version = version_of(program.fragment)
    if version is None:
        return None
    names = [f"#define {name} moved_{name}" for name in _MOVED]
    is_old = version.number < _OLDEST
    text = with_directive(program.fragment, _SIZED) if is_old else program.fragment
    text = behind_head(text, *renamed_words(program.fragment, "fragment"), read_shader("read_trace/moved.glsl"), *names)
    return dataclasses.replace(program, fragment=text)


def in_full_precision(program: ProgramSource) -> ProgramSource | None:
    """Returns a GLSL ES shader with every precision highp, samplers included; None if that changes nothing."""
    if not is_es(program.fragment):
        return None
    source = program.fragment.encode()
    parts, last = [], 0
    for node in parse(source).walk():
        if not node.children and node.text in ("lowp", "mediump"):
            parts.append(source[last : node.start_byte].decode() + "highp")
            last = node.end_byte
    text = "".join([*parts, source[last:].decode()])
    declared = ["precision highp float;", "precision highp int;", "precision highp sampler2D;"]
    return dataclasses.replace(program, fragment=behind_head(text, *declared))


def _identifiers(text: str) -> set[str]:
    found = set()
    for node in parse(text.encode()).walk():
        if isinstance(node, Identifier):
            found.add(node.text)
        elif isinstance(node, MacroBody):  # a macro's body is not parsed
            found.update(_identifiers(f"void f() {{ {node.text}; }}"))
    return found


@dataclass(frozen=True)
class BarrierVariants:
    """Holds the shader with a barrier before and after every place, and variants with a single one, which locate it."""

    every: ProgramSource
    single: tuple[tuple[ProgramSource, str, Line], ...]


def with_barriers(program: ProgramSource) -> BarrierVariants | None:
    """Returns the variants of a compute shader; None if no barrier applies."""
    source = program.fragment.encode()
    root = parse(constructors_as_calls(source))
    places = places_of_barriers(root)
    if not places:
        return None
    lines = line_map(program)
    names = ", ".join(f"'{name}'" for name in accesses(root).shared_writes)
    single = []
    for place in places[:_MOST_PLACES]:
        line = lines[place.end_row]
        single.append((_with(program, source, [place], after=True), f"after the write to {names}", line))
        line = lines[place.row]
        single.append((_with(program, source, [place], before=True), f"before the write to {names}", line))
    every = _with(program, source, places, before=True, after=True)
    return BarrierVariants(every, tuple(single))


def _with(
    program: ProgramSource, source: bytes, places: list[SyntaxNode], *, before: bool = False, after: bool = False
) -> ProgramSource:
    edits = Edits()
    for place in places:
        edits.insert(place.start_byte, f"{{ {_BARRIER if before else ''} ")
        edits.insert(place.end_byte, f" {_BARRIER if after else ''} }}")
    return dataclasses.replace(program, fragment=edits.apply(source))
