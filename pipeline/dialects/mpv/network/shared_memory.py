"""Evaluates a work group's shared memory: an element is computed when it is read, by running what stores it.

Invocations fill the memory together, each in loops that step over the elements. Which invocation stores an element does
not matter, so it is computed as if the reader stored it: with the loops' variables at the values that lead there. They
are found from where the loops store at 0 and at 1; what that gives is checked, and so is that another invocation stores
the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn, Protocol

from texelscope.pipeline.dialects.mpv.network.block_functions import BlockFunctions, root_of
from texelscope.pipeline.dialects.mpv.network.calls import is_same, is_same_form, operated
from texelscope.pipeline.dialects.mpv.network.rounding import limits_of, sign_of
from texelscope.pipeline.dialects.mpv.network.scopes import Scopes, SharedArray, SharedStore
from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber, NotUnderstoodError, Position, Scalar, split
from texelscope.pipeline.dialects.mpv.network.variable_types import Value, VariableType, lanes_of, scalar_of
from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall
from texelscope.pipeline.glsl.semantics.questions import declared_name
from texelscope.pipeline.glsl.semantics.statements import Declaration, ForLoop, declarators_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_ZERO, _ONE = LiteralNumber(0.0, integer=True), LiteralNumber(1.0, integer=True)


@dataclass(frozen=True)
class Filling:
    """Describes a run of a store's loops for one turn: `turns` has the variable of each loop.

    A probing run finds out where the turn stores; it does not ask whether the loops come to it.
    """

    store: SharedStore
    turns: tuple[Scalar, ...]
    is_probing: bool


class StoreRunner(Protocol):
    """Runs the statements of a block over `scopes`; `filling` is the run of a store, None outside of one."""

    scopes: Scopes
    filling: Filling | None
    functions: BlockFunctions

    @property
    def next_invocation(self) -> Mapping[str, int]:
        """Returns the distance to the next invocation of the group, by symbol."""
        ...

    def value(self, node: SyntaxNode) -> Value:
        """Returns the value of an expression."""
        ...

    def subscripts(self, node: SyntaxNode) -> tuple[list[SyntaxNode], SharedArray | None]:
        """Returns the subscripts of an element, and the group's array that has it, if one does."""
        ...

    def started(self, node: ForLoop) -> None:
        """Runs what a loop begins with."""
        ...

    def goes_on(self, node: ForLoop) -> bool:
        """Reports whether a loop turns once more."""
        ...

    def turned(self, node: ForLoop) -> bool:
        """Runs the body of a loop once; returns whether the loop goes on."""
        ...


class _Stored(Exception):  # noqa: N818 - no error: this ends the run of a store
    def __init__(self, places: tuple[Scalar, ...], value: Value | None) -> None:
        super().__init__()
        self.places, self.value = places, value


