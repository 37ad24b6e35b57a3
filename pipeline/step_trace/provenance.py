"""Traces a value back: the assignments behind it, as they ran, from the statement that used it backwards.

The names that a statement used come from its text (the parsed expression), their values from the trace: the last
assignment before it that the same call, or a global variable, saw. Calls are followed through their returned values,
parameters to the arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.glsl.semantics.expressions import Assignment, FieldAccess, FunctionCall, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    InitDeclarator,
    ParameterDeclaration,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

# Links of a chain: a sum over a large window has one for each turn.
MOST_LINKS = 400
_NOWHERE: Line = ("", 0)
_LETTERS = frozenset("xyzwrgbastpq")
_INDEX = re.compile(r"\[[^\]]*\]")
_DIRECT = ("=",)


@dataclass(frozen=True)
class ProvenanceLink:
    """Describes one assignment behind a value: to `name`, by the statement `text` on `line`, in step `step`.

    The name became `value`. `depth` counts from 0 for the requested name; its sources follow one deeper. A name that
    no step assigned (a uniform, a constant, `gl_FragCoord`) ends the chain: its `step` is -1, its `line` ("", 0).
    """

    name: str
    text: str
    line: Line
    step: int
    value: tuple[Number, ...]
    depth: int = 0


def chain(trace: Trace, step_number: int, name_or_read: str | TexelRead) -> tuple[ProvenanceLink, ...]:
    """Returns the assignments behind a variable's value, or the address of a read, as step `step_number` saw it.

    A variable that the step itself assigns is followed from there. Each assignment stands once, where it was met first;
    at most `MOST_LINKS`, the nearest first. Empty for a step outside the trace's window and a name that holds nothing.
    """
    return _Chain(trace).of(step_number, name_or_read)


@dataclass(frozen=True)
class _Made:
    """Places an assignment in its step, and among all of them."""

    assigned: Assigned
    step: TraceStep | None
    order: int


class VariableHomes:
    """Finds where the variables of a trace live: in one call, or outside all functions, whoever assigns them."""

    def __init__(self, trace: Trace) -> None:
        self._local: set[tuple[str, str]] = set()
        for step in trace.steps:
            for made in step.assigned:
                base = base_of(made.name)
                # Arguments, and variables declared with a value. Others get one before they are used.
                if made.call != step.call or base in _declared(step.text):
                    self._local.add((made.function, base))

    def of(self, function: str, call: int, name: str) -> tuple[str, int, str]:
        """Returns function, call and name of the variable that a call knows by a name; no function for a global one."""
        base = base_of(name)
        return (function, call, base) if function and (function, base) in self._local else ("", 0, base)


class _Chain:
    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._homes = VariableHomes(trace)
        self._steps = {step.number: step for step in trace.steps}
        self._made: dict[tuple[str, int, str], list[_Made]] = {}
        order = 0
        for before in trace.before:
            self._note(_Made(before, None, order))
            order += 1
        for step in trace.steps:
            for assigned in step.assigned:
                self._note(_Made(assigned, step, order))
                order += 1
        self._returns = {step.call: step for step in trace.steps if step.end == "return"}
        self._seen: set[object] = set()
        self._found: list[ProvenanceLink] = []

    def _note(self, made: _Made) -> None:
        assigned = made.assigned
        self._made.setdefault(self._homes.of(assigned.function, assigned.call, assigned.name), []).append(made)

    def of(self, number: int, wanted: str | TexelRead) -> tuple[ProvenanceLink, ...]:
        step = self._steps.get(number)
        if step is None:
            return ()
        pending: list[tuple[str, TraceStep, int, int]]
        if isinstance(wanted, TexelRead):
            pending = [(name, step, number + 1, 0) for name in self._used(step, _address(wanted, step), number + 1)]
        else:
            own = [made for made in step.assigned if _overlap(made.name, wanted)]
            pending = self._link(wanted, step, own[-1].begun if own else number, 0, is_asked=bool(own))
        # Sources come directly behind their value: breadth-first order would part the two.
        while pending and len(self._found) < MOST_LINKS:
            name, around, limit, depth = pending.pop(0)
            pending[:0] = self._link(name, around, limit, depth, is_asked=False)
        return tuple(self._found)

    def _link(
        self, name: str, around: TraceStep, limit: int, depth: int, *, is_asked: bool
    ) -> list[tuple[str, TraceStep, int, int]]:
        """Adds the links of a name as a step saw it; returns their sources, which come next."""
        if name.endswith("()"):
            return self._returned(name, around, limit, depth)
        made = self._last(name, around, limit, inclusive=is_asked)
        if not made:
            self._given(name, depth)
            return []
        following: list[tuple[str, TraceStep, int, int]] = []
        for each in made:
            if each.order in self._seen:
                continue
            self._seen.add(each.order)
            step, assigned = each.step, each.assigned
            if step is None:
                self._found.append(ProvenanceLink(assigned.name, "", _NOWHERE, -1, assigned.value, depth))
                continue
            self._found.append(ProvenanceLink(assigned.name, step.text, step.line, step.number, assigned.value, depth))
            text = self._source(each)
            following += [(used, step, step.number + 1, depth + 1) for used in self._used(step, text, assigned.begun)]
        return following

    def _returned(self, name: str, around: TraceStep, limit: int, depth: int) -> list[tuple[str, TraceStep, int, int]]:
        following: list[tuple[str, TraceStep, int, int]] = []
        for call in self._calls(around, name[:-2]):
            step = self._returns.get(call)
            if step is None or ("return", call) in self._seen:
                continue
            self._seen.add(("return", call))
            self._found.append(ProvenanceLink(name, step.text, step.line, step.number, step.returned, depth))
            text = step.text.removeprefix("return")
            following += [(used, step, step.number + 1, depth + 1) for used in self._used(step, text, limit)]
        return following

    def _calls(self, step: TraceStep, function: str) -> list[int]:
        """Returns the calls of a function that a step made itself, in order."""
        found: dict[int, None] = {}
        for later in self._trace.steps[step.number - self._trace.first + 1 :]:
            if later.depth <= step.depth:
                break
            if later.depth == step.depth + 1 and later.function == function:
                found[later.call] = None
        return list(found)

    def _last(self, name: str, around: TraceStep, limit: int, *, inclusive: bool) -> list[_Made]:
        """Returns the last assignments, of a variable or of each of its parts, before a step's own ones."""
        found = self._made.get(self._homes.of(around.function, around.call, name), [])
        seen = [each for each in found if self._is_seen(each, around, limit, inclusive=inclusive)]
        parts: list[_Made] = []
        for each in reversed(seen):
            if not _overlap(each.assigned.name, name):
                continue
            if not any(_covers(part.assigned.name, each.assigned.name) for part in parts):
                parts.append(each)
            if _covers(each.assigned.name, name):
                break
        return parts

    @staticmethod
    def _is_seen(each: _Made, around: TraceStep, limit: int, *, inclusive: bool) -> bool:
        if each.step is None:
            return True
        if each.step.number == around.number and not inclusive:
            # A parameter is the call's first; the statement's own assignments come after its uses.
            return each.assigned.call != around.call
        return each.assigned.begun <= limit

    def _source(self, each: _Made) -> str:
        """Returns the text behind an assignment: a statement's right side, or the argument that became a parameter."""
        step, assigned = each.step, each.assigned
        assert step is not None
        if assigned.call == step.call or not assigned.function:
            return step.text
        handed = [made for made in step.assigned if made.call == assigned.call and made.function == assigned.function]
        position = next((number for number, made in enumerate(handed) if made is assigned), 0)
        calls = self._calls(step, assigned.function)
        turn = calls.index(assigned.call) if assigned.call in calls else 0
        found = [call for call in _parsed(step.text).of_type(FunctionCall) if call.name == assigned.function]
        if not found:
            return ""
        given = [node.text for node in found[min(turn, len(found) - 1)].arguments]
        samplers = {sampler.uniform for sampler in self._trace.samplers}
        given = [text for text in given if text not in samplers]
        return given[position] if position < len(given) else ""

    def _used(self, step: TraceStep, text: str, limit: int) -> list[str]:
        """Returns the names in a text, with swizzles and indices as numbers, and `f()` for calls of own functions."""
        functions = {later.function for later in self._trace.steps}
        names: dict[str, None] = {}
        for used in names_used(text):
            name = used
            if name.endswith("()"):
                if name[:-2] in functions and self._calls(step, name[:-2]):
                    names[name] = None
                continue
            names[self._with_numbers(name, step, limit)] = None
        return list(names)

    def _with_numbers(self, name: str, step: TraceStep, limit: int) -> str:
        """Returns `w[i].x` as `w[3].x`; without the index where its value is not known."""

        def number(match: re.Match[str]) -> str:
            inner = match[0][1:-1].strip()
            if inner.isdigit():
                return f"[{inner}]"
            made = self._last(inner, step, limit, inclusive=False) if inner.isidentifier() else []
            return f"[{int(made[0].assigned.value[0])}]" if made else "[]"

        return _INDEX.sub(number, name)

    def _given(self, name: str, depth: int) -> None:
        base = base_of(name)
        if base in self._seen:
            return
        for values in (self._trace.uniforms, self._trace.constants):
            if base in values:
                self._seen.add(base)
                self._found.append(ProvenanceLink(base, "", _NOWHERE, -1, tuple(values[base]), depth))
                return
        if base == "gl_FragCoord":
            self._seen.add(base)
            self._found.append(ProvenanceLink(base, "", _NOWHERE, -1, self._trace.frag_coord, depth))


