"""Serialises a probe page's data: shaders, constants, inputs and expected outputs, as JSON with base64 inside.

The page has no oracle. It runs each pass twice: after the passes before it, and on the inputs that it should have had,
where the bound is rigorous; the first pass that is wrong on those is the culprit. Causes come with the values that they
were found in here, on those same inputs.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout
from texelscope.layouts.outside_text import in_json
from texelscope.pipeline.compare.report import Finding
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.oracle.expected import Expected
from texelscope.pipeline.plan import Pass, Plan, StoredTensor
from texelscope.pipeline.planning.storage import PACKED
from texelscope.pipeline.probe.at_home import AtHome, Expectation, HomeRun, Values, expectation, in_float32
from texelscope.pipeline.probe.webgl_text import webgl_shaders

DEFAULT_MOST_MB = 64
_NUMBER_BYTES = 4
# A pass's output takes three arrays: its values, and two bounds.
_OF_RESULTS = 3

# Runs the target here: gets the expected values and how many bytes its own values may take.
LookAtHome = Callable[[Expectation, int], AtHome | None]


def contents(
    plan: Plan, inputs: Values, *, most_mb: int = DEFAULT_MOST_MB, look_at_home: LookAtHome | None = None
) -> str:
    """Returns the JSON of a page for `plan` with those inputs (by key, logical shape), safe inside a script element.

    `look_at_home` gets the expected values and how many bytes are left. Raises TexelscopeError for a pass that WebGL 2
    cannot run, for passes that read the frame before, and for more than `most_mb` megabytes.
    """
    if plan.not_run:
        missing = plan.not_run[0]
        raise TexelscopeError(
            plan.name, "a target of which every pass can run", f"{missing.operator} '{missing.name}'", missing.reason
        )
    if plan.frames.carried:
        carried = plan.frames.carried[0]
        got, advice = f"one that reads '{carried.of}' of it", "A page runs one frame: bind an [[input]]."
        raise TexelscopeError(plan.name, "passes that read nothing of the frame before", got, advice)
    shaders = {each.name: webgl_shaders(each) for each in plan.passes}
    total_bytes = _checked_bytes(plan, most_mb)
    expected = expectation(plan, inputs)
    home = look_at_home(expected, (most_mb << 20) - total_bytes) if look_at_home is not None else None
    held = {
        "version": 1,
        "target": plan.name,
        "textures": [_texture(stored, inputs, plan) for stored in plan.textures.values()],
        "passes": [_pass(each, plan, *shaders[each.name]) for each in plan.passes],
        "expected": _expected(plan, expected),
        "home": None if home is None else _home(plan, home),
    }
    return in_json(held, separators=(",", ":")).replace("<", "\\u003c")


def _checked_bytes(plan: Plan, most_mb: int) -> int:
    """Estimates the bytes of the page without the outputs of passes here."""
    total_bytes = 0
    for stored in plan.textures.values():
        height, width = stored.texture_shape
        times = _OF_RESULTS if stored.role == "activation" else 1
        total_bytes += height * width * stored.layout.lanes * _NUMBER_BYTES * times * 4 // 3
    if total_bytes > most_mb << 20:
        raise TexelscopeError(
            plan.name,
            f"a page of at most {most_mb} MB",
            f"{-(-total_bytes >> 20)} MB",
            "Take a smaller --shape, or more with --limit-mb, as far as the browser goes along.",
        )
    return total_bytes


def _texture(stored: StoredTensor, inputs: Values, plan: Plan) -> dict[str, Any]:
    if stored.layout.atlas or stored.quantization is not None or stored.storage in PACKED:
        steps = "in steps with a scale" if stored.quantization is not None else f"of {stored.storage}"
        what = f"in '{stored.layout.atlas}'" if stored.layout.atlas else steps
        raise TexelscopeError(
            f"tensor '{stored.key}'", "a tensor that a page of the probe can hold", f"one {what}",
            "Compare it here.",
        )  # fmt: skip
    height, width = stored.texture_shape
    value = inputs.get(stored.key) if stored.role == "input" else plan.constant(stored.tensor)
    held = {
        "key": stored.key,
        "role": stored.role,
        "shape": list(stored.shape),
        "layout": _layout(stored.layout),
        "width": width,
        "height": height,
        "lanes": stored.layout.lanes,
        "storage": stored.storage,
    }
    if stored.role != "activation":
        assert value is not None
        held["data"] = _base64(stored.layout.encode(np.asarray(value).reshape(stored.shape)))
    return held


def _layout(layout: Layout) -> str | dict[str, Any]:
    return {"name": layout.name, **layout.parameters} if layout.parameters else layout.name


def _pass(shader_pass: Pass, plan: Plan, vertex: str, fragment: str) -> dict[str, Any]:
    return {
        "name": shader_pass.name,
        "operator": shader_pass.operator,
        "outputs": list(shader_pass.outputs),
        "samplers": [
            {"uniform": sampler.uniform, "key": sampler.key, "filter": sampler.filter, "wrap": sampler.wrap}
            for sampler in shader_pass.samplers
        ],
        "uniforms": {name: _flat(value) for name, value in shader_pass.uniforms.items()},
        "vertex": vertex,
        "fragment": fragment,
        "files": {str(file.number): file.path for file in shader_pass.program.files},
        "inputs": [key for key in shader_pass.reads if plan.textures[key].role != "constant"],
    }


def _flat(value: Any) -> list[float | str]:
    """Returns a uniform's numbers; one that JSON cannot write by its name in JavaScript."""
    numbers = [float(number) for number in np.atleast_1d(np.asarray(value)).reshape(-1)]
    return [
        x if math.isfinite(x) else "NaN" if math.isnan(x) else "-Infinity" if x < 0 else "Infinity" for x in numbers
    ]


