"""Where a compute shader reads and writes its storage blocks and images, and its shared memory, in the syntax tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_called, parents, text_of, walk

_FETCHES = frozenset({"imageLoad", "texelFetch"})


@dataclass(frozen=True)
class Accesses:
    """Nodes that read, and nodes that write: by the name that something is bound by, and by name of shared arrays."""

    reads: Mapping[str, list[tree_sitter.Node]] = field(default_factory=dict)
    writes: Mapping[str, list[tree_sitter.Node]] = field(default_factory=dict)
    shared_reads: Mapping[str, list[tree_sitter.Node]] = field(default_factory=dict)
    shared_writes: Mapping[str, list[tree_sitter.Node]] = field(default_factory=dict)


def accesses(root: tree_sitter.Node) -> Accesses:
    """The accesses of a parsed shader; empty for one without storage blocks, images and shared memory."""
    members, shared = _declared(root)
    found = Accesses({}, {}, {}, {})
    if not members and not shared and "image" not in text_of(root):
        return found
    for node in walk(root):
        if node.type == "subscript_expression":
            _subscript(node, members, shared, found)
        elif node.type == "call_expression":
            arguments = node.child_by_field_name("arguments")
            first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
            if first is not None and function_called(node) in _FETCHES:
                _note(found.reads, text_of(first), node)
            elif first is not None and function_called(node) == "imageStore":
                _note(found.writes, text_of(first), node)
    return found


def written(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The assignment (or ++) that the element is the target of; None where it is read."""
    inner = node
    while inner.parent is not None and inner.parent.type in ("field_expression", "subscript_expression"):
        if inner.parent.named_children[0] != inner:
            return None
        inner = inner.parent
    parent = inner.parent
    if parent is not None and parent.type == "assignment_expression":
        return parent if parent.child_by_field_name("left") == inner else None
    return parent if parent is not None and parent.type == "update_expression" else None


def _declared(root: tree_sitter.Node) -> tuple[dict[str, str], set[str]]:
    """Members of storage blocks by name, with their blocks, and names of shared arrays."""
    members: dict[str, str] = {}
    shared: set[str] = set()
    for node in (child for child in root.named_children if child.type == "declaration"):
        words = {text_of(child) for child in node.children if not child.named_children}
        if "buffer" in words:
            names = [text_of(child) for child in node.children if child.type == "identifier"]
            fields = (child for child in walk(node) if child.type == "field_identifier")
            members.update({text_of(each): names[0] for each in fields if names})
        elif "shared" in words:
            shared.update(
                text_of(child) for child in walk(node) if child.type == "identifier" and _is_declarator(child)
            )
    return members, shared


def _is_declarator(node: tree_sitter.Node) -> bool:
    return (
        node.parent is not None
        and node.parent.type in ("array_declarator", "declaration")
        and (node.parent.type == "declaration" or node.parent.named_children[0] == node)
    )


def _subscript(node: tree_sitter.Node, members: Mapping[str, str], shared: set[str], found: Accesses) -> None:
    name = text_of(node.named_children[0]).rpartition(".")[2]
    is_written = written(node) is not None
    if name in members:
        _note(found.writes if is_written else found.reads, members[name], node)
        target = written(node)
        if target is not None and (target.type == "update_expression" or _is_compound(target)):
            _note(found.reads, members[name], node)
    elif name in shared:
        _note(found.shared_writes if is_written else found.shared_reads, name, node)


def _is_compound(assignment: tree_sitter.Node) -> bool:
    return not any(child.type == "=" for child in assignment.children)


def _note(into: Mapping[str, list[tree_sitter.Node]], name: str, node: tree_sitter.Node) -> None:
    assert isinstance(into, dict)
    into.setdefault(name, []).append(node)


def statement_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The innermost statement that the node is in."""
    return next((each for each in parents(node) if each.type.endswith("_statement")), None)


def controls_of(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The loops and conditions that the node is in, from the inside out, within its function."""
    for each in parents(node):
        if each.type == "function_definition":
            return
        if each.type in ("for_statement", "while_statement", "do_statement", "if_statement", "switch_statement"):
            yield each
