"""srgb_encoded: the wrong values are the right ones through the sRGB curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.moved import texels_of_input, texels_of_output
from texelscope.pipeline.diagnose.clues.pattern import listed
from texelscope.pipeline.diagnose.fault_models.gamma import CURVES, MORE_CURVES, Changes, powers
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage
from texelscope.pipeline.diagnose.trial.model_edits import Function, constant_as, input_through, output_through

Array = NDArray[Any]
_REMEDY = "Use formats without sRGB and disable GL_FRAMEBUFFER_SRGB; tensors are not colours."


@dataclass(frozen=True)
class _Way:
    """A place where values pass through a curve: a description with a gap for the curve's name, and the edit it makes.

    `more`: curves in bytes too.
    """

    says: str
    changes: Changes
    prior: float
    parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    more: bool = False


class SrgbEncoded(Rule):
    """Values are passed through the sRGB curve, in a target, a sampler or the shader."""

    cause = "srgb_encoded"
    stage = Stage.VALUES
    family = "storing"

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes the curve in both directions, clamped or not, and powers that approximate it; of result and inputs.

        In four lanes the fourth is alpha, which stays as it is. Parameters are tried too.
        """
        for way in (*_results(case), *_inputs(case)):
            curves = (*CURVES.items(), *(MORE_CURVES.items() if way.more else ()))
            for weight, (says, function) in enumerate(curves):
                yield self._hypothesis(way, says, function, weight)
            for weight, (says, function) in enumerate(powers(case, way.changes), len(curves)):
                yield self._hypothesis(way, says, function, weight, fitted=1)

    def _hypothesis(self, way: _Way, says: str, function: Function, prior: int, *, fitted: int = 0) -> Hypothesis:
        return Hypothesis(
            self.cause,
            way.says.format(says),
            _REMEDY,
            {"values": says, **way.parameters},
            way.changes(function),
            line=lines.first(lines.called("pow"), lines.result),
            prior=way.prior + prior / 1000.0,
            fitted=fitted,
        )


def _results(case: FailingPass) -> Iterator[_Way]:
    yield _Way("the right values {}", lambda f: (output_through(f),), 1.0, more=True)
    if case.output.layout.lanes == 4:
        says = "the right values {} except for the fourth lane"
        yield _Way(says, lambda f: (texels_of_output(case, _colours(f)),), 1.05)


def _inputs(case: FailingPass) -> Iterator[_Way]:
    for read in case.activations():
        name, of = f"the input '{read.tensor}'", {"input": read.tensor}
        yield _Way(f"{name} {{}}", lambda f, t=read.tensor: (input_through(t, f),), 2.0, of, more=True)  # type: ignore[misc]
        if read.values.stored.layout.lanes == 4:
            says = f"{name} {{}} except for the fourth lane"
            yield _Way(says, lambda f, r=read: (texels_of_input(r, _colours(f)),), 2.05, of)  # type: ignore[misc]
    for read in case.evidence.reads:
        is_held = read.values.stored.role == "constant" and read.tensor in case.model_slice.values
        if is_held and (read.values.elements > 0).any():  # else nothing remains, as if it were not read
            says, of = f"the parameters '{read.tensor}' {{}}", {"input": read.tensor}
            yield _Way(says, lambda f, t=read.tensor: (constant_as(t, _float(f)),), 2.5, of)  # type: ignore[misc]
    names = tuple(dict.fromkeys(read.tensor for read in case.activations()))
    if len(names) > 1:  # one function may read them all
        quoted = listed([f"'{name}'" for name in names])
        says = f"the inputs {quoted} {{}}"
        yield _Way(says, lambda f: tuple(input_through(name, f) for name in names), 2.8)


def _colours(function: Function) -> Function:
    def change(texels: Array) -> Array:
        changed = np.array(texels)
        changed[..., :3] = function(changed[..., :3])
        return changed

    return change


def _float(function: Function) -> Callable[[Array], Array]:
    return lambda value: np.asarray(function(value), dtype=np.float32) if value.dtype.kind == "f" else value