def _expected(plan: Plan, expected: Expectation) -> dict[str, dict[str, str]]:
    """Returns by key `value`, `bound` on the expected inputs, and `chained` from the target's inputs on.

    Texels, float32; bounds are -1 in padding. Tensors unknown to the oracle are left out.
    """
    known, isolated = expected.chained, expected.isolated
    found = {}
    for each in plan.passes:
        tolerance = plan.tolerances.get(each.name)
        for key in (key for key in each.outputs if key in known and key in isolated):
            value = in_float32(known[key])
            if tolerance is not None:
                bound = own = tolerance.atol + tolerance.rtol * np.abs(value.astype(np.float64))
            else:
                with np.errstate(all="ignore"):
                    apart = np.abs(np.asarray(isolated[key].value, dtype=np.float64) - value)
                own = _bound(isolated[key]) + np.where(np.isfinite(apart), apart, 0.0)
                bound = _bound(known[key])
            layout = plan.textures[key].layout
            found[key] = {
                "value": _base64(layout.encode(value)),
                "bound": _base64(layout.encode(own, padding=-1.0)),
                "chained": _base64(layout.encode(bound, padding=-1.0)),
            }
    return found


def _home(plan: Plan, home: AtHome) -> dict[str, Any]:
    """Describes the driver here, and by pass its outputs; `values` as texels, of wrong passes alone."""
    return {
        "renderer": home.renderer,
        "passes": {name: [_way(plan, way) for way in ways] for name, ways in home.ways.items()},
    }


def _way(plan: Plan, way: HomeRun) -> dict[str, Any]:
    return {
        "highp": way.in_full_precision,
        "wrong": way.is_wrong,
        "values": {key: _base64(plan.textures[key].layout.encode(value)) for key, value in way.values.items()},
        "findings": [_finding(found) for found in way.findings],
        "message": way.message,
    }


def _finding(found: Finding) -> dict[str, Any]:
    return {
        "cause": found.cause,
        "parameters": ", ".join(f"{name} = {value}" for name, value in found.parameters.items()),
        "explained": max(0.0, min(float(found.explained), 1.0)),
        "place": found.place,
        "evidence": found.evidence,
        "remedy": found.remedy,
    }


def _bound(expected: Expected) -> NDArray[np.float64]:
    shape = np.shape(expected.value)
    return np.zeros(shape) if expected.bound is None else np.broadcast_to(expected.bound, shape)


def _base64(values: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")
