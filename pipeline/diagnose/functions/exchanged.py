"""Two steps of a pass in the other order: f(a) b for f(a b), on whichever operand; and a factor of part of a sum."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
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
# Parts of a sum that a factor may be on.
_MOST = 4
# Larger tensors are not worked out again for each way.
_LARGEST = 1 << 18


@dataclass(frozen=True)
class Curve:
    """A function of one value, as the nodes that work it out of the tensor `of` alone."""

    of: str
    nodes: tuple[Node, ...]

    @property
    def name(self) -> str:
        """Of what it makes."""
        return self.nodes[-1].outputs[0]

    def at(self, case: Case, x: Array) -> Array:
        """Its value at others."""
        held = {**case.redo.values, self.of: x}
        for node in self.nodes:
            held[node.outputs[0]] = case.redo.run_node(node, [held[name] if name else None for name in node.inputs])
        return np.asarray(held[self.name])


def curves(case: Case) -> Iterator[Curve]:
    """Every node with the tensor that it is a function of, element by element, and the nodes that make it up."""
    constants = case.redo.graph.constants if case.redo.graph is not None else {}
    for last in case.redo.nodes:
        made, of = [last], {*last.inputs} - {"", *constants}
        while len(of) > 1 and facts_of(made[0]).pointwise:
            inner = next((each for each in reversed(case.redo.nodes) if of.intersection(each.outputs)), None)
            if inner is None:
                break
            made, of = [inner, *made], (of - {*inner.outputs}) | ({*inner.inputs} - {"", *constants})
        shapes = {case.redo.values[name].shape for name in (*of, last.outputs[0])}
        is_curve = any(len({*each.inputs} - {""}) == 1 for each in made)  # or it is a factor, or an addend
        is_small = case.redo.values[last.outputs[0]].size <= _LARGEST
        if len(of) == len(shapes) == 1 and is_curve and is_small and all(facts_of(each).pointwise for each in made):
            yield Curve(of.pop(), tuple(made))


def exchanged(case: Case) -> Iterator[tuple[str, NodeChange]]:
    """In words, and the change: f(a op b) for f(a) op b, and f(a) op b for f(a op b)."""
    known, redo = [*curves(case)], case.redo
    for curve, node in itertools.product(known, redo.nodes):
        if not _is_of_two(case, node):
            continue
        if curve.name in node.inputs:

            def behind(node: Node, inputs: Values, curve: Curve = curve) -> Array:
                operands = [redo.values[curve.of] if name == curve.name else x
                            for name, x in zip(node.inputs, inputs, strict=True)]  # fmt: skip
                return curve.at(case, redo.run_node(node, operands))

            yield f"'{curve.name}' worked out behind {node.op_type} '{node.name}'", NodeChange(node.name, behind)
        for name in node.inputs if curve.of in node.outputs else ():

            def before(_node: Node, _inputs: Values, curve: Curve = curve, maker: Node = node, of: str = name) -> Array:
                operands = [curve.at(case, redo.values[each]) if each == of else redo.values[each]
                            for each in maker.inputs]  # fmt: skip
                return redo.run_node(maker, operands)

            says = f"'{curve.name}' worked out of '{name}', before {node.op_type}"
            yield says, NodeChange(curve.nodes[-1].name, before)


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
    if not 1 < len(parts) <= _MOST or times.size > _LARGEST or any(part.value.shape != times.shape for part in parts):
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


def _is_of_two(case: Case, node: Node) -> bool:
    values = [case.redo.values[name] for name in node.inputs if name]
    alike = len({each.shape for each in (*values, case.redo.values[node.outputs[0]])}) == 1
    return facts_of(node).pointwise and len({*node.inputs}) == 2 == len(values) and alike
