"""The table of variables before a step: what its line sees, arrays and structs as trees, what changed last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer.stepping.index import CallFrame, Key, TraceIndex, VariableValue
from texelscope.viewer.variables.names import Path, inner_type, lanes_named, length_of, parsed, path_text
from texelscope.viewer.variables.numbers import Lane, lanes_of
from texelscope.viewer.variables.scopes import ScopedName

_NOWHERE: Line = ("", 0)


@dataclass(frozen=True)
class VariableRow:
    """One row: `label` as it stands in its place in the tree, `name` as GLSL has it.

    `value` is empty where the row has parts below it (`parts` of them). `step` and `line` tell who assigned it last;
    -1 and ("", 0) where that is not in the trace. `keys` are its variables in the trace. `kind` is parameter, global,
    or empty.
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
    """A variable, an element or a field: what was assigned to it whole, and what to parts of it."""

    whole: VariableValue | None = None
    parts: dict[str, _Branch] = field(default_factory=dict)

    def all(self) -> list[VariableValue]:
        """Everything that was assigned to it or to parts of it."""
        below = [each for part in self.parts.values() for each in part.all()]
        return [self.whole, *below] if self.whole is not None else below


@dataclass(frozen=True)
class FunctionPlace:
    """Where a function stands: in a call, on a line, in turns of its loops."""

    function: str
    call: int
    line: Line
    turns: tuple[int, ...]


def place_of(index: TraceIndex, frame: CallFrame, at: int) -> FunctionPlace:
    """Where a call under way before step `at` stands."""
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
    """The `variables` that are seen at `place`, in the order they were first assigned.

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
    """The types of what stands outside all functions, by name."""
    return {each.name: each.type for each in declared if not each.function}


def _is_seen(
    index: TraceIndex, declared: Sequence[ScopedName], place: FunctionPlace, name: str, held: VariableValue
) -> bool:
    """Whether the place sees the name; one that the text does not declare is shown."""
    known = [each for each in declared if each.name == name and each.function == place.function]
    seen = [each for each in known if each.is_seen(place.function, place.line[1])]
    if not known or not seen:
        return not known
    if any(each.first != place.line[1] or each.in_head or each.is_parameter for each in seen):
        return True
    # On the line that declares it there is nothing yet but what an earlier turn left behind.
    step = index.step(held.step)
    return step is not None and step.line == place.line and step.turns == place.turns


@dataclass(frozen=True)
class _Table:
    """What all rows of one variable have in common."""

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
    """The whole with what was assigned to lanes alone, before there was a whole."""
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
    """What stands below: fields as they came, elements by number, of a whole array all of them."""
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
    """Of an array that no text declares: its elements' type."""
    inner = next((each.whole.type for each in branch.parts.values() if each.whole is not None), "")
    are_elements = bool(branch.parts) and all(part.isdigit() for part in branch.parts)
    return f"{inner}[]" if inner and are_elements else ""
