"""Guesses which tensor of a model each texture of a recording holds, and in which layout: by size and by value.

The model runs in numpy on what the page uploaded. A texture holds a tensor if its texels, read in one of the layouts,
are the tensor's values within rounding. What a draw wrote that equals none may be a wrong result: it counts as the
tensor that it is most like.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout
from texelscope.pipeline.deadline import check
from texelscope.pipeline.dialects.webgl.layout_candidates import holds_all, layouts_filling
from texelscope.pipeline.dialects.webgl.model_table import TextureMeaning
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.operators.families.recorded import difference
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Plan, Storage

# The largest |difference| over the largest |value| between a texture and the tensor that it holds.
_EQUAL: Mapping[Storage, float] = {"float32": 1e-3, "float16": 2e-2, "uint8": 2e-2}
# The least correlation of a wrong result with what it should be; that of noise is near 0.
_LEAST_LIKENESS = 0.6
# Where no draw is right, one is wrong by so little.
_VERY_LIKE = 0.9
# No layout has so many times a tensor's numbers, but of a few numbers.
_MOST_PADDING, _FEW = 16, 64
# Fewer numbers are alike by chance.
_LEAST_NUMBERS = 12
# Wrong programs that are looked for: each costs a run of the model.
_MOST_WRONG = 8
# Ways to read uploads as the model's inputs that are tried: each runs the model once.
_MOST_RUNS = 24
Values = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True)
class _Reading:
    """Holds the values of a texture, read as a tensor in a layout."""

    texture: str
    layout: Layout
    values: NDArray[np.float32]


@dataclass(frozen=True)
class _Sums:
    """Holds what is the same of a tensor's numbers in whichever order they are."""

    count: int
    largest: float
    magnitude: float
    square: float

    @classmethod
    def of(cls, values: NDArray[np.generic]) -> _Sums:
        """Returns the sums of the finite numbers."""
        finite = np.abs(np.nan_to_num(values.astype(np.float64), posinf=0.0, neginf=0.0))
        largest = float(finite.max(initial=0.0))
        return cls(values.size, largest, float(finite.sum()), float(np.square(finite).sum()))


def guessed(plan: Plan, graph: Graph) -> tuple[TextureMeaning, ...]:
    """Returns what the textures of a recorded plan hold of a model, in the plan's order; those not found are left out.

    Raises TexelscopeError if no upload can be the model's input, or no draw wrote a tensor of it.
    """
    guess = _Guess(plan, graph)
    uploads = guess.constants()
    taken = {each.texture for each in uploads}
    # Whatever was uploaded is more likely an input than what a draw made, which may be the model's own.
    best = guess.best([key for key in plan.inputs if key not in taken])
    if not best.is_likely:
        best = guess.best([*(key for key in plan.inputs if key not in taken), *guess.written])
    if not best.is_likely:
        names = ", ".join(f"'{name}' {list(graph.tensors[name].shape)}" for name in graph.inputs)
        raise TexelscopeError(
            plan.name,
            f"an upload that is the input of {graph.name} ({names}), and a draw that computes a tensor of it",
            "none in any layout", "Record the page with this model, or write a table of textures: see docs/webgl.md.",
        )  # fmt: skip
    order = {key: i for i, key in enumerate(plan.textures)}
    return tuple(sorted((*uploads, *best.inputs, *best.draws), key=lambda each: order[each.texture]))


@dataclass(frozen=True)
class _Found:
    """Holds what textures hold for one reading of the inputs.

    `right` counts the draws that wrote the model's tensors, before any draw was taken for a wrong one: what equals a
    tensor only if another draw is wrong is no evidence.
    """

    inputs: tuple[TextureMeaning, ...]
    draws: tuple[TextureMeaning, ...]
    right: int

    @property
    def rank(self) -> tuple[int, int, float]:
        """Orders readings: by right draws, then by how many others there are, and how like they are."""
        return self.right, len(self.draws), sum(each.likeness or 0.0 for each in self.draws)

    @property
    def is_likely(self) -> bool:
        """Reports whether it is more than chance: a draw is right, or one is very like its tensor."""
        return self.right > 0 or any((each.likeness or 0.0) >= _VERY_LIKE for each in self.draws)