def base_of(name: str) -> str:
    """Returns the variable behind `w[3].xy`."""
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def names_used(text: str) -> Iterator[str]:
    """Yields names whose values a statement uses: its right side, `+=` and `++` targets, calls as `f()`, indices."""
    late: list[str] = []
    for node in _parsed(text).walk():
        if isinstance(node, FunctionCall):
            yield f"{node.name}()"
        if not isinstance(node, Identifier) or _is_no_value(top := _whole(node)):
            continue
        sign = _assigned_by(top)
        if sign == "":
            yield top.text
        elif sign not in _DIRECT:
            late.append(top.text)
    yield from late


def _is_no_value(node: SyntaxNode) -> bool:
    """Whether a name is a function's, or one that is declared."""
    match node.parent:
        case Declaration() | ParameterDeclaration() | ArrayDeclarator():
            return True
        case FunctionCall(callee=named) | InitDeclarator(declarator=named):
            return named is node
    return False


def _assigned_by(node: SyntaxNode) -> str:
    """Returns the operator of the assignment with a name on its left: `=` or another; "index" within an index there."""
    inner = node
    for each in node.ancestors():
        if isinstance(each, Assignment) and each.left == inner:
            sign = each.operator
            return sign if inner == node else "index"
        inner = each
    return ""


