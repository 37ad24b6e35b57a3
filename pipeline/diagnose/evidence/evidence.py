"""The evidence about one wrong pass: `gather` reads it back from GL, generators see arrays.

For a pass that ran where nothing can be redrawn there is evidence from values alone: no interventions, no taps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.compare.capture import Capture, Unread
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.glsl.lines import Line
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, Sampler, UniformValue, UnsetUniform
from texelscope.pipeline.read_trace.expected import ReadTrace
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

_WRONG, _RIGHT = 6, 2
Texels = NDArray[np.float32]
NOT_DRAWN = "It ran on another device, where reads cannot be recorded."


def recorded_elements(wrong: NDArray[np.bool_]) -> list[int]:
    """Returns their linear indices, wrong ones first; `wrong` is flat."""
    chosen: list[int] = []
    random = np.random.default_rng(0)
    for places, most in ((np.flatnonzero(wrong), _WRONG), (np.flatnonzero(~wrong), _RIGHT)):
        if len(places):
            ends = [int(places[0]), int(places[-1])]
            rest = random.choice(places, size=min(most, len(places)), replace=False).tolist()
            chosen += list(dict.fromkeys([*ends, *rest]))[:most]
    return chosen


@dataclass(frozen=True)
class ReadTensor:
    """A tensor that the pass reads, with the sampler uniform that it is bound to."""

    sampler: Sampler
    values: StoredValues

    @property
    def tensor(self) -> str:
        """Returns the oracle's name of the tensor."""
        return self.values.stored.tensor


@dataclass(frozen=True)
class RedrawnPass:
    """The pass drawn once more with one thing changed; `rows` are the texel rows that were drawn."""

    texels: Texels
    rows: slice


NotFinite = Literal["NaN", "infinity"]


@dataclass(frozen=True)
class NotFiniteOrigin:
    """Says on which line the value of `texel`, (tx, ty), first was not finite, in the statement `text`."""

    kind: NotFinite
    texel: tuple[int, int]
    line: Line
    text: str


@dataclass(frozen=True)
class CutOffLoops:
    """Says which fragments had a loop cut off.

    `numbers` are 1-based numbers of loops, [height, width], 0 for none and -1 where it was not drawn; `lines` are the
    loops' lines, `turns` how often the loop of the first such fragment turned.
    """

    numbers: NDArray[np.int64]
    lines: tuple[Line, ...]
    turns: int


@dataclass(frozen=True)
class UniformSetting:
    """Gives an unset uniform a value."""

    uniform: UnsetUniform
    value: UniformValue


@dataclass(frozen=True)
class Evidence:
    """What is known about one wrong pass; `texels` are those of its output, of the same run as `capture`.

    `survivors` are lanes that a run over a sentinel did not write (bool, texture's shape). `reruns` holds the target
    after that run and, if it differed, after two more over the target's own content. `interventions` holds their
    results by name; interventions that do not apply are missing. `taps` belong to a sample of wrong and right elements;
    `taps_missing` says why they could not be recorded. A run took `took_ms`.
    `cut_off` says which fragments had a loop that the driver cut off; None if none is known to. `not_finite` says where
    some wrong NaN and infinities began. `settings` are values of unset uniforms with which the pass is right; the
    intervention `set` draws it so. `divergences` say how the formulas of some wrong elements depart from the model's.

    `facts` are `other_constants`, tensors that differ on the GPU from the model, and where it applies
    `hidden_by_unset`, the keys of unset uniforms without which everything is 0;
    `before_sampling`, the redraw that replaces `clean` as the base of later ones; `own_sampler`, the uniform bound to
    the pass's own target, as GL has it; for a compute pass those of `pipeline.diagnose.evidence.interventions`; `not
    NAME`, why the intervention NAME could not be drawn. `fresh` is the same pass on other inputs
    (`pipeline.diagnose.evidence.held_out_inputs`), without taps.
    """

    plan: Plan
    shader_pass: Pass
    program: ProgramSource
    vertex: str
    capture: Capture
    texels: Texels
    reads: tuple[ReadTensor, ...]
    survivors: NDArray[np.bool_] | None = None
    reruns: tuple[Texels, ...] = ()
    took_ms: float = 0.0
    interventions: Mapping[str, RedrawnPass] = field(default_factory=lambda: MappingProxyType({}))
    taps: tuple[ReadTrace, ...] = ()
    taps_missing: str = ""
    cut_off: CutOffLoops | None = None
    not_finite: tuple[NotFiniteOrigin, ...] = ()
    settings: tuple[UniformSetting, ...] = ()
    divergences: PassDivergences | None = None
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    fresh: tuple[Evidence, ...] = ()


def other_constants(plan: Plan, reads: Sequence[ReadTensor]) -> tuple[str, ...]:
    """Returns those that a pass reads, by tensor; constants stored narrower than float32 are skipped."""
    different = []
    for read in reads:
        stored = read.values.stored
        value = plan.constant(stored.tensor) if stored.role == "constant" else None
        if value is not None and stored.storage == "float32":
            with np.errstate(over="ignore"):
                held = np.float32(value).reshape(-1)
            if not np.array_equal(read.values.elements.reshape(-1), held, equal_nan=True):
                different.append(stored.tensor)
    return tuple(different)


def evidence_of_values(
    plan: Plan,
    shader_pass: Pass,
    capture: Capture,
    *,
    program: ProgramSource | None = None,
    texels: Mapping[str, Texels] = MappingProxyType({}),
) -> Evidence:
    """Returns the evidence in the values of `capture`; `plan` has the layouts in which its tensors were stored.

    `program` is the shader that made them, None if unknown. `texels` are those of tensors that were read back as
    textures, float32 [height, width, lanes]; of the others only the elements are known. `capture`
    must have every tensor that the pass reads, constants aside.
    """

    def held(key: str) -> Texels:
        if key in texels:
            return texels[key]
        stored = plan.textures[key]
        value = capture.tensors.get(key) if stored.role != "constant" else plan.constant(stored.tensor)
        assert value is not None
        return stored.encode(np.asarray(value).reshape(stored.shape))

    def read(sampler: Sampler) -> ReadTensor:
        return ReadTensor(sampler, StoredValues(plan.textures[sampler.key], held(sampler.key), sampler.wrap))

    reads = tuple(map(read, shader_pass.readers))
    return Evidence(
        plan=plan,
        shader_pass=shader_pass,
        program=program or ProgramSource("", ()),
        vertex="",
        capture=capture,
        texels=held(shader_pass.output),
        reads=reads,
        taps_missing=NOT_DRAWN,
        facts={"other_constants": other_constants(plan, reads)},
    )


def inputs_of(plan: Plan, shader_pass: Pass, capture: Capture, reads: Sequence[ReadTensor]) -> dict[str, NDArray[Any]]:
    """Returns what a pass was given, by tensor, in logical shape: as its textures hold it, else as it was captured."""
    read_back = (read for read in reads if read.values.stored.role != "constant")
    return Unread(plan).values(shader_pass, capture) | {
        read.tensor: read.values.elements.reshape(read.values.stored.shape) for read in read_back
    }
