"""Finds a rule for the elements that an operator should read, so that a page knows them for every texel.

Most operators read, of each input, every combination of some indices along its axes, and which indices these are along
an axis depends on one axis of the output: a convolution reads all channels, the rows around the output's row and the
columns around its column. Such a rule is read off by asking the operator for elements along each axis, and is kept only
if it is right for others too, the corners among them.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from texelscope.layouts.shapes import Dims, as_nchw
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.read_trace.expected import expected_reads

_AXES = range(4)
# Elements at random places on which a rule is tried, beside the corners.
_TRIALS = 24

Index = tuple[int, int, int, int]
# By axis of an input the indices that are read along it; None for nothing.
_Block = tuple[tuple[int, ...], ...] | None


class NoRuleError(Exception):
    """The operator's reads follow no such rule, are not known, or the time is over."""


@dataclass(frozen=True)
class AxisRule:
    """Says which indices along one axis of an input are read, by the output's index along `axis`.

    Of an axis on which nothing depends, `axis` is -1 and there is one entry.
    """

    axis: int
    indices: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class InputRule:
    """Holds the rules of the four axes n, c, h, w of the input `key`; all combinations of their indices are read.

    Nothing is read for an output whose index along some axis is among `gone`.
    """

    key: str
    axes: tuple[AxisRule, ...]
    gone: tuple[tuple[int, ...], ...]

    def block(self, at: Index) -> _Block:
        """Returns the indices along each axis that are read for an element of the output."""
        if any(at[axis] in self.gone[axis] for axis in _AXES):
            return None
        return tuple(rule.indices[at[rule.axis] if rule.axis >= 0 else 0] for rule in self.axes)


def read_rules(plan: Plan, shader_pass: Pass, seconds: float) -> tuple[InputRule, ...]:
    """Returns the rules of a pass's inputs, without those of which nothing is read; none if there are no such rules."""
    try:
        return _Rules(plan, shader_pass, seconds).found()
    except NoRuleError:
        return ()


def written_rule(rule: InputRule, dims: Dims, texture: int) -> dict[str, Any]:
    """Returns a rule as data of a page: equally spaced indices as [first, count, step], others as a list in a list."""
    return {
        "texture": texture,
        "dims": list(dims),
        "axes": [[axis.axis, [_spaced(indices) for indices in axis.indices]] for axis in rule.axes],
        "gone": [list(indices) for indices in rule.gone],
    }


def _spaced(indices: Sequence[int]) -> list[Any]:
    step = indices[1] - indices[0] if len(indices) > 1 else 1
    if all(b - a == step for a, b in itertools.pairwise(indices)):
        return [indices[0], len(indices), step]
    return [list(indices)]


class _Rules:
    def __init__(self, plan: Plan, shader_pass: Pass, seconds: float) -> None:
        self._plan, self._pass = plan, shader_pass
        self._end = time.monotonic() + seconds
        self._dims = as_nchw(plan.textures[shader_pass.output].shape)
        self._known: dict[Index, dict[str, _Block]] = {}

    def found(self) -> tuple[InputRule, ...]:
        middle: Index = tuple(size // 2 for size in self._dims)  # type: ignore[assignment]
        near = [middle, *(at for axis in _AXES for at in self._along(axis, middle))]
        rules = []
        for key in self._pass.reads:
            around = next((at for at in near if self._block(at, key) is not None), None)
            if around is not None:
                rules.append(self._rule(key, around))
        for at in self._trials():
            blocks = self._blocks(at)
            if any(rule.block(at) != blocks.get(rule.key) for rule in rules):
                raise NoRuleError
        return tuple(rules)

    def _rule(self, key: str, around: Index) -> InputRule:
        """Reads a rule off along each axis of the output, around an element for which something is read."""
        base = self._block(around, key)
        assert base is not None
        axes = [AxisRule(-1, (indices,)) for indices in base]
        gone: list[tuple[int, ...]] = []
        for axis in _AXES:
            blocks = [self._block(at, key) for at in self._along(axis, around)]
            gone.append(tuple(number for number, block in enumerate(blocks) if block is None))
            for inner in _AXES:
                along = tuple(base[inner] if block is None else block[inner] for block in blocks)
                if all(indices == base[inner] for indices in along):
                    continue
                if axes[inner].axis >= 0:
                    raise NoRuleError  # two axes of the output decide
                axes[inner] = AxisRule(axis, along)
        return InputRule(key, tuple(axes), tuple(gone))

    def _along(self, axis: int, around: Index) -> Iterator[Index]:
        for index in range(self._dims[axis]):
            yield (*around[:axis], index, *around[axis + 1 :])  # type: ignore[misc]

    def _trials(self) -> Iterator[Index]:
        yield from itertools.product(*({0, size - 1} for size in self._dims))
        chance = random.Random(0)
        for _ in range(_TRIALS):
            yield tuple(chance.randrange(size) for size in self._dims)  # type: ignore[misc]

    def _block(self, at: Index, key: str) -> _Block:
        return self._blocks(at).get(key)

    def _blocks(self, at: Index) -> dict[str, _Block]:
        """Returns by input what is read for an element of the output."""
        if at not in self._known:
            if time.monotonic() > self._end:
                raise NoRuleError
            element = int(np.ravel_multi_index(at, self._dims))
            reads = expected_reads(self._plan.graph, self._pass, self._plan.textures, element)
            if reads is None:
                raise NoRuleError
            self._known[at] = {key: self._block_of(key, elements) for key, elements in reads.items() if elements}
        return self._known[at]

    def _block_of(self, key: str, elements: frozenset[int]) -> _Block:
        dims = as_nchw(self._plan.textures[key].shape)
        places = np.unravel_index(np.fromiter(elements, np.int64, len(elements)), dims)
        block = tuple(tuple(np.unique(each).tolist()) for each in places)
        if math.prod(map(len, block)) != len(elements):
            raise NoRuleError  # not every combination is read
        return block
