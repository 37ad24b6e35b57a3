"""Two steps of a pass in the other order: f(a) b for f(a b), on whichever operand; and a factor of part of a sum."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.parts import biases
from pipeline.diagnose.clues.pattern import listed
from pipeline.diagnose.redo.redo import InputChange, NodeChange, Values
from pipeline.diagnose.trial.case import Case
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
# A function of one value, as the nodes that work it out of the tensor `of` alone.
Curve = tuple[str, Sequence[Node]]
# Parts of a sum that a factor may be on.
_MOST = 4


def exchanged(case: Case) -> Iterator[tuple[str, NodeChange]]:
    """In words, and the change: for every function of one value before, or behind, a node of two tensors."""
    for node in case.redo.nodes:
        if not _is_of_two(case, node):
            continue
        for position, name in enumerate(node.inputs[:2]):
            for of, curve in _curves(case, name):
                yield (
                    f"'{name}' worked out behind {node.op_type} '{node.name}'",
                    _behind(case, node, position, of, curve),
                )
    for node in case.redo.nodes:
        for of, curve in _curves(case, node.outputs[0]):
            maker = case.redo.makers.get(of)
            if maker is None or curve[-1] is not node or not _is_of_two(case, maker):
                continue
            for position, name in enumerate(maker.inputs):
                says = f"'{node.outputs[0]}' worked out of '{name}', before {maker.op_type}"
                yield says, _before(case, maker, position, of, curve)


def spread(case: Case) -> Iterator[tuple[str, NodeChange]]:
    """A computed factor of part of a sum, such as a gate, on other parts of it, or on what one of them sums up."""
    for node in case.redo.nodes:
        constants = case.redo.call(node).graph.constants
        if node.op_type != "Mul" or len({*node.inputs} - {*constants}) != 2:
            continue
        root: Node | None = None
        while len(above := case.redo.readers((root or node).outputs[0])) == 1 and facts_of(above[0]).adds:
            root = above[0]
        if root is not None:
            for factor, of in (node.inputs, node.inputs[::-1]):
                yield from _on_parts(case, node, root, factor, of)


def _on_parts(case: Case, node: Node, root: Node, factor: str, of: str) -> Iterator[tuple[str, NodeChange]]:
    parts = [*_parts(case, root.outputs[0], node, of)]
    times = case.redo.values[factor]
    if not 1 < len(parts) <= _MOST or any(part.value.shape != times.shape for part in parts):
        return
    ways = [(part.value, part.value * times, *part.within(case, factor, times)) for part in parts]
    right = tuple(int(part.is_multiplied) for part in parts)
    every = itertools.product(*(range(len(way)) for way in ways))
    for chosen in sorted(every, key=lambda some: sum(a != b for a, b in zip(some, right, strict=True))):
        if chosen != right and any(chosen):
            names = [f"'{part.name}'{' where it is summed up' * (way > 1)}"
                     for part, way in zip(parts, chosen, strict=True) if way]  # fmt: skip
            made = np.sum([way[number] for way, number in zip(ways, chosen, strict=True)], axis=0, dtype=np.float32)
            yield f"multiplies {listed(names)} with '{factor}'", NodeChange(root.name, lambda _n, _x, made=made: made)  # type: ignore[misc]


@dataclass(frozen=True)
class _Part:
    """What is added of the tensor `of`: all but its biases, or one of those, with what is left out of the others."""

    name: str
    of: str
    value: Array
    is_multiplied: bool
    without: tuple[InputChange, ...] = ()

    def within(self, case: Case, factor: str, times: Array) -> Iterator[Array]:
        """Its value with the factor on what a product of matrices sums up."""
        for node in case.redo.nodes_with(lambda facts: facts.multiplies) if self.name == self.of else ():
            if case.redo.values[node.inputs[0]].shape == times.shape and node.inputs[0] != factor:
                change = InputChange(node.inputs[0], lambda x: x * times, node=node.name)
                found = case.redo.whole([*self.without, change], self.of)
                if not np.array_equal(found, self.value):
                    yield found


def _parts(case: Case, name: str, node: Node, of: str, *, inside: bool = False) -> Iterator[_Part]:
    maker = case.redo.makers.get(name)
    if maker is node:
        yield from _parts(case, of, node, of, inside=True)
    elif maker is not None and facts_of(maker).adds:
        for each in maker.inputs:
            yield from _parts(case, each, node, of, inside=inside)
    else:
        value, without = case.redo.values[name], list[InputChange]()
        for bias in biases(case) if maker is not None else ():
            zeros = InputChange(bias.tensor, np.zeros_like)
            if (less := case.redo.values[name] - case.redo.whole([zeros], name)).any():
                yield _Part(bias.tensor, name, less, inside)
                value, without = value - less, [*without, zeros]
        yield _Part(name, name, value, inside, tuple(without))


def _behind(case: Case, node: Node, position: int, of: str, curve: Sequence[Node]) -> NodeChange:
    """f(a) op b becomes f(a op b)."""

    def change(_node: Node, inputs: Values) -> Array:
        operands = [case.redo.values[of] if at == position else x for at, x in enumerate(inputs)]
        return _made(case, {of: case.redo.run_node(node, operands)}, curve)

    return NodeChange(node.name, change)


def _before(case: Case, maker: Node, position: int, of: str, curve: Sequence[Node]) -> NodeChange:
    """f(a op b) becomes f(a) op b."""

    def change(_node: Node, _inputs: Values) -> Array:
        operands = case.redo.inputs_of(maker)
        operands[position] = _made(case, {of: np.asarray(operands[position])}, curve)
        return case.redo.run_node(maker, operands)

    return NodeChange(curve[-1].name, change)


def _made(case: Case, values: Mapping[str, Array], curve: Sequence[Node]) -> Array:
    held = {**case.redo.values, **values}
    for node in curve:
        held[node.outputs[0]] = case.redo.run_node(node, [held[name] if name else None for name in node.inputs])
    return held[curve[-1].outputs[0]]


def _curves(case: Case, name: str) -> Iterator[Curve]:
    """What `name` is a function of, element by element, one or two nodes back."""
    last = case.redo.makers.get(name)
    if last is None or not facts_of(last).pointwise:
        return
    constants = {*case.redo.call(last).graph.constants}
    own = [each for each in dict.fromkeys(last.inputs) if each and each not in constants]
    if len(own) == 1:
        yield own[0], (last,)
    for each in own if len(own) == 2 else ():
        inner = case.redo.makers.get(each)
        rest = [other for other in own if other != each]
        if inner is not None and facts_of(inner).pointwise and [n for n in inner.inputs if n not in constants] == rest:
            yield rest[0], (inner, last)


def _is_of_two(case: Case, node: Node) -> bool:
    values = [case.redo.values[name] for name in node.inputs if name]
    alike = len({each.shape for each in (*values, case.redo.values[node.outputs[0]])}) == 1
    return facts_of(node).pointwise and len({*node.inputs}) == 2 == len(values) and alike