@dataclass
class _Guess:
    """Guesses for one recording and one model."""

    plan: Plan
    graph: Graph
    written: list[str] = field(default_factory=list)
    _texels: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    _sums: dict[int, tuple[NDArray[np.generic], _Sums]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.plan.recorded is not None
        recorded = self.plan.recorded.values
        self._texels = {key: each.layout.encode(recorded[key]) for key, each in self.plan.textures.items()}
        self._read = {key for each in self.plan.passes for key in each.reads}
        dispatches = [each.dispatch for each in self.plan.passes if each.dispatch is not None]
        self._starts = {each.starts_as for dispatch in dispatches for each in dispatch.bound}
        self.written = [key for each in self.plan.passes for key in each.outputs]
        self._written = frozenset(self.written)
        self._red_alone = frozenset(key for key in self.written if self._has_red_alone(key))
        self._oracle = GraphOracle(self.graph)

    def readings(self, key: str, shape: tuple[int, ...]) -> Iterator[_Reading]:
        """Yields a texture as a tensor of that shape, in each layout that fits, and in those of one lane if it may."""
        texels, own = self._texels[key], self.plan.textures[key].layout.name
        height, width, lanes = texels.shape
        for count in (lanes, 1) if key in self._red_alone else (lanes,):
            lying = np.ascontiguousarray(texels[:, :, :count])
            # The recording's own layout first: numbers of a buffer are in a row.
            for layout in sorted(layouts_filling(shape, height, width, count), key=lambda each: each.name != own):
                if key in self._written or holds_all(lying, layout, shape):
                    yield _Reading(key, layout, layout.decode(lying, shape))

    def _has_red_alone(self, key: str) -> bool:
        """Reports whether a texture of one lane would do: nobody reads the other lanes, or they are as in one."""
        rest = self._texels[key][:, :, 1:]
        return rest.shape[2] > 0 and (key not in self._read or bool((rest == (0.0, 0.0, 1.0)).all()))

    def equal(self, key: str, name: str, value: NDArray[np.generic]) -> TextureMeaning | None:
        """Returns the meaning of a texture that holds a tensor's values; None if it does not."""
        size = self._texels[key].size
        if not value.size <= size <= _MOST_PADDING * value.size + _FEW or not self._may_hold(key, value):
            return None
        most = _EQUAL[self.plan.textures[key].storage]
        for reading in self.readings(key, value.shape):
            check()
            if difference(reading.values, value.astype(np.float64)) <= most:
                return TextureMeaning(key, name, reading.layout)
        return None

    def _may_hold(self, key: str, value: NDArray[np.generic]) -> bool:
        """Reports whether a texture may hold a tensor by sums of their numbers, which are the same in every layout."""
        most = _EQUAL[self.plan.textures[key].storage]
        there, here = self._sums_of(self._texels[key]), self._sums_of(value)
        error = most * here.largest
        if there.largest < here.largest - error or there.magnitude < here.magnitude - error * value.size:
            return False
        if there.count != here.count:
            return True  # padding may have any numbers
        apart = abs(there.magnitude - here.magnitude), abs(there.square - here.square)
        return apart[0] <= error * value.size and apart[1] <= error * (there.magnitude + here.magnitude)

    def _sums_of(self, values: NDArray[np.generic]) -> _Sums:
        """Returns an array's sums, which are computed once: each is asked for with every texture."""
        known = self._sums.get(id(values))
        if known is None or known[0] is not values:
            known = self._sums[id(values)] = (values, _Sums.of(values))
        return known[1]

    def constants(self) -> tuple[TextureMeaning, ...]:
        """Returns the uploads that hold weights of the model."""
        weights = {
            name: value for name, value in self.graph.constants.items() if value.dtype.kind == "f" and value.size
        }
        found = []
        for key in self.plan.inputs:
            if key in self._starts:
                continue  # what lies in a buffer before it is written means nothing
            meanings = (self.equal(key, name, value) for name, value in weights.items())
            found += list(itertools.islice(filter(None, meanings), 1))
        return tuple(found)

    def best(self, candidates: Sequence[str]) -> _Found:
        """Returns the best guess in which the inputs are among those textures."""
        best = _Found((), (), 0)
        for inputs in itertools.islice(self.inputs(candidates), _MOST_RUNS):
            check()
            best = max(best, self.draws(inputs), key=lambda each: each.rank)
            if best.right and len(inputs) == 1:
                break  # a wrong reading of the only input makes every draw wrong
        return best

    def inputs(self, candidates: Sequence[str]) -> Iterator[Mapping[str, _Reading]]:
        """Yields ways to read those textures as all inputs of the model; each texture is one input at most."""
        names = [name for name in self.graph.inputs if name in self.graph.tensors]
        choices = [list(self._different(self.graph.tensors[name].shape, candidates)) for name in names]
        for chosen in itertools.product(*choices):
            if len({each.texture for each in chosen}) == len(chosen):
                yield dict(zip(names, chosen, strict=True))

    def _different(self, shape: tuple[int, ...], candidates: Sequence[str]) -> Iterator[_Reading]:
        """Yields textures as a tensor of that shape, without readings that give the same values."""
        known: set[tuple[str, bytes]] = set()
        for key in candidates:
            for reading in self.readings(key, shape):
                content = (key, reading.values.tobytes())
                if content not in known:
                    known.add(content)
                    yield reading

    def draws(self, inputs: Mapping[str, _Reading]) -> _Found:
        """Returns what the draws wrote of the model, for that reading of its inputs, each tensor for one draw first.

        A draw that wrote no tensor's values counts as the one it is most like, and the tensors behind it are those of
        its own values: a wrong program makes only one draw wrong.
        """
        read = {each.texture: TextureMeaning(each.texture, name, each.layout) for name, each in inputs.items()}
        known: dict[str, NDArray[np.generic]] = {name: each.values for name, each in inputs.items()}
        found, right = dict(read), 0
        for wrong_count in range(_MOST_WRONG):
            tensors = self._tensors(known)
            self._add_equal(tensors, found)
            right = right if wrong_count else len(found) - len(read)
            wrong = self._most_alike(tensors, found)
            if wrong is None:
                break
            meaning, reading = wrong
            found[meaning.texture] = meaning
            known[meaning.tensor] = reading.values
        draws = tuple(found[key] for key in self.written if key in found and key not in read)
        return _Found(tuple(read.values()), draws, right)

    def _tensors(self, known: Values) -> Values:
        """Returns the float tensors that the model computes of those known, in its order."""
        names = [name for node in self.graph.nodes for name in node.outputs if name]
        try:
            computed = self._oracle.values(dict(known), names)
        except TexelscopeError:  # a node that nothing here evaluates: draws behind it stay as recorded
            computed = self._as_far_as_known(known, names)
        made = {name: computed[name] for name in names if name in computed}
        return {name: value for name, value in made.items() if value.dtype.kind == "f" and value.size}

    def _as_far_as_known(self, known: Values, names: Sequence[str]) -> dict[str, NDArray[np.generic]]:
        """Returns the tensors of those names that can be computed, one after the other."""
        computed = dict(known)
        for name in names:
            check()
            try:
                computed |= self._oracle.values(computed, [name]) if name not in computed else {}
            except TexelscopeError:
                continue
        return computed

    def _add_equal(self, tensors: Values, found: dict[str, TextureMeaning]) -> None:
        """Adds what the draws wrote exactly; tensors that no draw wrote yet come first."""
        used = {each.tensor: None for each in found.values()}
        for key in self.written:
            if key in found:
                continue
            names = (*(name for name in tensors if name not in used), *(name for name in used if name in tensors))
            meaning = next(filter(None, (self.equal(key, name, tensors[name]) for name in names)), None)
            if meaning is not None:
                found[key] = meaning
                used[meaning.tensor] = None

    def _most_alike(
        self, tensors: Values, found: Mapping[str, TextureMeaning]
    ) -> tuple[TextureMeaning, _Reading] | None:
        """Returns the first other draw that is like a tensor, with the one it is most like.

        The tensor stands in the model's order between those that earlier and later draws wrote: a draw that no tensor
        is meant by, such as one that packs numbers, is like one it was computed from.
        """
        order = {name: i for i, name in enumerate(tensors)}
        for position, key in enumerate(self.written):
            if key in found:
                continue
            places = [(i, order.get(found[each].tensor, -1)) for i, each in enumerate(self.written) if each in found]
            first = max((place for i, place in places if i < position), default=-1)
            last = min((place for i, place in places if i > position), default=len(order))
            between = [name for name, place in order.items() if first < place < last]
            free = {name: tensors[name] for name in between if tensors[name].size >= _LEAST_NUMBERS}
            readings = ((name, each) for name, value in free.items() for each in self.readings(key, value.shape))
            alike = [(_likeness(each.values, free[name]), name, each) for name, each in readings]
            likeness, name, reading = max(alike, key=lambda each: each[0], default=(0.0, "", None))
            if reading is not None and likeness >= _LEAST_LIKENESS:
                return TextureMeaning(key, name, reading.layout, likeness), reading
        return None


def _likeness(got: NDArray[np.float32], expected: NDArray[np.generic]) -> float:
    """Returns the correlation of two tensors: near 1 with a bug in borders, scale or bias, else near 0."""
    a, b = (np.nan_to_num(each.astype(np.float64).ravel(), posinf=0.0, neginf=0.0) for each in (got, expected))
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale > 0.0 else 0.0
