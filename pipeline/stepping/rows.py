"""Prepares the table of variables before a step: those in scope, arrays and structs as trees, the last changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.stepping.index import CallFrame, Key, TraceIndex, VariableValue
from texelscope.pipeline.stepping.numbers import Lane, lanes_of, rows_of

if TYPE_CHECKING:
    from texelscope.pipeline.stepping.scopes import ScopedName

# The path to a part of a variable: elements by number, fields and lanes by name.
Path = tuple[str, ...]

_LETTERS = ("xyzw", "rgba", "stpq")
_PARTS = re.compile(r"\.([A-Za-z_]\w*)|\[(-?\d+)\]")
_BASE = re.compile(r"[A-Za-z_]\w*")
_ARRAY = re.compile(r"(.*?)\[(\d*)\](.*)")

_NOWHERE: Line = ("", 0)


@dataclass(frozen=True)
class VariableRow:
    """One row: `label` is its text in the tree, `name` its GLSL name.

    `value` is empty if the row has parts below it (`parts` of them). `step` and `line` are those of the last
    assignment; -1 and ("", 0) if that is not in the trace. `keys` are its variables in the trace. `kind` is parameter,
    global, or empty.
    """

    label: str
    name: str
    type: str
    value: tuple[Lane, ...]
    step: int
    line: Line
    keys: tuple[Key, ...]
    depth: int = 0
    parts: int = 0
    is_open: bool = False
    is_changed: bool = False
    kind: str = ""


@dataclass
class _Branch:
    """A variable, an element or a field: what was assigned to the whole, and what to its parts."""

    whole: VariableValue | None = None
    parts: dict[str, _Branch] = field(default_factory=dict)

    def all(self) -> list[VariableValue]:
        """Returns everything that was assigned to it or to its parts."""
        below = [each for part in self.parts.values() for each in part.all()]
        return [self.whole, *below] if self.whole is not None else below


@dataclass(frozen=True)
class FunctionPlace:
    """The position of a function: in a call, on a line, in turns of its loops."""

    function: str
    call: int
    line: Line
    turns: tuple[int, ...]


def place_of(index: TraceIndex, frame: CallFrame, at: int) -> FunctionPlace:
    """Returns the position of a call in progress before step `at`."""
    row = min(max(at - index.first, -1), len(index.steps) - 1)
    own = np.flatnonzero(index.calls[: row + 1] == frame.call)
    turns = index.steps[int(own[-1])].turns if len(own) else ()
    return FunctionPlace(frame.function, frame.call, frame.line, turns)


def rows_at(
    index: TraceIndex,
    variables: Sequence[VariableValue],
    place: FunctionPlace,
    declared: Sequence[ScopedName],
    changed: Set[Key] = frozenset(),
    opened: Set[str] = frozenset(),
) -> list[VariableRow]:
    """Returns the `variables` in scope at `place`, in the order they were first assigned.

    `declared` is what the text of the place's file declares, `opened` the `name` of each row whose parts are shown.
    """
    branches: dict[tuple[str, str], _Branch] = {}
    for each in variables:
        base, path = parsed(each.name)
        if each.function and not _is_seen(index, declared, place, base, each):
            continue
        branch = branches.setdefault((each.function, base), _Branch())
        for part in path:
            branch = branch.parts.setdefault(part, _Branch())
        branch.whole = each
    types = {each.name: each for each in declared if each.function in ("", place.function)}
    rows: list[VariableRow] = []
    for (function, base), branch in branches.items():
        own = types.get(base)
        kind = "global" if not function else "parameter" if own is not None and own.is_parameter else ""
        _append(rows, _Table(index, base, kind, changed, opened), branch, (), own.type if own is not None else "")
    return rows


def types_of(declared: Sequence[ScopedName]) -> Mapping[str, str]:
    """Returns the types of what is declared outside all functions, by name."""
    return {each.name: each.type for each in declared if not each.function}


def _is_seen(
    index: TraceIndex, declared: Sequence[ScopedName], place: FunctionPlace, name: str, held: VariableValue
) -> bool:
    """Returns whether the name is in scope at the place; a name that the text does not declare is shown."""
    known = [each for each in declared if each.name == name and each.function == place.function]
    seen = [each for each in known if each.is_seen(place.function, place.line[1])]
    if not known or not seen:
        return not known
    if any(each.first != place.line[1] or each.in_head or each.is_parameter for each in seen):
        return True
    # On the declaring line the variable still holds what an earlier turn left.
    step = index.step(held.step)
    return step is not None and step.line == place.line and step.turns == place.turns


@dataclass(frozen=True)
class _Table:
    """Holds the values that all rows of one variable share."""

    index: TraceIndex
    base: str
    kind: str
    changed: Set[Key]
    opened: Set[str]


def _append(rows: list[VariableRow], table: _Table, branch: _Branch, path: Path, type_name: str) -> None:
    type_name = type_name or (branch.whole.type if branch.whole is not None else "") or _elements_type(branch)
    all_of_it = branch.all()
    newest = max(all_of_it, key=lambda each: (each.begun, each.step))
    name, is_vector = path_text(table.base, path), bool(lanes_of(type_name))
    parts = {} if is_vector else _parts(branch, type_name)
    value = _vector(branch, type_name) if is_vector else branch.whole.value if branch.whole and not parts else ()
    is_open = bool(parts) and name in table.opened
    step = table.index.step(newest.step)
    keys = tuple(dict.fromkeys(each.key for each in all_of_it))
    rows.append(
        VariableRow(
            path_text("", path[-1:]) if path else table.base,
            name,
            type_name,
            value,
            newest.step,
            step.line if step is not None else _NOWHERE,
            keys,
            len(path),
            len(parts),
            is_open,
            any(key in table.changed for key in keys),
            table.kind,
        )
    )
    if is_open:
        for part, below in parts.items():
            _append(rows, table, below, (*path, part), inner_type(type_name, part))


def _vector(branch: _Branch, type_name: str) -> tuple[Lane, ...]:
    """Returns the whole with the lanes that were assigned before the whole was."""
    value: list[Lane] = list(branch.whole.value) if branch.whole is not None else [None] * lanes_of(type_name)
    since = branch.whole.begun if branch.whole is not None else -1
    for path, part in _leaves(branch, ()):
        if path and part.begun > since:
            for lane, number in zip(lanes_named(type_name, path), part.value, strict=False):
                value[lane] = number
    return tuple(value)


def _leaves(branch: _Branch, path: Path) -> list[tuple[Path, VariableValue]]:
    own = [(path, branch.whole)] if branch.whole is not None else []
    return own + [each for part, below in branch.parts.items() for each in _leaves(below, (*path, part))]


def _parts(branch: _Branch, type_name: str) -> dict[str, _Branch]:
    """Returns the parts below: fields as they came, elements by number, and all of a whole array."""
    parts = dict(branch.parts)
    count, whole = length_of(type_name), branch.whole
    if whole is not None and count and len(whole.value) % count == 0:
        lanes = len(whole.value) // count
        for number in range(count):
            known = parts.get(str(number))
            if known is None or all(each.begun < whole.begun for each in known.all()):
                value = whole.value[number * lanes : (number + 1) * lanes]
                inner = inner_type(type_name, str(number))
                made = VariableValue(whole.name, inner, value, whole.begun, whole.step, whole.function, whole.call)
                parts[str(number)] = _Branch(made)
    return dict(sorted(parts.items(), key=lambda item: int(item[0]) if item[0].lstrip("-").isdigit() else 0))


def _elements_type(branch: _Branch) -> str:
    """Returns the element type of an array that no text declares."""
    inner = next((each.whole.type for each in branch.parts.values() if each.whole is not None), "")
    are_elements = bool(branch.parts) and all(part.isdigit() for part in branch.parts)
    return f"{inner}[]" if inner and are_elements else ""


@lru_cache(maxsize=512)
def parsed(name: str) -> tuple[str, Path]:
    """Returns a variable's name and path: elements by their number, fields and lanes by name."""
    base = _BASE.match(name)
    if base is None:
        return name, ()
    return base[0], tuple(field or index for field, index in _PARTS.findall(name, base.end()))


