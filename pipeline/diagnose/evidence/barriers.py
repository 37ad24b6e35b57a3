"""A compute shader with barriers around what it writes to shared memory: if that helps, one was missing.

`barrier()` may stand only where all invocations of a work group come by. So each goes to the innermost statement around
a write of which every loop and condition is the same for all of them: no number of an invocation, and nothing that was
made of one, or of shared memory, decides it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.block_text import accesses, controls_of, statement_of
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.syntax import (
    Edits,
    constructors_as_calls,
    function_around,
    function_name,
    parse,
    text_of,
    walk,
)
from texelscope.pipeline.plan import ProgramSource

_OWN = frozenset(
    {"gl_LocalInvocationID", "gl_LocalInvocationIndex", "gl_GlobalInvocationID", "gl_SubgroupInvocationID"}
)
_BARRIER = "memoryBarrierShared(); barrier();"
# Places that are tried one by one.
_MOST_PLACES = 6


@dataclass(frozen=True)
class BarrierVariants:
    """The shader with a barrier before and after every place, and with one each alone, which says where it stands."""

    every: ProgramSource
    single: tuple[tuple[ProgramSource, str, Line], ...]


def with_barriers(program: ProgramSource) -> BarrierVariants | None:
    """The variants of a compute shader; None for one that shares no memory, or writes it where no barrier may be."""
    source = program.fragment.encode()
    root = parse(constructors_as_calls(source))
    places = places_of_barriers(root)
    if not places:
        return None
    lines = line_map(program)
    names = ", ".join(f"'{name}'" for name in accesses(root).shared_writes)
    single = []
    for place in places[:_MOST_PLACES]:
        line = lines[place.end_point[0]]
        single.append((_with(program, source, [place], after=True), f"after the writing of {names}", line))
        line = lines[place.start_point[0]]
        single.append((_with(program, source, [place], before=True), f"before the writing of {names}", line))
    every = _with(program, source, places, before=True, after=True)
    return BarrierVariants(every, tuple(single))


def places_of_barriers(root: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The statements of `main` around writes to shared memory, beside which a barrier may stand."""
    found = accesses(root)
    tainted = tainted_names(root, {*found.shared_writes, *found.shared_reads})
    writes = (node for nodes in found.shared_writes.values() for node in nodes)
    return [*{place.start_byte: place for node in writes if (place := _place(node, tainted)) is not None}.values()]


def _with(
    program: ProgramSource, source: bytes, places: list[tree_sitter.Node], *, before: bool = False, after: bool = False
) -> ProgramSource:
    edits = Edits()
    for place in places:
        edits.insert(place.start_byte, f"{{ {_BARRIER if before else ''} ")
        edits.insert(place.end_byte, f" {_BARRIER if after else ''} }}")
    return dataclasses.replace(program, fragment=edits.apply(source))


def _place(write: tree_sitter.Node, tainted: set[str]) -> tree_sitter.Node | None:
    """The statement of `main` around which a barrier may stand; None where the write is in another function."""
    if function_name(function_around(write)) != "main":
        return None
    place = statement_of(write)
    for control in controls_of(write):
        if any(_differs(part, tainted) for part in decisions(control)):
            place = control
    return place


def decisions(control: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The parts of a loop or condition that decide how often its body runs."""
    for name in ("condition", "initializer", "update"):
        part = control.child_by_field_name(name)
        if part is not None:
            yield part


def tainted_names(root: tree_sitter.Node, shared: set[str]) -> set[str]:
    """Names that may differ between the invocations of a work group."""
    found = {*_OWN, *shared}
    count = 0
    while len(found) > count:
        count = len(found)
        for node in walk(root):
            if node.type == "init_declarator":
                target, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
            elif node.type == "assignment_expression":
                target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            else:
                continue
            if target is not None and value is not None and _differs(value, found):
                found.update([text_of(name) for name in walk(target) if name.type == "identifier"][:1])
    return found


def _differs(node: tree_sitter.Node, tainted: set[str]) -> bool:
    return any(each.type == "identifier" and text_of(each) in tainted for each in walk(node))
