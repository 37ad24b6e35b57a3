"""Holds the variables of a running block by name, and finds and replaces the parts of them that are assigned to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from texelscope.pipeline.dialects.mpv.network.calls import moved_value
from texelscope.pipeline.dialects.mpv.network.values import NotUnderstoodError, Scalar
from texelscope.pipeline.dialects.mpv.network.variable_types import (
    ArrayValue,
    Matrix,
    StructureValue,
    Value,
    VariableType,
    lanes_of,
)
from texelscope.pipeline.glsl.semantics.expressions import Assignment
from texelscope.pipeline.glsl.semantics.statements import ForLoop

# A part of a value: lanes of a vector, an element of an array or a column of a matrix, or a structure's member.
Step: TypeAlias = tuple[int, ...] | int | str


@dataclass(frozen=True)
class Variable:
    """Holds a value; `type` is None for what mpv defines, which cannot be assigned to."""

    value: Value
    type: VariableType | None = None


@dataclass(frozen=True, eq=False)
class SharedStore:
    """Holds an assignment to an element inside nested loops, and the variables as they were before these loops."""

    loops: tuple[ForLoop, ...]
    assignment: Assignment
    scopes: Scopes


@dataclass
class SharedArray:
    """Holds a group's array as the assignments that fill it; those in `tried` store the same from every invocation.

    `made` has the elements that were read, by their indices.
    """

    type: VariableType
    stores: list[SharedStore] = field(default_factory=list)
    tried: set[SharedStore] = field(default_factory=set)
    made: dict[tuple[str, ...], Value] = field(default_factory=dict)


Scope: TypeAlias = dict[str, Variable | SharedArray]


class Scopes:
    """Finds variables by name, in the innermost scope that has the name; the first scope is outside all functions."""

    def __init__(self, stack: Sequence[Scope]) -> None:
        self._stack = list(stack)

    def find(self, name: str) -> Variable | SharedArray | None:
        """Returns the variable of that name; None if there is none."""
        for scope in reversed(self._stack):
            if name in scope:
                return scope[name]
        return None

    def outermost(self, name: str) -> Variable | None:
        """Returns the variable of that name outside of all functions; None if there is none."""
        found = self._stack[0].get(name)
        return found if isinstance(found, Variable) else None

    def declare(self, name: str, variable: Variable | SharedArray) -> None:
        """Adds a variable to the innermost scope."""
        self._stack[-1][name] = variable

    def assign(self, name: str, value: Value) -> None:
        """Replaces a variable's value."""
        for scope in reversed(self._stack):
            before = scope.get(name)
            if isinstance(before, Variable):
                scope[name] = Variable(value, before.type)
                return

    def has_shared_memory(self) -> bool:
        """Reports whether a group's array can be seen."""
        return any(isinstance(each, SharedArray) for scope in self._stack for each in scope.values())

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Opens a scope inside the present ones."""
        self._stack.append({})
        try:
            yield
        finally:
            self._stack.pop()

    @contextmanager
    def function(self) -> Iterator[None]:
        """Opens a function's scope, which sees none of its caller's variables."""
        outer, self._stack = self._stack, [self._stack[0], {}]
        try:
            yield
        finally:
            self._stack = outer

    def copied(self, steps: Mapping[str, int] | None = None) -> Scopes:
        """Returns the same variables, apart from these; of another invocation, its indices `steps` further on."""
        if not steps:
            return Scopes([dict(scope) for scope in self._stack])
        moved = [
            {
                name: Variable(moved_value(each.value, steps), each.type) if isinstance(each, Variable) else each
                for name, each in scope.items()
            }
            for scope in self._stack
        ]
        return Scopes(moved)


@dataclass(frozen=True)
class AssignmentTarget:
    """Names what an assignment changes: a variable, or the part of it that `steps` lead to, of the type `type`."""

    name: str
    steps: tuple[Step, ...]
    type: VariableType

    def overlaps(self, other: AssignmentTarget) -> bool:
        """Reports whether a change of one changes the other."""
        if self.name != other.name:
            return False
        for own, its in zip(self.steps, other.steps, strict=False):
            if isinstance(own, tuple) and isinstance(its, tuple):
                return bool(set(own) & set(its))
            if own != its:
                return False
        return True


def part_of(value: Value, steps: Sequence[Step]) -> Value:
    """Returns the part of a value. Raises NotUnderstoodError for one that it has not."""
    for step in steps:
        if isinstance(step, str):
            if not isinstance(value, StructureValue) or step not in value.members:
                raise NotUnderstoodError(f"a member '{step}'")
            value = value.members[step]
        elif isinstance(step, int):
            items = value.items if isinstance(value, ArrayValue) else value.columns if isinstance(value, Matrix) else ()
            if not 0 <= step < len(items):
                raise NotUnderstoodError(f"element {step} of {len(items)}")
            value = items[step]
        else:
            lanes = lanes_of(value)
            value = lanes[step[0]] if len(step) == 1 else tuple(lanes[lane] for lane in step)
    return value


def with_part(value: Value, steps: Sequence[Step], new: Value) -> Value:
    """Returns the value with that part replaced, which it has."""
    if not steps:
        return new
    step, further = steps[0], steps[1:]
    changed = with_part(part_of(value, [step]), further, new)
    if isinstance(step, str):
        assert isinstance(value, StructureValue)
        return StructureValue(value.name, {**value.members, step: changed})
    if isinstance(step, int):
        if isinstance(value, ArrayValue):
            return ArrayValue((*value.items[:step], changed, *value.items[step + 1 :]))
        assert isinstance(value, Matrix)
        return Matrix((*value.columns[:step], lanes_of(changed), *value.columns[step + 1 :]))
    lanes: list[Scalar] = list(lanes_of(value))
    for lane, each in zip(step, lanes_of(changed), strict=True):
        lanes[lane] = each
    return tuple(lanes)