def _whole(node: SyntaxNode) -> SyntaxNode:
    """Returns `w[i].xy` around `w`; the index's own names are met separately."""
    current = node
    while (
        current.parent is not None
        and isinstance(current.parent, FieldAccess | Subscript)
        and current.parent.argument == current
    ):
        current = current.parent
    return current


@lru_cache(maxsize=1024)
def _declared(text: str) -> frozenset[str]:
    """Returns the names that a statement declares."""
    return frozenset(base_of(node.declarator.text) for node in _parsed(text).of_type(InitDeclarator))


@lru_cache(maxsize=64)  # a fragment has fewer lines that are asked for again
def _parsed(text: str) -> SyntaxNode:
    return parse(constructors_as_calls(f"void f() {{ {text}; }}".encode()))


def _address(read: TexelRead, step: TraceStep) -> str:
    """Returns the place of a read: its arguments but for the sampler."""
    text = read.text or step.text
    for call in _parsed(text).of_type(FunctionCall):
        given = [each.text for each in call.arguments]
        return "f({})".format(", ".join(each for each in given if each != read.uniform))
    return text


def _covers(name: str, other: str) -> bool:
    """Whether an assignment to `name` gave all of `other` its value."""
    if name == other or other.startswith((f"{name}.", f"{name}[")):
        return True
    (first, lanes), (second, others) = _lanes(name), _lanes(other)
    return first == second and bool(lanes) and bool(others) and set(others) <= set(lanes)


def _overlap(name: str, other: str) -> bool:
    """Whether two names have a lane or an element in common."""
    (first, lanes), (second, others) = _lanes(name), _lanes(other)
    if first == second:
        return not lanes or not others or bool(set(lanes) & set(others))
    if "[]" in first or "[]" in second:
        return base_of(first) == base_of(second)
    return first.startswith((f"{second}[", f"{second}.")) or second.startswith((f"{first}[", f"{first}."))


def _lanes(name: str) -> tuple[str, str]:
    """Returns `v.ba` as ("v", "zw" in order of x, y, z, w); a member of a struct is no swizzle."""
    base, dot, letters = name.rpartition(".")
    if not dot or not letters or len(letters) > 4 or not set(letters) <= _LETTERS:
        return name, ""
    for alphabet in ("xyzw", "rgba", "stpq"):
        if set(letters) <= set(alphabet):
            return base, "".join("xyzw"[alphabet.index(letter)] for letter in letters)
    return name, ""


__all__ = ["MOST_LINKS", "ProvenanceLink", "VariableHomes", "base_of", "chain", "names_used"]