def path_text(base: str, path: Path) -> str:
    """Formats a variable's name and path as in GLSL."""
    return base + "".join(f"[{part}]" if part.lstrip("-").isdigit() else f".{part}" for part in path)


def inner_type(type_name: str, part: str) -> str:
    """Returns the type of an element of an array type; unknown (empty) for a field."""
    match = _ARRAY.fullmatch(type_name)
    return f"{match[1]}{match[3]}" if match is not None and part.lstrip("-").isdigit() else ""


def length_of(type_name: str) -> int:
    """Returns how many elements an array type has; 0 for no array, or an unknown length."""
    match = _ARRAY.fullmatch(type_name)
    return int(match[2]) if match is not None and match[2] else 0


def lanes_named(type_name: str, path: Path) -> tuple[int, ...]:
    """Returns the lanes of a vector or matrix type that `path` names, in its order; none if it names no lanes."""
    count, rows = lanes_of(type_name), rows_of(type_name)
    if count < 2 or not path:
        return ()
    first, rest = path[0], path[1:]
    if rows:
        if not first.isdigit():
            return ()
        start = int(first) * rows
        inside = lanes_named(f"vec{rows}", rest) if rest else tuple(range(rows))
        return tuple(start + lane for lane in inside if start + lane < count)
    if first.isdigit():
        return (int(first),) if int(first) < count else ()
    known = next((letters for letters in _LETTERS if set(first) <= set(letters)), "")
    return tuple(known.index(letter) for letter in first if known.index(letter) < count) if known else ()
