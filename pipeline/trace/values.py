"""Values on their way into the log: what assignments, declarations and calls give variables, as insertions."""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from pipeline.glsl.syntax import OTHER_READS, READS, function_called, walk
from pipeline.plan import ProgramSource
from pipeline.trace.declared import Declared
from pipeline.trace.places import Places
from pipeline.trace.sites import MOST_PARTS

ASSIGNING = frozenset({"assignment_expression", "update_expression"})


class Values(Places):
    """Writes down what variables become. Structs go member by member, arrays element by element."""

    def __init__(self, program: ProgramSource, who: str) -> None:
        super().__init__(program, who)
        self._parts: list[str] = [""]
        self._later: set[int] = set()
        self._structs: dict[str, tuple[Declared, ...]] = {}
        self._arrays: set[tuple[str, str]] = set()
        self._own: dict[str, tuple[Declared, ...]] = {}

    def _happenings(self, node: tree_sitter.Node, *, itself: bool = False) -> bool:
        """Whether something within is written down in its turn: an assignment, a read, a call of the text's own."""
        for inner in walk(node):
            if inner.type in ASSIGNING and (itself or inner.id != node.id):
                return True
            if inner.type == "call_expression":
                name = function_called(inner)
                if name in READS | OTHER_READS or name in self._own:
                    return True
        return False

    def _inside(self, node: tree_sitter.Node) -> None:
        """Everything that is assigned within."""
        for inner in walk(node):
            if inner.type in ASSIGNING:
                if self._is_single(inner):
                    self._assigned(inner)
            elif inner.type == "call_expression":
                self._out_arguments(inner)

    def _assigned(self, node: tree_sitter.Node, *, begins: bool = False, text: str = "", loops: tuple[int, ...] = (),
                  turns: int | None = None, enters: int | None = None) -> None:  # fmt: skip
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is None:
            return
        name, indices = self._target(target)
        step = 0
        if node.type == "update_expression" and node.children[0].start_byte == target.start_byte:
            step = 1 if self._text(node.children[-1]) == "++" else -1
        site = self._site_of(
            "assign", node, name=name, indices=indices, step=step, begins=begins, text=text, loops=loops, turns=turns,
            enters=enters,
        )  # fmt: skip
        self._wrap(node, f"trace_v(trace_s({site}), " if begins else f"trace_v({site}, ")

    def _target(self, node: tree_sitter.Node) -> tuple[str, tuple[int, ...]]:
        """What is assigned, as its author has it, with # for indices, which are written down apart."""
        if node.type == "subscript_expression":
            base, index = node.named_children[0], node.named_children[-1]
            name, indices = self._target(base)
            if index.type == "number_literal":
                return f"{name}[{self._text(index)}]", indices
            site = self._site_of("index", node)
            self._wrap(index, f"trace_v({site}, ")
            return f"{name}[#]", (*indices, site)
        if node.type == "field_expression":
            field = node.child_by_field_name("field")
            name, indices = self._target(node.named_children[0])
            return f"{name}.{self._text(field) if field is not None else ''}", indices
        if node.type == "parenthesized_expression":
            return self._target(node.named_children[0])
        return self._text(node), ()

    def _out_arguments(self, call: tree_sitter.Node) -> None:
        """A call of a function with out parameters says first what variables those are."""
        name, arguments = function_called(call), call.child_by_field_name("arguments")
        own = self._own.get(name, ())
        if arguments is None or all(each.qualifiers.isdisjoint({"out", "inout"}) for each in own):
            return
        given = [child for child in arguments.named_children if child.type != "comment"]
        outs = []
        for each, argument in zip(own, given, strict=False):
            is_out = not each.qualifiers.isdisjoint({"out", "inout"})
            outs.append(self._target(argument) if is_out else ("", ()))
        site = self._site_of("call", call, name=name, outs=tuple(outs))
        self._wrap(call, f"(trace_e({site}), ")

    def _is_single(self, node: tree_sitter.Node) -> bool:
        """Whether an assignment is to something that can be written down as one value."""
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        name = self._text(target) if target is not None else ""
        return not self._is_array(name)

    def _whole_arrays(self, node: tree_sitter.Node) -> str:
        """Behind a statement: the arrays that it assigns as a whole."""
        texts = []
        for each in walk(node):
            left = each.child_by_field_name("left") if each.type == "assignment_expression" else None
            if left is not None and left.type == "identifier" and self._is_array(self._text(left)):
                texts.append(self._written(Declared("", self._text(left), ("",)), left))
        return " " + " ".join(texts) if texts else ""

    def _is_array(self, name: str) -> bool:
        return (self._function, name) in self._arrays or ("", name) in self._arrays

    def _note_arrays(self, found: Sequence[Declared]) -> None:
        self._arrays.update((self._function, each.name) for each in found if each.sizes)

    def _written(self, each: Declared, node: tree_sitter.Node, *, begins: bool = False, text: str = "",
                 loops: tuple[int, ...] = ()) -> str:  # fmt: skip
        """A statement that writes a variable down, element by element where it is an array."""
        if not each.sizes:
            site = self._site_of("assign", node, name=each.name, begins=begins, text=text, loops=loops)
            number = f"trace_s({site})" if begins else str(site)
            return f"trace_v({number}, {each.name});"
        opening, element, indices = "", each.name, []
        for depth in range(len(each.sizes)):
            index = self._site_of("index", node)
            indices.append(index)
            counter = f"trace_{depth}"
            opening += f"for (int {counter} = 0; {counter} < int({element}.length()); {counter}++) {{ "
            opening += f"trace_v({index}, {counter}); "
            element += f"[{counter}]"
        site = self._site_of("assign", node, name=each.name + "[#]" * len(indices), indices=tuple(indices))
        return f"{opening}trace_v({site}, {element});{' }' * len(indices)}"

    def _struct(self, name: str) -> str:
        """A `trace_v` for a struct: each of its members, and theirs."""
        calls: list[str] = []
        for path in self._paths(name):
            if calls:
                self._later.add(len(self._parts))
            self._parts.append(path)
            calls.append(f"trace_v(site | {len(self._parts) - 1 << 16}, v{path});")
        if len(self._parts) >= MOST_PARTS:
            raise self._unsupported(self._root, f"structs of less than {MOST_PARTS} members", f"those of '{name}'")
        return f"{name} trace_v(highp int site, {name} v) {{ {' '.join(calls)} return v; }}"

    def _paths(self, name: str) -> list[str]:
        """`.a`, `.b.c`, `.d[0]`: what a struct's members are called behind its variable."""
        found: list[str] = []
        for member in self._structs[name]:
            counts = [int(size) if size.isdigit() else 0 for size in member.sizes]
            places = [""]
            for count in counts:
                places = [f"{place}[{i}]" for place in places for i in range(count)]
            for place in places:
                inner = self._paths(member.type) if member.type in self._structs else [""]
                found.extend(f".{member.name}{place}{path}" for path in inner)
        return found
