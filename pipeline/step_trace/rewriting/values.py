"""Logs values: insertions for the variables that assignments, declarations and calls change."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from texelscope.layouts.outside_text import whole_number
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import OTHER_READS, READS, function_called, target_of
from texelscope.pipeline.glsl.semantics.statements import Declaration, FunctionDefinition
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, parameters_of, variables_of
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.step_trace.rewriting.sites import MOST_PARTS, OwnPlaces, TraceSite, WatchExpression

# Built-in functions that change arguments: whether they return nothing, and which arguments.
_BUILT_IN: dict[str, tuple[bool, tuple[int, ...]]] = {
    "modf": (False, (1,)),
    "frexp": (False, (1,)),
    "uaddCarry": (False, (2,)),
    "usubBorrow": (False, (2,)),
    "umulExtended": (True, (2, 3)),
    "imulExtended": (True, (2, 3)),
}
ASSIGNING = (Assignment, UpdateExpression)


@dataclass(frozen=True)
class OwnFunction:
    """Describes a function of the text: its parameters, and its return type."""

    parameters: tuple[DeclaredVariable, ...]
    type: str
    sizes: tuple[str, ...]


class ValueRecorder(OwnPlaces):
    """Logs new values of variables. Structs go member by member, arrays element by element."""

    def __init__(self, program: ProgramSource, who: str, watches: Sequence[WatchExpression], *, buffers: bool) -> None:
        super().__init__(program, who, buffers=buffers)
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
        self._own: dict[str, list[OwnFunction]] = {}

    def _begin(self, site: int) -> str:
        """Begins a step by logging at a site: its number, after the watches."""
        watched = self._watched()
        return f"(trace_s({site}), {watched}, {site})" if watched else f"trace_s({site})"

    def _line(self, site: int) -> str:
        """Begins a step, as an expression."""
        watched = self._watched()
        return f"(trace_s({site}), {watched}, trace_e({site}))" if watched else f"trace_l({site})"

    def _watched(self) -> str:
        """Returns the watches whose names are all known here."""
        known = set().union(*self._scopes)
        texts = []
        for watch, site in self._watches.items():
            if watch.calls.isdisjoint(self._changing) and all(
                name in known or name.startswith("gl_") for name in watch.names
            ):
                self.seen.add(watch.text)
                quiet = not watch.calls.isdisjoint(self._own)
                text = self._place_renamed(watch.text)
                value = f"trace_f(({text}), trace_loud())" if quiet else f"({text})"
                texts.append(f"trace_v({f'trace_quiet({site})' if quiet else site}, {value})")
        return ", ".join(texts)

    def _note_changing(self, definitions: Sequence[FunctionDefinition], shared: Collection[str]) -> None:
        """Finds the functions that change variables `shared` by all, themselves or by those that they call."""
        calls: dict[str, set[str]] = {}
        for node in definitions:
            name = node.name
            declared = {each.name for each in parameters_of(node)}
            for inner in node.walk():
                if isinstance(inner, Declaration):
                    declared.update(each.name for each in variables_of(inner))
                elif isinstance(inner, FunctionCall):
                    calls.setdefault(name, set()).add(function_called(inner))
                elif isinstance(inner, ASSIGNING):
                    base = next(inner.of_type(Identifier), inner)
                    if self._text(base) in shared and self._text(base) not in declared:
                        self._changing.add(name)
        while more := {name for name, called in calls.items() if called & self._changing} - self._changing:
            self._changing |= more

    def _happenings(self, node: SyntaxNode, *, itself: bool = False) -> bool:
        """Whether anything within is logged separately: an assignment, a read, a call of the text's own functions."""
        for inner in node.walk():
            if isinstance(inner, ASSIGNING) and (itself or inner is not node):
                return True
            if isinstance(inner, FunctionCall):
                name = inner.name
                if name in READS | OTHER_READS or name in self._own or name in _BUILT_IN:
                    return True
        return False

    def _inside(self, node: SyntaxNode) -> None:
        """Logs every assignment within."""
        for inner in node.walk():
            if isinstance(inner, ASSIGNING):
                if self._is_single(inner):
                    self._assigned(inner)
            elif isinstance(inner, FunctionCall):
                self._out_arguments(inner)

    def _assigned(self, node: SyntaxNode, *, begins: bool = False, text: str = "", loops: tuple[int, ...] = (),
                  turns: int | None = None, enters: int | None = None) -> None:  # fmt: skip
        target = target_of(node)
        if target is None:
            return
        name, indices = self._target(target)
        step = 0
        if isinstance(node, UpdateExpression) and not node.is_before:
            step = 1 if node.operator == "++" else -1
        site = self._site_of(
            "assign", node, name=name, indices=indices, step=step, begins=begins, text=text, loops=loops, turns=turns,
            enters=enters, is_shared=self._is_shared(name),
        )  # fmt: skip
        self._wrap(node, f"trace_v({self._begin(site)}, " if begins else f"trace_v({site}, ")

    def _target(self, node: SyntaxNode) -> tuple[str, tuple[int, ...]]:
        """Returns the assigned variable in its author's words, with # for indices, which are logged separately."""
        if isinstance(node, Subscript):
            base, index = node.named_children[0], node.named_children[-1]
            name, indices = self._target(base)
            if isinstance(index, NumberLiteral):
                return f"{name}[{self._text(index)}]", indices
            site = self._site_of("index", node)
            self._wrap(index, f"trace_v({site}, ")
            return f"{name}[#]", (*indices, site)
        if isinstance(node, FieldAccess):
            name, indices = self._target(node.named_children[0])
            return f"{name}.{node.field.text}", indices
        if isinstance(node, Parenthesised):
            return self._target(node.named_children[0])
        return self._text(node), ()

    def _out_arguments(self, call: FunctionCall) -> None:
        """Logs after a call what its out parameters gave variables."""
        given = [child for child in call.arguments if not isinstance(child, Comment)]
        found = []
        is_void, places = self._outs(call.name, len(given))
        for place in places:
            argument = given[place]
            if self._happenings(argument, itself=True):
                raise self._unsupported(argument, "an out argument that changes nothing itself", self._said(argument))
            if isinstance(argument, Identifier) and self._dimensions(self._text(argument)):
                continue
            name, indices = self._target(argument)
            site = self._site_of("assign", call, name=name, indices=indices, is_shared=self._is_shared(name))
            found.append(f"trace_v({site}, {self._text(argument)})")
        if found and is_void:
            self._wrap(call, "(", f", {', '.join(found)})")
        elif found:
            self._wrap(call, "trace_f(", f", ({', '.join(found)}, 0))")

    def _outs(self, name: str, count: int) -> tuple[bool, tuple[int, ...]]:
        """Returns of a function called with `count` arguments whether it returns nothing, and which ones it changes."""
        own = next((each for each in self._own.get(name, ()) if len(each.parameters) == count), None)
        if own is None:
            return _BUILT_IN.get(name, (False, ()))
        changed = [not each.qualifiers.isdisjoint({"out", "inout"}) for each in own.parameters]
        return own.type == "void", tuple(place for place, is_out in enumerate(changed) if is_out)

    def _is_single(self, node: SyntaxNode) -> bool:
        """Whether the target of an assignment can be logged as one value."""
        target = target_of(node)
        name = self._text(target) if target is not None else ""
        return not self._dimensions(name)

    def _whole_arrays(self, node: SyntaxNode) -> str:
        """Logs after a statement the arrays that it assigns as a whole."""
        texts = []
        for each in node.walk():
            changed = [each.left] if isinstance(each, Assignment) else []
            if isinstance(each, FunctionCall):
                given = [child for child in each.arguments if not isinstance(child, Comment)]
                changed = [given[place] for place in self._outs(each.name, len(given))[1]]
            for left in changed:
                if isinstance(left, Identifier) and self._dimensions(self._text(left)):
                    texts.append(
                        self._written(
                            DeclaredVariable("", self._text(left), ("",) * self._dimensions(self._text(left))), left
                        )
                    )
        return " " + " ".join(texts) if texts else ""

    def _is_shared(self, name: str) -> bool:
        """Whether the variable, or the one it is part of, is global: no scope of the function has it."""
        base = re.split(r"[.\[]", name, maxsplit=1)[0]
        return base in self._scopes[0] and not any(base in scope for scope in self._scopes[1:])

    def _dimensions(self, name: str) -> int:
        return self._arrays.get((self._function, name), self._arrays.get(("", name), 0))

    def _note_arrays(self, found: Sequence[DeclaredVariable]) -> None:
        self._arrays.update({(self._function, each.name): len(each.sizes) for each in found if each.sizes})

    def _written(self, each: DeclaredVariable, node: SyntaxNode, *, begins: bool = False, text: str = "",
                 loops: tuple[int, ...] = ()) -> str:  # fmt: skip
        """Returns a statement that logs a variable, element by element where it is an array."""
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
        """Writes a `trace_v` for a struct: each of its members, and theirs."""
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
        """Returns `.a`, `.b.c`, `.d[0]`: the paths of a struct's members after its variable."""
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
