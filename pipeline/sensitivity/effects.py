"""Measures the effect of each pass alone on the outputs: its result in half precision, and off by one ulp.

Half precision is emulated: the result is read back, rounded to the nearest float16 and written into its float32
texture, and the passes after it run again on the GPU. The plan never changes, so that any difference at the end comes
from this pass alone.
"""

from __future__ import annotations

import dataclasses
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import in_cell, in_json, one_line
from texelscope.pipeline.compare.figures import measure, of_largest
from texelscope.pipeline.compare.report import ratio_text
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.operators.element_types import whole_range
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.planning.recomputing import Dependencies
from texelscope.pipeline.quotas import present
from texelscope.pipeline.short_text import BEGINNING, cut, short_operator

VERSION = 1
Array = NDArray[np.float32]
_SEED = 0
# The beginning of the message of a pass for which no time was left.
LATE = "Not tried within"
# The smallest relative change that every float32 shows.
_STEP = float(np.finfo(np.float32).eps)


@dataclass(frozen=True)
class Effect:
    """Measures the change of the outputs: the largest |change|, that over the largest |value|, and over its bound.

    The bound is that of the chained comparison in float32; None without one. `output` is the one that changed most.
    """

    output: str
    max_abs: float
    of_largest: float
    bound_ratio: float | None


@dataclass(frozen=True)
class PassEffect:
    """Rates one pass: `half` with its result in half precision, `unit` with every element 2^-23 of it up or down.

    `condition` is the relative effect of `unit` over 2^-23. A pass of whole numbers has neither, and its message says
    so.
    """

    name: str
    operator: str
    shape: tuple[int, ...]
    half: Effect | None = None
    unit: Effect | None = None
    condition: float | None = None
    message: str = ""


@dataclass(frozen=True)
class Sensitivity:
    """Lists all passes, the one with the largest effect of half precision first."""

    target: str
    device: DeviceInfo
    passes: tuple[PassEffect, ...]
    version: int = field(default=VERSION)

    def as_json(self) -> str:
        """Returns strict JSON text: infinities become null."""
        values = dataclasses.asdict(self)
        version = values.pop("version")
        plain = json.loads(json.dumps({"version": version, **values}), parse_constant=lambda _: None)
        return in_json(plain, indent=2)


def sensitivity(
    session: Session, bounds: Mapping[str, Expected], progress: Callable[[float], None] | None = None
) -> Sensitivity:
    """Effects of all passes of a session that has run. `bounds` by tensor name; the session is as before at the end.

    Each pass costs two runs of what follows it; after `sensitivity_seconds` of the quotas none is begun, and those left
    say so in their message. Raises TexelscopeError where no output has been computed.
    """
    plan = session.plan
    ran = [each for each in plan.passes if session.has_run(each.name)]
    outputs = [key for key in plan.outputs if session.is_valid(key)]
    if not outputs:
        raise TexelscopeError(
            plan.name, "an output that can be computed", "none", f"'diff {plan.name}' says which pass does not run."
        )
    originals = {key: session.tensor(key) for each in ran for key in each.outputs}
    work = _Work(session, Dependencies(plan.passes), originals, outputs, bounds)
    found: list[PassEffect] = []
    limit = present().sensitivity_seconds
    end = time.monotonic() + limit
    for done, each in enumerate(reversed(ran)):  # backwards: what a pass reads is never left changed
        if time.monotonic() > end:
            late = f"{LATE} {limit} s: --limit sensitivity_seconds=N gives it more."
            shape = plan.textures[each.output].shape
            found.append(PassEffect(each.name, each.operator, shape, message=late))
            continue
        found.append(work.of_pass(each))
        if progress is not None:
            progress((done + 1) / len(ran))
    session.run()
    found.reverse()
    found.sort(key=lambda effect: -_rank(effect))
    return Sensitivity(plan.name, device_of(session.context), tuple(found))


def _rank(effect: PassEffect) -> float:
    return effect.half.of_largest if effect.half is not None else -1.0


