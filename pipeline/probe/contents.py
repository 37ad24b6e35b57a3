"""What a probe page holds: shaders, constants, inputs, and what every pass should give, as JSON with base64 inside.

The page has no oracle. It runs each pass twice: after the passes before it, and on the inputs that it should have had,
whose result has a rigorous bound; the first pass that is wrong on those is the culprit.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layouts import Layout
from pipeline.compare.capture import Capture
from pipeline.compare.comparer import Comparer
from pipeline.device import Device
from pipeline.errors import TexelscopeError
from pipeline.oracle.expected import Expected
from pipeline.plan import Pass, Plan, StoredTensor
from pipeline.planning.storage import components, values_of
from pipeline.probe.webgl_text import webgl_shaders

DEFAULT_MOST_MB = 64
_NUMBER_BYTES = 4
# What a pass makes is there three times: its values, and two bounds.
_OF_RESULTS = 3

Values = Mapping[str, NDArray[np.float32]]


def contents(plan: Plan, inputs: Values, *, most_mb: int = DEFAULT_MOST_MB) -> str:
    """The JSON of a page for `plan` with those inputs (by key, logical shape), safe inside a script element.

    Raises TexelscopeError for a pass that WebGL 2 cannot run, and for more than `most_mb` megabytes.
    """
    if plan.not_run:
        missing = plan.not_run[0]
        raise TexelscopeError(
            plan.name, "a target of which every pass can run", f"{missing.operator} '{missing.name}'", missing.reason
        )
    shaders = {each.name: webgl_shaders(each) for each in plan.passes}
    _check_size(plan, most_mb)
    held = {
        "version": 1,
        "target": plan.name,
        "textures": [_texture(stored, inputs, plan) for stored in plan.textures.values()],
        "passes": [_pass(each, plan, *shaders[each.name]) for each in plan.passes],
        "expected": _expected(plan, inputs),
    }
    return json.dumps(held, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _check_size(plan: Plan, most_mb: int) -> None:
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


def _texture(stored: StoredTensor, inputs: Values, plan: Plan) -> dict[str, Any]:
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


def _pass(each: Pass, plan: Plan, vertex: str, fragment: str) -> dict[str, Any]:
    return {
        "name": each.name,
        "operator": each.operator,
        "outputs": list(each.outputs),
        "samplers": [
            {"uniform": sampler.uniform, "key": sampler.key, "filter": sampler.filter, "wrap": sampler.wrap}
            for sampler in each.samplers
        ],
        "uniforms": {name: _flat(value) for name, value in each.uniforms.items()},
        "vertex": vertex,
        "fragment": fragment,
        "files": {str(file.number): file.path for file in each.program.files},
        "inputs": [s.key for s in each.samplers if plan.textures[s.key].role != "constant"],
    }


def _flat(value: Any) -> list[float | int]:
    """A uniform's numbers."""
    return [number.item() for number in np.atleast_1d(np.asarray(value)).reshape(-1).astype(float)]


def _expected(plan: Plan, inputs: Values) -> dict[str, dict[str, str]]:
    """By key `value`, `bound` on the inputs that are expected, and `chained` from the target's inputs on.

    Texels, float32; bounds are -1 in padding. A tensor that the oracle does not know is not among them.
    """
    comparer = Comparer(plan)
    chained = comparer.expected({plan.textures[key].tensor: value for key, value in inputs.items()})
    known = {key: chained[stored.tensor] for key, stored in plan.textures.items() if stored.tensor in chained}
    tensors = {key: _as_stored(plan.textures[key], expected) for key, expected in known.items()}
    device = Device("expected", "")
    comparer.compare(Capture(plan.name, device, MappingProxyType({**tensors, **inputs}), {}, {}))
    isolated = comparer.isolated_values()
    found = {}
    for each in plan.passes:
        tolerance = plan.tolerances.get(each.name)
        for key in (key for key in each.outputs if key in known and key in isolated):
            value = _in_float32(known[key])
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


def _bound(expected: Expected) -> NDArray[np.float64]:
    shape = np.shape(expected.value)
    return np.zeros(shape) if expected.bound is None else np.broadcast_to(expected.bound, shape)


def _in_float32(expected: Expected) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        return np.asarray(expected.value, dtype=np.float32)


def _as_stored(stored: StoredTensor, expected: Expected) -> NDArray[np.float32]:
    """The tensor as the page uploads it."""
    return values_of(components(_in_float32(expected).reshape(stored.shape), stored.storage), stored.storage)


def _base64(values: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")
