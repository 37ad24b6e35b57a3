"""Gives generators their view of a failing pass: evidence, oracle, and the model slice between inputs and output."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.compare.figures import rounding_by_storage
from texelscope.pipeline.compare.judge import Judge
from texelscope.pipeline.compare.sampled import sampling_errors
from texelscope.pipeline.diagnose.evidence.evidence import Evidence, ReadTensor, inputs_of
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, ModelSlice, OutputChange, OutputMove
from texelscope.pipeline.diagnose.model_slice.sampled import evaluate_at
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.glsl.semantics.shader_text import ShaderText
from texelscope.pipeline.oracle.choice import oracle_of
from texelscope.pipeline.plan import StoredTensor

Array = NDArray[Any]

# A hypothesis is tried first on at most so many elements, fewer if each sums many products.
_MOST_SAMPLES, _FEWEST_SAMPLES = 224, 32
_SAMPLED_PRODUCTS = 120_000
# If the sample sums more products than this, so many wrong elements are tested before: this misses what explains a
# fifth of all once in a hundred times, and never what explains half.
_GLANCED, _GLANCED_PRODUCTS = 20, 20_000
# These redraws show the run that was compared, and no other result.
_OF_THE_RUN = ("as_is", "as_is_over_sentinel", "own_target_zero", "own_target_other")


class FailingPass:
    """The evidence with everything that follows from it by arithmetic; made once a diagnosis, used in one thread."""

    def __init__(self, evidence: Evidence) -> None:
        """Raises TexelscopeError if the pass has no oracle."""
        self.evidence = evidence
        # Results of clues, by their own names, which cases made of this one share.
        self.kept: dict[str, Any] = {}
        self._base: tuple[ModelEdit, ...] = ()
        self._read_rightly: dict[str, bool] = {}
        plan, each = evidence.plan, evidence.shader_pass
        self.output: StoredTensor = plan.textures[each.output]
        given = inputs_of(plan, each, evidence.capture, evidence.reads)
        oracle = oracle_of(plan)
        if oracle is None:
            raise TexelscopeError(
                f"pass '{each.name}'", "an oracle, which a diagnosis compares with", "none",
                "Step a texel of it, or draft its pipeline file with a model.",
            )  # fmt: skip
        self.model_slice = ModelSlice(plan.graph, oracle, given, self.output.tensor)
        expected = oracle.isolated(given, self.output.tensor, errors=sampling_errors(plan, each, given))
        assert expected is not None
        self.dims = as_nchw(self.output.shape)
        self.actual: Array = self.stored_actual.elements
        self.expected: Array = np.asarray(expected.value, dtype=np.float64).reshape(self.dims)
        bound = expected.bound if expected.bound is not None else np.zeros(self.output.shape)
        self.bound: Array = np.asarray(bound, dtype=np.float64).reshape(self.dims)
        if self.output.storage != "float32":
            stored = self.bound + rounding_by_storage(expected, self.output).reshape(self.dims)
            # If storage explains every error, it is the cause to name.
            if Judge(self.actual, self.expected, stored).wrong().any():
                self.bound = stored
        self.judge = Judge(self.actual, self.expected, self.bound)
        self.wrong = self.judge.wrong()
        for node in self.model_slice.nodes:
            read = self.read_of(node.inputs[0]) if node.inputs else None
            if read is not None and len(read.values.stored.shape) == 4:
                self.model_slice.set_stored(node, read.values)

    # -- what remains after a cause -------------------------------------------------------------------------

    def cured(self, values: Array, covered: NDArray[np.bool_]) -> FailingPass:
        """Returns the case of `values` (4-d view), the result of an intervention, in place of the compared ones.

        Elements that are not `covered` count as neither right nor wrong.
        """
        left = self._copy()
        left.actual = np.where(covered, values.reshape(self.dims), self.expected).astype(np.float32)
        evidence = self.evidence
        interventions = {name: found for name, found in evidence.interventions.items() if name not in _OF_THE_RUN}
        left.evidence = dataclasses.replace(
            evidence, texels=self.to_texels(left.actual), survivors=None, reruns=(), interventions=interventions
        )
        return left._judged(self.judge.counted & covered)

    def changed(self, changes: Sequence[ModelEdit]) -> FailingPass:
        """Returns the case of a model with these edits: only errors that they do not explain are left."""
        left = self._copy()
        left._base = (*self._base, *changes)
        left.expected = self._stored(self.model_slice.evaluate(left._base)).astype(np.float64)
        return left._judged(self.judge.counted)

    def without(self, elements: NDArray[np.bool_]) -> FailingPass:
        """Returns the case of all elements but some."""
        return self._copy()._judged(self.judge.counted & ~elements)

    def against(self, values: Array) -> FailingPass:
        """Returns the case of a model that gives `values`: errors made after them are left."""
        left = self._copy()
        left._base = (OutputChange(lambda _, values=values: values),)  # type: ignore[misc]
        left.expected = values.astype(np.float64)
        return left._judged(self.judge.counted)

    def _copy(self) -> FailingPass:
        left = copy.copy(self)
        for name in ("stored_actual", "right_stored", "sample", "sampled", "glance", "by_storing"):
            left.__dict__.pop(name, None)
        left._read_rightly = {}
        return left

    def _judged(self, counted: NDArray[np.bool_]) -> FailingPass:
        self.judge = Judge(self.actual, self.expected, self.bound, counted)
        self.wrong = self.judge.wrong()
        return self

    # -- its parts ------------------------------------------------------------------------------------------

    @cached_property
    def stored_actual(self) -> StoredValues:
        """Returns the output as stored."""
        return StoredValues(self.output, self.evidence.texels)

    @cached_property
    def right_stored(self) -> StoredValues:
        """Returns the output as it should be stored."""
        return self.as_stored(self.model_slice.evaluate(self._base) if self._base else self.model_slice.expected())

    def as_stored(self, value: Array) -> StoredValues:
        """Returns a result, [N, C, H, W], as the output's texture would hold it."""
        return StoredValues(self.output, self.to_texels(value))

    def reads_rightly(self, tensor: str) -> bool:
        """Whether all recorded reads of `tensor` in wrong elements were those that the operator needs.

        False too if nothing was recorded, if a read returned nothing (it may have meant any tensor), or if the GPU's
        copy of a constant differs.
        """
        if tensor not in self._read_rightly:
            self._read_rightly[tensor] = self._compare_reads(tensor)
        return self._read_rightly[tensor]

    def reads_in_place(self, tensor: str) -> bool:
        """Whether a tensor's reads are right, and no node reads all of it: the order of such reads shows nothing."""
        whole = any(
            window.kernel == window.source.shape[2:] and window.weights is not None for window in self.windows()
        )
        return not whole and self.reads_rightly(tensor)

    def uses_all_reads(self, stored: StoredValues | None) -> bool:
        """Whether a tensor's reads are right and all values read are used: of several lanes some may not be."""
        return stored is not None and stored.stored.layout.lanes == 1 and self.reads_rightly(stored.stored.tensor)

    def _compare_reads(self, tensor: str) -> bool:
        read = self.read_of(tensor)
        if (
            read is None
            or tensor in self.evidence.facts.get("other_constants", ())
            or len(self.model_slice.readers(tensor)) > 1
        ):
            return False  # a read for one node may have been made for another
        key, flat = read.values.stored.key, self.wrong.reshape(-1)
        taps = [taps for taps in self.evidence.taps if taps.expected is not None and flat[taps.element]]
        if len(taps) < min(3, int(flat.sum())) or any(key not in each.expected for each in taps if each.expected):
            return False
        return not any(key in each.unexpected() or key in each.missing() or each.idle.get(key) for each in taps)

    def whole(self, changes: Sequence[ModelEdit], tensor: str) -> Array:
        """Returns a tensor of the pass under edits, on top of those that the case takes as given."""
        before = [change for change in self._base if not isinstance(change, OutputChange | OutputMove)]
        return self.model_slice.whole((*before, *changes), tensor)

    def evaluate(self, changes: Sequence[ModelEdit]) -> Array:
        """Returns the result under edits, on top of those taken as given, as it would be stored; 4-d view."""
        return self._stored(self.model_slice.evaluate((*self._base, *changes)))

    @cached_property
    def text(self) -> ShaderText:
        """Returns the shader, parsed."""
        return ShaderText(self.evidence.program)

    @cached_property
    def sample(self) -> NDArray[np.int64]:
        """Returns linear indices of the elements on which hypotheses are tried first, wrong ones and right ones."""
        products = max((window.products for window in self.model_slice.windows()), default=1)
        most = int(np.clip(_SAMPLED_PRODUCTS // products, _FEWEST_SAMPLES, _MOST_SAMPLES))
        wrong = self.wrong.reshape(-1)
        right = self.judge.counted.reshape(-1) & ~wrong
        chosen = [_some(np.flatnonzero(wrong), 3 * most // 4), _some(np.flatnonzero(right), most // 4)]
        return np.concatenate(chosen)

    @cached_property
    def wrong_are_alike(self) -> bool:
        """Whether all wrong elements hold the same number, which does not show where it came from."""
        wrong = self.actual[self.wrong]
        return bool(wrong.size) and bool((wrong == wrong[0]).all())

    @cached_property
    def writes_otherwise(self) -> bool:
        """Whether a generated shader's function for a texel's element differs from its layout's."""
        own = self.output.layout.glsl_element_at(self.output.shape, "Y_element")
        return bool(self.text.calls("Y_element")) and not self.text.contains(own)

    def read_of(self, tensor: str) -> ReadTensor | None:
        """Returns the read tensor of that name, if the pass reads it itself."""
        return next((read for read in self.evidence.reads if read.tensor == tensor), None)

    def bound_at(self, uniform: str) -> Line | None:
        """Returns the line of a pipeline file that binds it; None without a file."""
        return self.evidence.plan.bound_at.get((self.evidence.shader_pass.name, uniform))

    def windows(self) -> Sequence[WindowSum]:
        """Returns the convolutions, products and pools of the pass."""
        return self.model_slice.windows()

    def errors_at_sample(self, changes: Sequence[ModelEdit]) -> Array:
        """Returns |edited - actual| for the wrong elements of the sample. Raises DoesNotApplyError."""
        values = self.evaluate_at(changes, self.sample)
        wrong = self.wrong.reshape(-1)[self.sample]
        with np.errstate(all="ignore"):
            return np.abs(values.astype(np.float64) - self.actual.reshape(-1)[self.sample])[wrong]

    def evaluate_at(self, changes: Sequence[ModelEdit], elements: NDArray[np.int64]) -> Array:
        """Evaluates like `evaluate`, but only at some elements (linear indices). Raises DoesNotApplyError."""
        return self._stored(evaluate_at(self.model_slice, (*self._base, *changes), elements))

    @cached_property
    def glance(self) -> tuple[NDArray[np.int64], Judge] | None:
        """Returns a few wrong elements of the sample, and their judge; None if they cost as much as the sample."""
        products = max((window.products for window in self.model_slice.windows()), default=1)
        if products * len(self.sample) <= _GLANCED_PRODUCTS:
            return None
        wrong = self.sample[self.wrong.reshape(-1)[self.sample]]
        elements = wrong[np.linspace(0, len(wrong) - 1, min(_GLANCED, len(wrong))).astype(np.int64)]
        return elements, self._judge_at(elements)

    @cached_property
    def all_elements(self) -> NDArray[np.bool_]:
        """Returns True for every element, in the 4-d view."""
        return np.ones(self.dims, dtype=bool)

    def interventions(self, name: str) -> tuple[Array, Array] | None:
        """Returns an intervention's result and mask of drawn elements, in the 4-d view; None if not done."""
        found = self.evidence.interventions.get(name)
        if found is None:
            return None
        drawn = np.zeros(found.texels.shape, dtype=np.float32)
        drawn[found.rows] = 1.0
        return self.of_texels(found.texels), self._mask_of(drawn)

    def of_texels(self, texels: Array) -> Array:
        """Returns texels of the output as its elements, [N, C, H, W]."""
        return StoredValues(self.output, texels.astype(np.float32)).elements

    def of_fragments(self, fragments: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Returns which elements, [N, C, H, W], lie in fragments of a mask, [height, width]."""
        return self._mask_of(np.broadcast_to(fragments[..., None], self.address.shape))

    def _mask_of(self, lanes: NDArray[Any]) -> NDArray[np.bool_]:
        """Returns which elements, [N, C, H, W], lie in lanes that are not 0."""
        return self.output.layout.decode(lanes.astype(np.float32), self.output.shape).reshape(self.dims) > 0

    def to_texels(self, values: Array, padding: float = 0.0) -> Array:
        """Returns elements of the output as its texels."""
        if self.output.quantization is not None:
            values = self.output.quantization.texels(values.reshape(self.output.shape))
        return self.output.layout.encode(values.reshape(self.output.shape), padding)

    @cached_property
    def address(self) -> NDArray[np.int32]:
        """Returns which element of the output lies where in its texture, [height, width, lanes]; -1 for none."""
        return np.asarray(self.output.layout.address(self.output.shape))

    def activations(self) -> list[ReadTensor]:
        """Returns the tensors that the pass reads and that are not constants, each once."""
        found = {read.values.stored.key: read for read in self.evidence.reads if read.values.stored.role != "constant"}
        return list(found.values())

    @property
    def before_sampling(self) -> str:
        """Returns the control for redraws with other samplers and coordinates: it differs in nothing else."""
        return str(self.evidence.facts.get("before_sampling", "clean"))

    def differ(self, name: str, other: str) -> bool:
        """Returns whether two interventions give different elements."""
        first, second = self.interventions(name), self.interventions(other)
        if first is None or second is None:
            return False
        both = first[1] & second[1]
        return not np.array_equal(first[0][both], second[0][both], equal_nan=True)

    @cached_property
    def sampled(self) -> Judge:
        """Returns the judge of the sample."""
        return self._judge_at(self.sample)

    @cached_property
    def by_storing(self) -> int:
        """Counts sampled wrong elements that storing right values gives too: a part no larger explains nothing."""
        if self.output.storage == "float32":
            return 0
        return self.sampled.reproduces(self.evaluate_at((), self.sample)).explained

    def _judge_at(self, elements: NDArray[np.int64]) -> Judge:
        """Returns the judge of some elements, all of which count."""
        return Judge(*(each.reshape(-1)[elements] for each in (self.actual, self.expected, self.bound)))

    def _stored(self, value: Array) -> Array:
        """Returns the value as the output's storage holds it."""
        if self.output.storage == "float16":
            with np.errstate(over="ignore"):
                return value.astype(np.float16).astype(np.float32)
        return value


def _some(elements: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Returns up to `most` of `elements`: both ends, some evenly spread, some at random."""
    if len(elements) <= most:
        return elements
    even = elements[np.linspace(0, len(elements) - 1, most // 2).astype(np.int64)]
    random = np.random.default_rng(0).choice(elements, size=most - len(even), replace=False)
    return np.unique(np.concatenate([even, random]))
