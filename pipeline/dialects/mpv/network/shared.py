"""Shared memory that the invocations of a compute block fill together: what lies where is made when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from pipeline.dialects.mpv.network.calls import Value, is_same
from pipeline.dialects.mpv.network.values import Monomial, NotUnderstoodError, Number, Position, Scalar, add, position
from pipeline.glsl.syntax import text_of, walk

if TYPE_CHECKING:
    import tree_sitter

# Indices of an invocation in its group, by axis.
LOCAL = ("lx", "ly")

# Names of the loops' variables, the innermost body, the assignment in it, and the subscripts of what it assigns to.
# Without names the body is a whole loop, in which each invocation goes on from its place by the size of its group.
_Store = tuple[tuple[str, ...], "tree_sitter.Node", "tree_sitter.Node", "Sequence[tree_sitter.Node]"]


@dataclass
class SharedArray:
    """An array of a group, as the assignments that fill it."""

    stores: list[_Store] = field(default_factory=list)


class Evaluator(Protocol):
    """What runs the block: its variables by scope, the innermost last, statements and expressions."""

    scopes: list[dict[str, Value | SharedArray]]

    def statement(self, node: tree_sitter.Node) -> None:
        """Does a statement."""

    def value(self, node: tree_sitter.Node) -> Value:
        """What an expression is worth."""


class SharedMemory:
    """The arrays of a work group, by the loops that fill them.

    `stride` are the pixels, or invocations, from one of a phase to the next (x, y).
    """

    def __init__(self, evaluator: Evaluator, stride: tuple[int, int]) -> None:
        self._evaluator = evaluator
        self._stride = stride

    def fills(self, loop: tree_sitter.Node) -> bool:
        """Whether a loop whose start was done fills arrays of the group, and so is gone through when they are read."""
        scopes = self._evaluator.scopes
        arrays = {name: each for scope in scopes for name, each in scope.items() if isinstance(each, SharedArray)}
        if _is_filling(list(scopes[-1].values())):
            variables, body = _loops_of(loop)
            for store, name, places in _assignments(body):
                if name not in arrays:
                    raise NotUnderstoodError(f"a loop over the group's invocations that sets '{name}'")
                arrays[name].stores.append((variables, body, store, places))
            return True
        own = [each for each in _assignments(loop) if each[1] in arrays]
        for store, name, places in own:
            arrays[name].stores.append(((), loop, store, places))
        return bool(own)

    def read(self, array: SharedArray, indices: Sequence[Value]) -> Value:
        """An element, made as the invocation makes it that stores there. Raises NotUnderstoodError."""
        for variables, body, store, places in reversed(array.stores):
            if len(places) == len(indices):
                found = (
                    self._by_variables(variables, body, store, places, indices)
                    if variables
                    else self._by_place(body, store, places, indices)
                )
                if found is not None:
                    return found
        raise NotUnderstoodError("shared memory that nothing was stored to")

    def _by_variables(
        self,
        variables: Sequence[str],
        body: tree_sitter.Node,
        store: tree_sitter.Node,
        places: Sequence[tree_sitter.Node],
        indices: Sequence[Value],
    ) -> Value | None:
        """What a loop stores whose variables are the places themselves."""
        bound: dict[str, Value | SharedArray] = {}
        fixed: list[tuple[tree_sitter.Node, Value]] = []
        for place, index in zip(places, indices, strict=True):
            if text_of(place) in variables:
                bound[text_of(place)] = index
            else:
                fixed.append((place, index))
        right = store.child_by_field_name("right")
        if len(bound) != len(variables) or right is None:
            return None
        run = self._evaluator
        run.scopes.append(bound)
        try:
            for each in body.named_children:
                if each.type == "declaration":
                    run.statement(each)
            return run.value(right) if all(is_same(run.value(place), index) for place, index in fixed) else None
        finally:
            run.scopes.pop()

    def _by_place(
        self,
        loop: tree_sitter.Node,
        store: tree_sitter.Node,
        places: Sequence[tree_sitter.Node],
        indices: Sequence[Value],
    ) -> Value | None:
        """What the invocation at `indices` stores in the first turn of a loop that goes on by the group's size."""
        run, right = self._evaluator, store.child_by_field_name("right")
        outer = run.scopes
        if right is None:
            return None
        try:
            run.scopes = [*outer, {}]
            self._enter(loop, store)
            moved = _moved_between([run.value(place) for place in places], indices)
            if moved is None:
                return None
            run.scopes = [
                *({name: _as_seen_from(moved, self._stride, each) for name, each in s.items()} for s in outer), {},
            ]  # fmt: skip
            self._enter(loop, store)
            return run.value(right)
        finally:
            run.scopes = outer

    def _enter(self, loop: tree_sitter.Node, store: tree_sitter.Node) -> None:
        """Goes through the declarations on the way to an assignment, as in the first turn of the loops around it."""
        start, body = loop.child_by_field_name("initializer"), loop.child_by_field_name("body")
        assert start is not None
        assert body is not None
        self._evaluator.statement(start)
        for each in body.named_children:
            if each.type == "declaration":
                self._evaluator.statement(each)
            elif each.type == "for_statement" and each.start_byte <= store.start_byte < each.end_byte:
                self._enter(each, store)


