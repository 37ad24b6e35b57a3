"""Where barriers may stand in a compute shader, and which names may differ between its invocations.

`barrier()` may stand only where all invocations of a work group come by: no number of an invocation, and nothing that
was made of one, or of shared memory, decides the loops and conditions around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.block_text import accesses, controls_of, statement_of
from texelscope.pipeline.glsl.semantics.expressions import Assignment, Identifier
from texelscope.pipeline.glsl.semantics.questions import name_around, names_in, target_of, value_of
from texelscope.pipeline.glsl.semantics.statements import (
    DoWhileLoop,
    ForLoop,
    IfStatement,
    InitDeclarator,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_OWN = frozenset(
    {"gl_LocalInvocationID", "gl_LocalInvocationIndex", "gl_GlobalInvocationID", "gl_SubgroupInvocationID"}
)


def places_of_barriers(root: SyntaxNode) -> list[SyntaxNode]:
    """The statements of `main` around writes to shared memory, beside which a barrier may stand."""
    found = accesses(root)
    tainted = tainted_names(root, {*found.shared_writes, *found.shared_reads})
    writes = (node for nodes in found.shared_writes.values() for node in nodes)
    return [*{place.start_byte: place for node in writes if (place := _place(node, tainted)) is not None}.values()]


def _place(write: SyntaxNode, tainted: set[str]) -> SyntaxNode | None:
    """The statement of `main` around which a barrier may stand; None where the write is in another function."""
    if name_around(write) != "main":
        return None
    place = statement_of(write)
    for control in controls_of(write):
        if any(_differs(part, tainted) for part in decisions(control)):
            place = control
    return place


def decisions(control: SyntaxNode) -> Iterator[SyntaxNode]:
    """The parts of a loop or condition that decide how often its body runs."""
    if isinstance(control, ForLoop):
        yield from (part for part in (control.condition, control.initializer, control.update) if part is not None)
    elif isinstance(control, IfStatement | WhileLoop | DoWhileLoop | SwitchStatement):
        yield control.condition


def tainted_names(root: SyntaxNode, shared: set[str]) -> set[str]:
    """Names that may differ between the invocations of a work group."""
    found = {*_OWN, *shared}
    count = 0
    while len(found) > count:
        count = len(found)
        for node in root.of_type(InitDeclarator, Assignment):
            target, value = target_of(node), value_of(node)
            if target is not None and value is not None and _differs(value, found):
                found.update([*names_in(target)][:1])
    return found


def _differs(node: SyntaxNode, tainted: set[str]) -> bool:
    return any(isinstance(each, Identifier) and each.text in tainted for each in node.walk())
