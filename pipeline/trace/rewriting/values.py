"""Values on their way into the log: what assignments, declarations and calls give variables, as insertions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import tree_sitter

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.glsl.syntax import OTHER_READS, READS, function_called, function_name, walk
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.trace.rewriting.declared import DeclaredVariable, parameters, variables, words_of
from texelscope.pipeline.trace.rewriting.places import OwnPlaces
from texelscope.pipeline.trace.rewriting.sites import MOST_PARTS, TraceSite
from texelscope.pipeline.trace.rewriting.watches import Watch

# Built-in functions that change arguments: whether they give nothing, and which.
_BUILT_IN: dict[str, tuple[bool, tuple[int, ...]]] = {
    "modf": (False, (1,)),
    "frexp": (False, (1,)),
    "uaddCarry": (False, (2,)),
    "usubBorrow": (False, (2,)),
    "umulExtended": (True, (2, 3)),
    "imulExtended": (True, (2, 3)),
}
ASSIGNING = frozenset({"assignment_expression", "update_expression"})


@dataclass(frozen=True)
class Own:
    """A function of the text: its parameters, and what it gives."""

    parameters: tuple[DeclaredVariable, ...]
    type: str
    sizes: tuple[str, ...]


class ValueRecorder(OwnPlaces):
    """Writes down what variables become. Structs go member by member, arrays element by element."""

    def __init__(self, program: ProgramSource, who: str, watches: Sequence[Watch]) -> None:
        super().__init__(program, who)
        self._scopes: list[set[str]] = [set()]
        self._watches = {
            each: self._numbered(TraceSite("watch", (GENERATED, 1), "", name=each.text)) for each in watches
        }
        self.seen: set[str] = set()
        self._changing: set[str] = set()
        self._parts: list[str] = [""]
        self._later: set[int] = set()
        self._structs: dict[str, tuple[DeclaredVariable, ...]] = {}
        self._arrays: dict[tuple[str, str], int] = {}
        self._own: dict[str, list[Own]] = {}

    def _begin(self, site: int) -> str:
        """A step begins with what is written down at a site: its number, once the watches have been."""
        watched = self._watched()
        return f"(trace_s({site}), {watched}, {site})" if watched else f"trace_s({site})"

    def _line(self, site: int) -> str:
        """A step begins, as an expression."""
        watched = self._watched()
        return f"(trace_s({site}), {watched}, trace_e({site}))" if watched else f"trace_l({site})"

    def _watched(self) -> str:
        """The watches of which all names are known here."""
        known = set().union(*self._scopes)
        texts = []
        for watch, site in self._watches.items():
            if watch.calls.isdisjoint(self._changing) and all(
                name in known or name.startswith("gl_") for name in watch.names
            ):
                self.seen.add(watch.text)
                quiet = not watch.calls.isdisjoint(self._own)
                value = f"trace_f(({watch.text}), trace_loud())" if quiet else f"({watch.text})"
                texts.append(f"trace_v({f'trace_quiet({site})' if quiet else site}, {value})")
        return ", ".join(texts)

    def _note_changing(self, definitions: Sequence[tree_sitter.Node], shared: Collection[str]) -> None:
        """Finds the functions that change variables `shared` by all, themselves or by those that they call."""
        calls: dict[str, set[str]] = {}
        for node in definitions:
            name = function_name(node)
            declared = {each.name for each in parameters(node)}
            for inner in walk(node):
                if inner.type == "declaration":
                    declared.update(each.name for each in variables(words_of(inner)))
                elif inner.type == "call_expression":
                    calls.setdefault(name, set()).add(function_called(inner))
                elif inner.type in ASSIGNING:
                    base = next((each for each in walk(inner) if each.type == "identifier"), inner)
                    if self._text(base) in shared and self._text(base) not in declared:
                        self._changing.add(name)
        while more := {name for name, called in calls.items() if called & self._changing} - self._changing:
            self._changing |= more

    def _happenings(self, node: tree_sitter.Node, *, itself: bool = False) -> bool:
        """Whether something within is written down in its turn: an assignment, a read, a call of the text's own."""
        for inner in walk(node):
            if inner.type in ASSIGNING and (itself or inner.id != node.id):
                return True
            if inner.type == "call_expression":
                name = function_called(inner)
                if name in READS | OTHER_READS or name in self._own or name in _BUILT_IN:
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
            enters=enters, is_shared=self._is_shared(name),
        )  # fmt: skip
        self._wrap(node, f"trace_v({self._begin(site)}, " if begins else f"trace_v({site}, ")

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
        """Behind a call: what its out parameters gave variables."""
        arguments = call.child_by_field_name("arguments")
        given = (
            [child for child in arguments.named_children if child.type != "comment"] if arguments is not None else []
        )
        found = []
        is_void, places = self._outs(function_called(call), len(given))
        for place in places:
            argument = given[place]
            if self._happenings(argument, itself=True):
                raise self._unsupported(argument, "an out argument that changes nothing itself", self._said(argument))
            if argument.type == "identifier" and self._dimensions(self._text(argument)):
                continue
            name, indices = self._target(argument)
            site = self._site_of("assign", call, name=name, indices=indices, is_shared=self._is_shared(name))
            found.append(f"trace_v({site}, {self._text(argument)})")
        if found and is_void:
            self._wrap(call, "(", f", {', '.join(found)})")
        elif found:
            self._wrap(call, "trace_f(", f", ({', '.join(found)}, 0))")

    def _outs(self, name: str, count: int) -> tuple[bool, tuple[int, ...]]:
        """Of a function called with `count` arguments whether it gives nothing, and which of them it changes."""
        own = next((each for each in self._own.get(name, ()) if len(each.parameters) == count), None)
        if own is None:
            return _BUILT_IN.get(name, (False, ()))
        changed = [not each.qualifiers.isdisjoint({"out", "inout"}) for each in own.parameters]
        return own.type == "void", tuple(place for place, is_out in enumerate(changed) if is_out)

    def _is_single(self, node: tree_sitter.Node) -> bool:
        """Whether an assignment is to something that can be written down as one value."""
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        name = self._text(target) if target is not None else ""
        return not self._dimensions(name)

    def _whole_arrays(self, node: tree_sitter.Node) -> str:
        """Behind a statement: the arrays that it assigns as a whole."""
        texts = []
        for each in walk(node):
            changed = [each.child_by_field_name("left")] if each.type == "assignment_expression" else []
            arguments = each.child_by_field_name("arguments")
            if arguments is not None:
                given = [child for child in arguments.named_children if child.type != "comment"]
                changed = [given[place] for place in self._outs(function_called(each), len(given))[1]]
            for left in changed:
                if left is not None and left.type == "identifier" and self._dimensions(self._text(left)):
                    texts.append(
                        self._written(
                            DeclaredVariable("", self._text(left), ("",) * self._dimensions(self._text(left))), left
                        )
                    )
        return " " + " ".join(texts) if texts else ""

    def _is_shared(self, name: str) -> bool:
        """Whether the variable, of which that may be a part, is global: no scope of the function has it."""
        base = re.split(r"[.\[]", name, maxsplit=1)[0]
        return base in self._scopes[0] and not any(base in scope for scope in self._scopes[1:])

    def _dimensions(self, name: str) -> int:
        return self._arrays.get((self._function, name), self._arrays.get(("", name), 0))

    def _note_arrays(self, found: Sequence[DeclaredVariable]) -> None:
        self._arrays.update({(self._function, each.name): len(each.sizes) for each in found if each.sizes})

    def _written(self, each: DeclaredVariable, node: tree_sitter.Node, *, begins: bool = False, text: str = "",
                 loops: tuple[int, ...] = ()) -> str:  # fmt: skip
        """A statement that writes a variable down, element by element where it is an array."""
        if not each.sizes:
            site = self._site_of("assign", node, name=each.name, begins=begins, text=text, loops=loops)
            number = self._begin(site) if begins else str(site)
            return f"trace_v({number}, {each.name});"
        opening, element, indices = "", each.name, []
        for depth in range(len(each.sizes)):
            index = self._site_of("index", node)
            indices.append(index)
            counter = f"trace_{depth}"
            opening += f"for (int {counter} = 0; {counter} < int({element}.length()); {counter}++) {{ "
            opening += f"trace_v({index}, {counter}); "
            element += f"[{counter}]"
        name = each.name + "[#]" * len(indices)
        is_shared = not each.type and self._is_shared(name)  # what has a type is declared here
        site = self._site_of("assign", node, name=name, indices=tuple(indices), is_shared=is_shared)
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
        passing = f"{name} trace_f({name} v, highp int ignored) {{ return v; }}"
        return f"{name} trace_v(highp int site, {name} v) {{ {' '.join(calls)} return v; }} {passing}"

    def _paths(self, name: str) -> list[str]:
        """`.a`, `.b.c`, `.d[0]`: what a struct's members are called behind its variable."""
        found: list[str] = []
        for member in self._structs[name]:
            counts = [whole_number(size) or 0 for size in member.sizes]
            places = [""]
            for count in counts:
                places = [f"{place}[{i}]" for place in places for i in range(count)]
            for place in places:
                inner = self._paths(member.type) if member.type in self._structs else [""]
                found.extend(f".{member.name}{place}{path}" for path in inner)
        return found