@dataclass
class _Work:
    """The results as they were, and the tensors whose textures hold something else now."""

    session: Session
    dependencies: Dependencies
    originals: Mapping[str, Array]
    outputs: list[str]
    bounds: Mapping[str, Expected]
    changed: set[str] = field(default_factory=set)

    def of_pass(self, shader_pass: Pass) -> PassEffect:
        stored = self.session.plan.textures[shader_pass.output]
        blank = PassEffect(shader_pass.name, shader_pass.operator, stored.shape)
        if whole_range(stored.dtype) is not None:
            return dataclasses.replace(blank, message="Whole numbers: no storage of floats rounds them.")
        random = np.random.default_rng(_SEED)
        half = self._effect(shader_pass, _to_half)
        moved = self._effect(
            shader_pass, lambda a: a * (1.0 + random.choice((-_STEP, _STEP), a.shape)).astype(np.float32)
        )
        return dataclasses.replace(blank, half=half, unit=moved, condition=moved.of_largest / _STEP)

    def _effect(self, shader_pass: Pass, change: Callable[[Array], Array]) -> Effect:
        followers = [other for other in self.dependencies.followers(shader_pass.outputs) if other is not shader_pass]
        made = {key for other in (shader_pass, *followers) for key in other.outputs}
        read = {key for other in followers for key in other.reads}
        for key in self.originals:  # in the order of passes: what is put back takes its followers' validity away
            if key in read - made and (key in self.changed or not self.session.is_valid(key)):
                self.session.inject(key, self.originals[key])
                self.changed.discard(key)
        with np.errstate(all="ignore"):
            for key in shader_pass.outputs:
                self.session.inject(key, change(self.originals[key]))
        for other in followers:
            self.session.run_pass(other.name)
        self.changed |= made
        return max((self._of_output(key) for key in self.outputs if key in made), key=_size, default=_NONE)

    def _of_output(self, key: str) -> Effect:
        before, after = self.originals[key], self.session.tensor(key)
        tensor = self.session.plan.textures[key].tensor
        known = self.bounds.get(tensor)
        bound = known.bound if known is not None else None
        figures = measure(after, Expected(before, bound))
        return Effect(
            tensor, figures.max_abs, of_largest(after, before), None if bound is None else figures.bound_ratio
        )


_NONE = Effect("", 0.0, 0.0, None)


def _size(effect: Effect) -> float:
    return math.inf if math.isnan(effect.of_largest) else effect.of_largest


def _to_half(values: Array) -> Array:
    return values.astype(np.float16).astype(np.float32)


_HEADINGS = ("pass", "operator", "shape", "in half: of largest", "max |change|", "change/bound", "condition")
_GAP = "  "
_LEAST_NAME, _WIDEST_OPERATOR = 16, 26


def render(found: Sensitivity, width: int | None = None) -> str:
    """Formats the table in rows of at most `width` letters, with a sentence of conclusion."""
    rows = [_HEADINGS]
    for each in found.passes:
        condition = f"{each.condition:.3g}" if each.condition is not None else ""
        shape = "x".join(map(str, each.shape)) or "scalar"
        operator = in_cell(short_operator(each.operator, _WIDEST_OPERATOR))
        rows.append((in_cell(each.name), operator, shape, *_figures(each.half), condition))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    if width is not None:
        room = width - (sum(widths) + len(_GAP) * (len(widths) - 1) - widths[0])
        widths[0] = min(widths[0], max(room, _LEAST_NAME))
    lines = []
    for row in rows:
        cells = [cut(cell, widths[i], beginning=BEGINNING) for i, cell in enumerate(row)]
        padded = [c.ljust(widths[i]) if i < 3 else c.rjust(widths[i]) for i, c in enumerate(cells)]
        lines.append(_GAP.join(padded).rstrip())
    return "\n".join([*lines, "", _sentence(found)])


def _figures(effect: Effect | None) -> tuple[str, str, str]:
    if effect is None:
        return "", "", ""
    ratio = "" if effect.bound_ratio is None else ratio_text(effect.bound_ratio)
    return f"{effect.of_largest:.1e}", f"{effect.max_abs:.1e}", ratio


def _sentence(found: Sensitivity) -> str:
    measured = [each for each in found.passes if each.half is not None]
    if not measured:
        return "No pass has floats to round."
    first = measured[0]
    assert first.half is not None
    late = [each.message for each in found.passes if each.message.startswith(LATE)]
    left = f" {len(late)} of {len(found.passes)} passes, the first ones, are not among these. {late[0]}" if late else ""
    return one_line(
        f"In half precision alone '{in_cell(first.name)}' moves the outputs most, by {first.half.of_largest:.1e} of "
        f"their largest value: keep it in 32 bits first.{left}"
    )