class SharedMemory:
    """Collects the loops that fill a group's arrays, and computes the elements that are read."""

    def __init__(self, evaluation: StoreRunner) -> None:
        self._evaluation = evaluation
        self._loops: set[int] = set()
        self._probed: dict[SharedStore, _Probe] = {}

    # -- loops that fill ---------------------------------------------------------------------------------------

    def collect(self, node: ForLoop) -> bool:
        """Reports whether a loop fills shared memory, and keeps its stores. Raises NotUnderstoodError.

        Such a loop may change nothing else, as it does not run before its elements are read.
        """
        scopes = self._evaluation.scopes
        if not scopes.has_shared_memory():
            return False
        stores = [
            (array, each)
            for each in node.of_type(Assignment)
            if isinstance(array := scopes.find(root_of(each.left)), SharedArray)
        ]
        if not stores:
            return False
        self._check_effects(node, scopes)
        snapshot = scopes.copied()
        for array, assignment in stores:
            places, whose = self._evaluation.subscripts(assignment.left)
            if assignment.operator != "=" or whose is not array or len(places) != len(array.type.sizes):
                raise NotUnderstoodError(f"'{assignment.left.text[:40]} {assignment.operator}' of shared memory")
            loops = [each for each in assignment.ancestors() if isinstance(each, ForLoop)]
            loops = loops[: loops.index(node) + 1][::-1]
            array.stores.append(SharedStore(tuple(loops), assignment, snapshot))
            array.made.clear()
            self._loops |= {each.number for each in loops}
        return True

    def _check_effects(self, node: ForLoop, scopes: Scopes) -> None:
        """Raises NotUnderstoodError for a loop that changes anything but shared memory and variables of its own."""
        turned = {_variable(each) for each in node.of_type(ForLoop)}
        own = {_name_of(each) for declared in node.of_type(Declaration) for each in declarators_of(declared)}
        for name, _ in self._evaluation.functions.changes(node):
            outer = scopes.find(name)
            if name not in turned and not isinstance(outer, SharedArray) and (outer is not None or name not in own):
                raise NotUnderstoodError(f"a loop that fills shared memory and changes '{name}'")
        if any(each.name == "imageStore" for each in node.of_type(FunctionCall)):
            raise NotUnderstoodError("a loop that fills shared memory and stores texels")

    def fills(self, node: ForLoop) -> bool:
        """Reports whether a loop has stores that were collected."""
        return node.number in self._loops

    def turn(self, node: ForLoop, filling: Filling) -> None:
        """Runs one turn of a loop of the store; nothing for a loop of another store."""
        if node not in filling.store.loops:
            return
        evaluation = self._evaluation
        with evaluation.scopes.inner():
            evaluation.started(node)
            evaluation.scopes.assign(_variable(node), filling.turns[filling.store.loops.index(node)])
            if filling.is_probing or evaluation.goes_on(node):
                evaluation.turned(node)

    def store(self, node: Assignment, filling: Filling) -> NoReturn:
        """Ends the run of a store, with the place where it stores and the value."""
        places, array = self._evaluation.subscripts(node.left)
        assert array is not None
        indices = tuple(scalar_of(self._evaluation.value(place)) for place in places)
        kind = VariableType(array.type.name, (), array.type.structures)
        raise _Stored(indices, None if filling.is_probing else kind.converted(self._evaluation.value(node.right)))

    # -- elements that are read --------------------------------------------------------------------------------

    def read(self, array: SharedArray, indices: Sequence[Value]) -> Value:
        """Returns the element at the indices, one for each axis. Raises NotUnderstoodError."""
        if len(indices) != len(array.type.sizes):
            raise NotUnderstoodError("a whole row of shared memory")
        places = [_index(index, size) for index, size in zip(indices, array.type.sizes, strict=True)]
        key = tuple(map(_key, places))
        if key not in array.made:
            array.made[key] = self._made(array, places)
        return array.made[key]

    def _made(self, array: SharedArray, indices: Sequence[Scalar]) -> Value:
        """Returns what the last loop that stores this element stores there."""
        at_once: dict[int, list[SharedStore]] = {}
        for store in array.stores:
            at_once.setdefault(id(store.scopes), []).append(store)
        for stores in reversed(at_once.values()):
            found = [(store, self._stored(store, indices, {})) for store in stores]
            hits = [(store, value) for store, value in found if value is not None]
            if not hits:
                continue
            store, value = hits[0]
            if not all(_is_alike(value, other) for _, other in hits[1:]):
                raise NotUnderstoodError("shared memory that one loop stores to twice")
            if store not in array.tried:  # another invocation that stores this element has to store the same value
                further = self._stored(store, indices, self._evaluation.next_invocation)
                if further is None or not _is_alike(value, further):
                    raise NotUnderstoodError("shared memory that depends on which invocation fills it")
                array.tried.add(store)
            return value
        raise NotUnderstoodError("shared memory that nothing was stored to")

    def _stored(self, store: SharedStore, indices: Sequence[Scalar], steps: Mapping[str, int]) -> Value | None:
        """Returns what the invocation `steps` further on stores there; None if it stores nothing there."""
        if not steps and store in self._probed:
            probe = self._probed[store]
        else:
            probe = self._probe(store, steps)
            if not steps:
                self._probed[store] = probe
        turns = probe.turns_to(indices)
        made = self._run(store, turns, steps, is_probing=False) if turns is not None else None
        if made is None:
            return None
        if not all(map(is_same, made.places, indices)):
            raise NotUnderstoodError("shared memory filled at places that are no plain sum of the loops' variables")
        return made.value

    def _probe(self, store: SharedStore, steps: Mapping[str, int]) -> _Probe:
        still: list[Scalar] = [_ZERO] * len(store.loops)
        first = self._run(store, still, steps, is_probing=True)
        each = [
            self._run(store, [*still[:i], _ONE, *still[i + 1 :]], steps, is_probing=True) for i in range(len(still))
        ]
        if first is None or None in each:
            raise NotUnderstoodError("shared memory that not every turn of a loop fills")
        return _Probe(first.places, tuple(one.places for one in each if one is not None))

    def _run(
        self, store: SharedStore, turns: Sequence[Scalar], steps: Mapping[str, int], *, is_probing: bool
    ) -> _Stored | None:
        """Runs the loops of a store for one turn each; returns what it stores, None if the turn does not store."""
        evaluation = self._evaluation
        before = evaluation.scopes, evaluation.filling
        evaluation.scopes = store.scopes.copied(steps)
        evaluation.filling = Filling(store, tuple(turns), is_probing)
        try:
            self.turn(store.loops[0], evaluation.filling)
        except _Stored as stored:
            return stored
        finally:
            evaluation.scopes, evaluation.filling = before
        return None


