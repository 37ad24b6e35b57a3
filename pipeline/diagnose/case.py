"""One wrong pass as the rules see it: evidence, oracle, and the part of the model between inputs and output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layouts.shapes import as_nchw
from pipeline.compare import stored_rounding
from pipeline.diagnose.evidence import Evidence, ReadTensor
from pipeline.diagnose.hypothesis import Hypothesis
from pipeline.diagnose.redo import DoesNotApplyError, Redo
from pipeline.diagnose.sampled import evaluate_at
from pipeline.diagnose.scoring import Judge, Score
from pipeline.diagnose.shader_text import ShaderText
from pipeline.diagnose.stored_values import StoredValues
from pipeline.diagnose.window_sum import WindowSum
from pipeline.oracle.choice import oracle_of
from pipeline.plan import StoredTensor

Array = NDArray[Any]

# A hypothesis is tried on at most so many elements first, fewer where each sums up many products.
_MOST_SAMPLES, _FEWEST_SAMPLES = 224, 32
_SAMPLED_PRODUCTS = 120_000
# It goes on to the whole output if it explains this share of the sample.
_PROMISING, _PROMISING_KEPT = 0.1, 0.8
_NEARLY_WHOLE = 0.9


class Case:
    """Evidence with everything that follows from it by arithmetic; made once a diagnosis, used in one thread."""

    def __init__(self, evidence: Evidence) -> None:
        """Raises TexelscopeError where there is no oracle for the pass."""
        self.evidence = evidence
        self._read_rightly: dict[str, bool] = {}
        plan, each = evidence.plan, evidence.each
        self.output: StoredTensor = plan.textures[each.output]
        given = {
            read.tensor: read.values.elements.reshape(read.values.stored.shape)
            for read in evidence.reads
            if read.values.stored.role != "constant"
        }
        oracle = oracle_of(plan)
        assert oracle is not None
        self.redo = Redo(plan.graph, oracle, given, self.output.tensor)
        expected = oracle.isolated(given, self.output.tensor)
        assert expected is not None
        self.dims = as_nchw(self.output.shape)
        self.actual: Array = self.stored_actual.elements
        self.expected: Array = np.asarray(expected.value, dtype=np.float64).reshape(self.dims)
        bound = expected.bound if expected.bound is not None else np.zeros(self.output.shape)
        self.bound: Array = np.asarray(bound, dtype=np.float64).reshape(self.dims)
        if self.output.storage != "float32":
            stored = self.bound + stored_rounding(expected, self.output.storage).reshape(self.dims)
            # Where storing explains every error, storing is what there is to name.
            if Judge(self.actual, self.expected, stored).wrong().any():
                self.bound = stored
        self.judge = Judge(self.actual, self.expected, self.bound)
        self.wrong = self.judge.wrong()
        for node in self.redo.nodes:
            read = self.read_of(node.inputs[0]) if node.inputs else None
            if read is not None and len(read.values.stored.shape) == 4:
                self.redo.set_stored(node, read.values)

    @cached_property
    def stored_actual(self) -> StoredValues:
        """The output as stored."""
        return StoredValues(self.output, self.evidence.texels)

    @cached_property
    def right_stored(self) -> StoredValues:
        """The output as it should be stored."""
        return self.as_stored(self.redo.expected())

    def as_stored(self, value: Array) -> StoredValues:
        """A result, [N, C, H, W], as the output's texture would hold it."""
        return StoredValues(self.output, self.to_texels(value))

    def reads_rightly(self, tensor: str) -> bool:
        """Whether all recorded reads of `tensor` in wrong elements were those that the operator asks for.

        False too where nothing was recorded, or where the GPU's copy of a constant is another one.
        """
        if tensor not in self._read_rightly:
            self._read_rightly[tensor] = self._compare_reads(tensor)
        return self._read_rightly[tensor]

    def _compare_reads(self, tensor: str) -> bool:
        read = self.read_of(tensor)
        if read is None or tensor in self.evidence.facts.get("other_constants", ()):
            return False
        key, flat = read.values.stored.key, self.wrong.reshape(-1)
        taps = [taps for taps in self.evidence.taps if taps.expected is not None and flat[taps.element]]
        if len(taps) < min(3, int(flat.sum())) or any(key not in each.expected for each in taps if each.expected):
            return False
        return all(key not in each.unexpected() and key not in each.missing() for each in taps)

    @cached_property
    def text(self) -> ShaderText:
        """The shader, parsed."""
        return ShaderText(self.evidence.program)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """Linear indices of the elements on which hypotheses are tried first, wrong ones and right ones."""
        products = max((frame.products for frame in self.redo.frames()), default=1)
        most = int(np.clip(_SAMPLED_PRODUCTS // products, _FEWEST_SAMPLES, _MOST_SAMPLES))
        wrong = self.wrong.reshape(-1)
        chosen = [_some(np.flatnonzero(wrong), 3 * most // 4), _some(np.flatnonzero(~wrong), most // 4)]
        return np.concatenate(chosen)

    def read_of(self, tensor: str) -> ReadTensor | None:
        """The read tensor of that name, if the pass reads it itself."""
        return next((read for read in self.evidence.reads if read.tensor == tensor), None)

    def frames(self) -> Sequence[WindowSum]:
        """The convolutions, products and pools of the pass."""
        return self.redo.frames()

    def try_out(self, hypothesis: Hypothesis, *, parts: bool = True) -> Score | None:
        """The score on everything; None where the sample says that it is nothing, or it does not apply.

        Without `parts` only what explains the whole sample is tried on everything.
        """
        try:
            if hypothesis.values is not None:
                return self.judge_of(hypothesis)
            score = self._sampled.reproduces(self._stored(evaluate_at(self.redo, hypothesis.changes, self.places)))
            promising = score.share >= _PROMISING and score.kept >= _PROMISING_KEPT
            if not (promising and (parts or score.share >= _NEARLY_WHOLE)):
                return None
            return self.judge.reproduces(self._stored(self.redo.evaluate(hypothesis.changes)))
        except DoesNotApplyError:
            return None

    def try_quickly(self, hypothesis: Hypothesis) -> Score | None:
        """The score on the sample alone."""
        try:
            return self._sampled.reproduces(self._stored(evaluate_at(self.redo, hypothesis.changes, self.places)))
        except DoesNotApplyError:
            return None

    def judge_of(self, hypothesis: Hypothesis) -> Score:
        """The score of a hypothesis that comes with values."""
        assert hypothesis.values is not None
        values = hypothesis.values.reshape(self.dims)
        judge = self.judge if hypothesis.covers is None else self.judge.only(hypothesis.covers.reshape(self.dims))
        if hypothesis.covers is not None:
            values = values[hypothesis.covers.reshape(self.dims)]
        return judge.cures(values) if hypothesis.is_cure else judge.reproduces(values)

    def redrawn(self, name: str) -> tuple[Array, Array] | None:
        """What came out under an intervention, and which elements were drawn, in the 4-d view; None if not done."""
        found = self.evidence.redrawn.get(name)
        if found is None:
            return None
        drawn = np.zeros(found.texels.shape, dtype=np.float32)
        drawn[found.rows] = 1.0
        return self.of_texels(found.texels), self.of_texels(drawn) > 0

    def of_texels(self, texels: Array) -> Array:
        """Texels of the output as its elements, [N, C, H, W]."""
        return StoredValues(self.output, texels.astype(np.float32)).elements

    def to_texels(self, values: Array, padding: float = 0.0) -> Array:
        """Elements of the output as its texels."""
        return self.output.layout.encode(values.reshape(self.output.shape), padding)

    def activations(self) -> list[ReadTensor]:
        """The tensors that the pass reads and that are no constants, each once."""
        found = {read.values.stored.key: read for read in self.evidence.reads if read.values.stored.role != "constant"}
        return list(found.values())

    def differ(self, name: str, other: str) -> bool:
        """Whether two interventions gave different elements."""
        first, second = self.redrawn(name), self.redrawn(other)
        if first is None or second is None:
            return False
        both = first[1] & second[1]
        return not np.array_equal(first[0][both], second[0][both], equal_nan=True)

    @cached_property
    def _sampled(self) -> Judge:
        flat = (each.reshape(-1)[self.places] for each in (self.actual, self.expected, self.bound))
        return Judge(*flat)

    def _stored(self, value: Array) -> Array:
        """The value as the output's storage holds it."""
        if self.output.storage == "float16":
            with np.errstate(over="ignore"):
                return value.astype(np.float16).astype(np.float32)
        return value


def _some(places: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Up to `most` of `places`: both ends, some evenly spread, some at random."""
    if len(places) <= most:
        return places
    even = places[np.linspace(0, len(places) - 1, most // 2).astype(np.int64)]
    random = np.random.default_rng(0).choice(places, size=most - len(even), replace=False)
    return np.unique(np.concatenate([even, random]))
