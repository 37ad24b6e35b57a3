"""Where a compute shader reads and writes its storage blocks and images, and its shared memory, in the syntax tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    Statement,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_FETCHES = frozenset({"imageLoad", "texelFetch"})


@dataclass(frozen=True)
class Accesses:
    """Nodes that read, and nodes that write: by the name that something is bound by, and by name of shared arrays."""

    reads: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    writes: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    shared_reads: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)
    shared_writes: Mapping[str, list[SyntaxNode]] = field(default_factory=dict)


def accesses(root: SyntaxNode) -> Accesses:
    """The accesses of a parsed shader; empty for one without storage blocks, images and shared memory."""
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
    """The assignment (or ++) that the element is the target of; None where it is read."""
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
    """Members of storage blocks by name, with their blocks, and names of shared arrays."""
    members: dict[str, str] = {}
    shared: set[str] = set()
    for node in (child for child in root.named_children if isinstance(child, Declaration)):
        words = {child.text for child in node.children if not child.named_children}
        if "buffer" in words:
            names = [child.text for child in node.children if isinstance(child, Identifier)]
            fields = node.of_type(FieldName)
            members.update({each.text: names[0] for each in fields if names})
        elif "shared" in words:
            shared.update(child.text for child in node.of_type(Identifier) if _is_declarator(child))
    return members, shared


def _is_declarator(node: SyntaxNode) -> bool:
    return (
        node.parent is not None
        and isinstance(node.parent, ArrayDeclarator | Declaration)
        and (isinstance(node.parent, Declaration) or node.parent.named_children[0] == node)
    )


def _subscript(node: SyntaxNode, members: Mapping[str, str], shared: set[str], found: Accesses) -> None:
    name = node.named_children[0].text.rpartition(".")[2]
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
    """The innermost statement that the node is in."""
    return node.enclosing(Statement)


def controls_of(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """The loops and conditions that the node is in, from the inside out, within its function."""
    for each in node.ancestors():
        if isinstance(each, FunctionDefinition):
            return
        if isinstance(each, ForLoop | WhileLoop | DoWhileLoop | IfStatement | SwitchStatement):
            yield each