def _is_filling(starts: Sequence[Value | SharedArray]) -> bool:
    """Whether a loop's variable starts at the invocation's place in its group."""
    symbols = {name for start in starts if isinstance(start, Position) for key in start.terms for name, _ in key}
    return bool(symbols & set(LOCAL))


def _loops_of(node: tree_sitter.Node) -> tuple[tuple[str, ...], tree_sitter.Node]:
    """The variables of loops one in another, and the body of the innermost. Raises NotUnderstoodError for others."""
    variables: list[str] = []
    while True:
        start, body = node.child_by_field_name("initializer"), node.child_by_field_name("body")
        declarator = start.child_by_field_name("declarator") if start is not None else None
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if name is None or body is None or body.type != "compound_statement":
            raise NotUnderstoodError("a loop over the group's invocations of another shape")
        variables.append(text_of(name))
        inner = [child for child in body.named_children if child.type != "comment"]
        if len(inner) != 1 or inner[0].type != "for_statement":
            return tuple(variables), body
        node = inner[0]


def subscripts(node: tree_sitter.Node | None) -> tuple[str, list[tree_sitter.Node]]:
    """The name that is subscripted, and its subscripts from the outside in."""
    places: list[tree_sitter.Node] = []
    while node is not None and node.type == "subscript_expression":
        index = node.child_by_field_name("index")
        if index is not None:
            places.insert(0, index)
        node = node.child_by_field_name("argument")
    return (text_of(node) if node is not None else ""), places


def _assignments(node: tree_sitter.Node) -> list[tuple[tree_sitter.Node, str, list[tree_sitter.Node]]]:
    """Every assignment inside, with what it sets an element of, and the subscripts."""
    stores = [each for each in walk(node) if each.type == "assignment_expression"]
    return [(each, *subscripts(each.child_by_field_name("left"))) for each in stores]


def _moved_between(places: Sequence[Value], indices: Sequence[Value]) -> tuple[int, int] | None:
    """How many invocations (x, y) lie between that which stores at `places` and that which stores at `indices`.

    None where the two differ in something else.
    """
    moved = [0, 0]
    for place, index in zip(places, indices, strict=True):
        if not isinstance(place, Number | Position) or not isinstance(index, Number | Position):
            return None
        difference = add(index, place, -1)
        names = {name for key in getattr(place, "terms", {}) for name, _ in key}
        if not isinstance(difference, Number) or (difference.value and len(names) != 1):
            return None
        if difference.value:
            (name,) = names
            if name not in LOCAL:
                return None
            moved[LOCAL.index(name)] = int(difference.value)
    return moved[0], moved[1]


def _as_seen_from(moved: tuple[int, int], stride: tuple[int, int], value: Value | SharedArray) -> Value | SharedArray:
    """A value as the invocation has it that lies so far on; `stride` are the pixels between invocations of a phase."""
    if isinstance(value, tuple):
        return tuple(_moved(moved, stride, lane) for lane in value)
    return _moved(moved, stride, value) if isinstance(value, Position) else value


def _moved(moved: tuple[int, int], stride: tuple[int, int], value: Scalar) -> Scalar:
    if not isinstance(value, Position):
        return value
    steps = {"lx": Fraction(moved[0]), "ly": Fraction(moved[1])}
    steps |= {"x": Fraction(moved[0], stride[0]), "y": Fraction(moved[1], stride[1])}
    terms: dict[Monomial, Fraction] = dict(value.terms)
    for key, factor in value.terms.items():
        for name, exponent in key:
            step = steps.get(name.partition("|")[0])
            if not step:
                continue
            if exponent != 1 or "|" in name:
                raise NotUnderstoodError("shared memory filled from a place that does not go along with the invocation")
            rest = tuple(each for each in key if each[0] != name)
            terms[rest] = terms.get(rest, Fraction()) + factor * step
    return position(terms, integer=value.integer)
