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
from texelscope.pipeline.dialects.webgl.layout_candidates import layouts_filling
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


def guessed(plan: Plan, graph: Graph) -> tuple[TextureMeaning, ...]:
    """Returns what the textures of a recorded plan hold of a model, in the plan's order; those not found are left out.

    Raises TexelscopeError if no upload can be the model's input, or no draw wrote a tensor of it.
    """
    guess = _Guess(plan, graph)
    uploads = guess.constants()
    taken = {each.texture for each in uploads}
    best: tuple[TextureMeaning, ...] = ()
    for inputs in itertools.islice(guess.inputs(taken), _MOST_RUNS):
        check()
        given = {name: reading.values for name, reading in inputs.items()}
        found = guess.draws(given)
        read = tuple(TextureMeaning(each.texture, name, each.layout) for name, each in inputs.items())
        if found and _rank(found) > _rank(best):
            best = (*read, *found)
        if _rank(found)[0] == len(guess.written):
            break
    if not best:
        names = ", ".join(f"'{name}' {list(graph.tensors[name].shape)}" for name in graph.inputs)
        raise TexelscopeError(
            plan.name,
            f"an upload that is the input of {graph.name} ({names}), and a draw that computes a tensor of it",
            "none in any layout", "Record the page with this model, or write a table of textures: see docs/webgl.md.",
        )  # fmt: skip
    order = {key: i for i, key in enumerate(plan.textures)}
    return tuple(sorted((*uploads, *best), key=lambda each: order[each.texture]))


def _rank(meanings: Sequence[TextureMeaning]) -> tuple[int, float]:
    """Returns how many textures hold their tensor's values, and how like the others are."""
    return sum(each.likeness is None for each in meanings), sum(each.likeness or 0.0 for each in meanings)


@dataclass
class _Guess:
    """Guesses for one recording and one model."""

    plan: Plan
    graph: Graph
    written: list[str] = field(default_factory=list)
    _texels: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.plan.recorded is not None
        recorded = self.plan.recorded.values
        self._texels = {key: each.layout.encode(recorded[key]) for key, each in self.plan.textures.items()}
        self._read = {key for each in self.plan.passes for key in each.reads}
        self.written = [key for each in self.plan.passes for key in each.outputs]

    def readings(self, key: str, shape: tuple[int, ...]) -> Iterator[_Reading]:
        """Yields a texture as a tensor of that shape, in each layout that fits, and in those of one lane if it may."""
        texels = self._texels[key]
        height, width, lanes = texels.shape
        for count in (lanes, 1) if lanes > 1 and self._has_red_alone(key) else (lanes,):
            for layout in layouts_filling(shape, height, width, count):
                yield _Reading(key, layout, layout.decode(np.ascontiguousarray(texels[:, :, :count]), shape))

    def _has_red_alone(self, key: str) -> bool:
        """Reports whether a texture of one lane would do: nobody reads the other lanes, or they are as in one."""
        rest = self._texels[key][:, :, 1:]
        return key in self.written and (key not in self._read or bool((rest == (0.0, 0.0, 1.0)).all()))

    def equal(self, key: str, name: str, value: NDArray[np.generic]) -> TextureMeaning | None:
        """Returns the meaning of a texture that holds a tensor's values; None if it does not."""
        if value.size > self._texels[key].size or not self._may_hold(key, value):
            return None
        most = _EQUAL[self.plan.textures[key].storage]
        for reading in self.readings(key, value.shape):
            check()
            if difference(reading.values, value.astype(np.float64)) <= most:
                return TextureMeaning(key, name, reading.layout)
        return None

    def _may_hold(self, key: str, value: NDArray[np.generic]) -> bool:
        """Reports whether the largest number of a tensor may be in a texture, which costs no layout."""
        most = _EQUAL[self.plan.textures[key].storage]
        largest, there = (float(np.abs(np.nan_to_num(each)).max(initial=0.0)) for each in (value, self._texels[key]))
        return there >= (1.0 - most) * largest

    def constants(self) -> tuple[TextureMeaning, ...]:
        """Returns the uploads that hold weights of the model."""
        weights = {
            name: value for name, value in self.graph.constants.items() if value.dtype.kind == "f" and value.size
        }
        found = []
        for key in self.plan.inputs:
            meanings = (self.equal(key, name, value) for name, value in weights.items())
            found += list(itertools.islice(filter(None, meanings), 1))
        return tuple(found)

    def inputs(self, taken: set[str]) -> Iterator[Mapping[str, _Reading]]:
        """Yields ways to read uploads as all inputs of the model; each upload is one input at most."""
        names = [name for name in self.graph.inputs if name in self.graph.tensors]
        choices = [list(self._different(self.graph.tensors[name].shape, taken)) for name in names]
        for chosen in itertools.product(*choices):
            if len({each.texture for each in chosen}) == len(chosen):
                yield dict(zip(names, chosen, strict=True))

    def _different(self, shape: tuple[int, ...], taken: set[str]) -> Iterator[_Reading]:
        """Yields uploads as a tensor of that shape, without readings that give the same values."""
        known: set[tuple[str, bytes]] = set()
        for key in self.plan.inputs:
            for reading in self.readings(key, shape) if key not in taken else ():
                content = (key, reading.values.tobytes())
                if content not in known:
                    known.add(content)
                    yield reading

    def draws(self, given: Values) -> tuple[TextureMeaning, ...]:
        """Returns what the draws wrote of the model, for those inputs, each tensor for one draw first.

        A draw that wrote no tensor's values counts as the one it is most like, and the tensors behind it are those of
        its own values: a wrong program makes only one draw wrong.
        """
        found: dict[str, TextureMeaning] = {}
        known: dict[str, NDArray[np.generic]] = dict(given)
        for _ in range(_MOST_WRONG):
            tensors = self._tensors(known)
            self._add_equal(tensors, found)
            wrong = self._most_alike(tensors, found)
            if wrong is None:
                break
            meaning, reading = wrong
            found[meaning.texture] = meaning
            known[meaning.tensor] = reading.values
        return tuple(found[key] for key in self.written if key in found)

    def _tensors(self, known: Values) -> Values:
        """Returns the float tensors that the model computes of those known, in its order."""
        oracle = GraphOracle(self.graph)
        found: dict[str, NDArray[np.generic]] = {}
        computed = {**oracle.typed(dict(known))}
        for name in (name for node in self.graph.nodes for name in node.outputs if name):
            check()
            try:
                computed |= oracle.values(computed, [name]) if name not in computed else {}
            except TexelscopeError:  # a node that nothing here evaluates: draws behind it stay as recorded
                continue
            if computed[name].dtype.kind == "f" and computed[name].size:
                found[name] = computed[name]
        return found

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