@dataclass(frozen=True)
class _Probe:
    """Holds the places where a store stores with all loops at 0, and with one of them at 1."""

    first: tuple[Scalar, ...]
    each: tuple[tuple[Scalar, ...], ...]

    def turns_to(self, indices: Sequence[Scalar]) -> tuple[Scalar, ...] | None:
        """Returns the loops' variables that lead to the element; None if none do. Raises NotUnderstoodError."""
        turns: list[Scalar | None] = [None] * len(self.each)
        for i, (index, place) in enumerate(zip(indices, self.first, strict=True)):
            slopes = [_step(places[i], place) for places in self.each]
            moving = [loop for loop, slope in enumerate(slopes) if slope]
            left = scalar_of(operated("-", index, place))
            if not moving:
                sign = sign_of(left)
                if sign is None:
                    raise NotUnderstoodError("an element of shared memory that may be this one or another")
                if sign:
                    return None
                continue
            for loop, step in _split(left, [(loop, slopes[loop]) for loop in moving]):
                before = turns[loop]
                if before is not None and not is_same(before, step):
                    return None
                turns[loop] = step
        return tuple(_ZERO if turn is None else turn for turn in turns)


def _step(place: Scalar, first: Scalar) -> int:
    """Returns how far a loop's variable moves the place where it stores."""
    step = scalar_of(operated("-", place, first))
    if not isinstance(step, LiteralNumber):
        raise NotUnderstoodError("shared memory filled at places that are no plain sum of the loops' variables")
    return int(step.value)


def _split(left: Scalar, slopes: Sequence[tuple[int, int]]) -> list[tuple[int, Scalar]]:
    """Returns the variable of each loop, with which these reach a distance `left`."""
    if len(slopes) == 1 and slopes[0][1] == 1:
        return [(slopes[0][0], left)]
    if not isinstance(left, LiteralNumber) or left.value < 0 or any(slope < 1 for _, slope in slopes):
        raise NotUnderstoodError("shared memory filled at places that are no plain sum of the loops' variables")
    rest, made = int(left.value), []
    for loop, slope in sorted(slopes, key=lambda each: -each[1]):
        made.append((loop, LiteralNumber(float(rest // slope), integer=True)))
        rest %= slope
    if rest:
        raise NotUnderstoodError("an element of shared memory that a loop steps over")
    return [(loop, turn) for loop, turn in made]


def _index(index: Value, size: int) -> Scalar:
    """Returns an index of shared memory. Raises NotUnderstoodError for one that may lie outside."""
    if not isinstance(index, LiteralNumber | Position):
        raise NotUnderstoodError("an element of shared memory that texels decide")
    symbols, constant = split(index)
    low, high = limits_of({**symbols, (): constant})
    if low is None or high is None or low < 0 or high >= size:
        raise NotUnderstoodError("an element of shared memory that may lie outside of it")
    return index


def _key(index: Scalar) -> str:
    """Returns a key that equal indices share, wherever they were written."""
    assert isinstance(index, LiteralNumber | Position)
    symbols, constant = split(index)
    return f"{sorted(symbols.items())} {constant}"


def _is_alike(value: Value, other: Value) -> bool:
    first, second = lanes_of(value), lanes_of(other)
    return len(first) == len(second) and all(map(is_same_form, first, second))


def _variable(loop: ForLoop) -> str:
    start = loop.initializer
    names = declarators_of(start) if isinstance(start, Declaration) else ()
    if len(names) != 1:
        raise NotUnderstoodError("a loop over the group's invocations without its own variable")
    return _name_of(names[0])


def _name_of(declarator: SyntaxNode) -> str:
    return declared_name(declarator) or declarator.text
