"""Finds accesses to storage blocks, images and shared memory in the syntax tree of a compute shader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    FieldAccess,
    FieldName,
    FunctionCall,
    Identifier,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import name_around, names_in, target_of, value_of
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    Statement,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_OWN = frozenset(
    {"gl_LocalInvocationID", "gl_LocalInvocationIndex", "gl_GlobalInvocationID", "gl_SubgroupInvocationID"}
)
_FETCHES = frozenset({"imageLoad", "texelFetch"})


@dataclass(frozen=True)
class Accesses:
    """Holds nodes that read, and nodes that write: by binding name, and by name of shared arrays."""

    reads: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    writes: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    shared_reads: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    shared_writes: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)


def accesses(root: SyntaxNode) -> Accesses:
    """Returns the accesses of a parsed shader; empty for one without storage blocks, images and shared memory."""
    members, shared = _declared(root)
    found = Accesses({}, {}, {}, {})
    if not members and not shared and "image" not in root.text:
        return found
    for node in root.walk():
        if isinstance(node, Subscript):
            _subscript(node, members, shared, found)
        elif isinstance(node, FunctionCall):
            first = node.arguments[0] if node.arguments else None
            if first is not None and node.name in _FETCHES:
                _note(found.reads, first.text, node)
            elif first is not None and node.name == "imageStore":
                _note(found.writes, first.text, node)
    return found


def written(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the assignment (or ++) whose target is the element; None where it is read."""
    inner = node
    while inner.parent is not None and isinstance(inner.parent, FieldAccess | Subscript):
        if inner.parent.named_children[0] != inner:
            return None
        inner = inner.parent
    parent = inner.parent
    if parent is not None and isinstance(parent, Assignment):
        return parent if parent.left == inner else None
    return parent if parent is not None and isinstance(parent, UpdateExpression) else None


def _declared(root: SyntaxNode) -> tuple[dict[str, str], set[str]]:
    """Returns members of storage blocks as the text names them, with their blocks, and names of shared arrays.

    A block with an instance name has its members behind that, `a.data`: those of several blocks may share a name.
    """
    members: dict[str, str] = {}
    shared: set[str] = set()
    for node in (child for child in root.named_children if isinstance(child, Declaration)):
        words = {child.text for child in node.children if not child.named_children}
        if "buffer" in words:
            names = [child.text for child in node.children if isinstance(child, Identifier)]
            instance = _instance_of(node, names)
            fields = node.of_type(FieldName)
            members.update({f"{instance}{each.text}": names[0] for each in fields if names})
        elif "shared" in words:
            shared.update(child.text for child in node.of_type(Identifier) if _is_declarator(child))
    return members, shared


def _instance_of(block: SyntaxNode, names: Sequence[str]) -> str:
    """Returns the name in front of a block's members, with its dot; an array of blocks has one name too."""
    arrays = [child for child in block.children if isinstance(child, ArrayDeclarator)]
    if arrays:
        return f"{arrays[0].named_children[0].text}."
    return f"{names[1]}." if len(names) > 1 else ""


def _named(node: SyntaxNode) -> str:
    """Returns a variable, or a member of one or of its elements, as `members` of blocks are named: `a.data`."""
    if isinstance(node, FieldAccess):
        return f"{_named(node.named_children[0])}.{node.named_children[1].text}"
    return _named(node.named_children[0]) if isinstance(node, Subscript) else node.text


def _is_declarator(node: SyntaxNode) -> bool:
    return (
        node.parent is not None
        and isinstance(node.parent, ArrayDeclarator | Declaration)
        and (isinstance(node.parent, Declaration) or node.parent.named_children[0] == node)
    )


def _subscript(node: SyntaxNode, members: Mapping[str, str], shared: set[str], found: Accesses) -> None:
    name = _named(node.named_children[0])
    is_written = written(node) is not None
    if name in members:
        _note(found.writes if is_written else found.reads, members[name], node)
        target = written(node)
        if target is not None and (isinstance(target, UpdateExpression) or _is_compound(target)):
            _note(found.reads, members[name], node)
    elif name in shared:
        _note(found.shared_writes if is_written else found.shared_reads, name, node)


def _is_compound(assignment: SyntaxNode) -> bool:
    return assignment.operator != "="


def _note(into: Mapping[str, list[SyntaxNode]], name: str, node: SyntaxNode) -> None:
    assert isinstance(into, dict)
    into.setdefault(name, []).append(node)


def statement_of(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the innermost statement around the node."""
    return node.enclosing(Statement)


def controls_of(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Returns the loops and conditions around the node, from the inside out, within its function."""
    for each in node.ancestors():
        if isinstance(each, FunctionDefinition):
            return
        if isinstance(each, ForLoop | WhileLoop | DoWhileLoop | IfStatement | SwitchStatement):
            yield each


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
