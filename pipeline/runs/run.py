"""Defines a run by its tensors, to be saved in a file and compared with another one."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.deadline import check
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.operators.element_types import whole_range
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.plan import Plan, StoredTensor, Tolerance
from texelscope.pipeline.planning.storage import TEN_BITS
from texelscope.pipeline.quantization import STEPS
from texelscope.pipeline.untrusted_files import opened

# Two right evaluations of a float tensor differ by so many units of round-off of its largest value, hardly more.
_ROUNDINGS, _COARSE_ROUNDINGS = 256.0, 8.0
# A channel of 8 or 10 bits may differ by one step, and a half because each side rounds.
_STEPS = 1.5
# Of the shortest mantissa of r11g11b10.
_UNIT_OF_11_BITS = 2.0**-6


@dataclass(frozen=True)
class HeldTensor:
    """A pass's output, float32 in its logical shape. `name` is the plan's key of it; `made_by` names the pass.

    `scale` is the largest step of a tensor of 8 bits.
    """

    name: str
    made_by: str
    operator: str
    storage: str
    dtype: str
    values: NDArray[np.float32]
    scale: float = 1.0 / STEPS

    @property
    def tolerance(self) -> Tolerance:
        """How far another right run may be from this one by default: see `docs/reports.md`."""
        finite = np.abs(self.values[np.isfinite(self.values)])
        largest = float(finite.max(initial=0.0))
        limits = whole_range(self.dtype)
        if limits is not None:
            # A quantiser's code may round to the next one; other whole numbers are equal or wrong.
            return Tolerance(atol=1.0 if self.dtype in ("int8", "uint8") else 0.0)
        if self.storage == "uint8":
            return Tolerance(atol=_STEPS * self.scale)
        if self.storage == "rgb10_a2":  # of its colours
            return Tolerance(atol=_STEPS / TEN_BITS)
        unit = max(
            UNIT_ROUNDOFF.get(self.storage, _UNIT_OF_11_BITS), UNIT_ROUNDOFF.get(self.dtype, 0.0)
        )  # a narrow float may round apart, too
        share = unit * (_ROUNDINGS if unit <= UNIT_ROUNDOFF["float32"] else _COARSE_ROUNDINGS)
        return Tolerance(rtol=share, atol=share * largest)


@dataclass(frozen=True)
class Run:
    """Holds all results of one run. `settings` are the words it was opened with, `inputs` by key in logical shape."""

    target: str
    digest: str
    device: DeviceInfo
    settings: Mapping[str, str]
    inputs: Mapping[str, NDArray[np.float32]]
    outputs: tuple[str, ...]
    tensors: tuple[HeldTensor, ...]

    def find(self, name: str) -> HeldTensor | None:
        """Returns the tensor of that name."""
        return next((each for each in self.tensors if each.name == name), None)


def run_of(session: Session, digest: str, settings: Mapping[str, str]) -> Run:
    """Returns the session's tensors after a run, without passes that did not run."""
    plan = session.plan
    return Run(
        plan.name,
        digest,
        device_of(session.context),
        dict(settings),
        {key: session.tensor(key) for key in plan.inputs if session.is_valid(key)},
        plan.outputs,
        tuple(
            held_tensor(plan.textures[key], each.name, each.operator, session.tensor(key))
            for each in plan.passes
            for key in each.outputs
            if session.is_valid(key)
        ),
    )


def held_tensor(stored: StoredTensor, made_by: str, operator: str, values: NDArray[np.float32]) -> HeldTensor:
    """Returns the output of a pass as a run holds it."""
    found = HeldTensor(stored.key, made_by, operator, stored.storage, stored.dtype, values)
    return found if stored.quantization is None else dataclasses.replace(found, scale=max(stored.quantization.scales))


def digest_of(path: str, plan: Plan) -> str:
    """Returns the SHA-256 of a model's file, or of the shapes of a pipeline's tensors (shaders may change)."""
    if is_model(path):
        return digest_of_file(path)
    described: Any = sorted((key, plan.textures[key].shape) for key in (*plan.inputs, *plan.outputs))
    return hashlib.sha256(repr(described).encode()).hexdigest()


def is_model(path: str) -> bool:
    """Whether the target is a model's own file, whose inputs may have free dimensions."""
    return path.lower().endswith(".onnx")


def digest_of_file(path: str) -> str:
    """Returns the SHA-256 of a file. Raises TexelscopeError for one that cannot be read."""
    digest = hashlib.sha256()
    with opened(path) as file:
        while block := file.read(1 << 20):
            check()
            digest.update(block)
    return digest.hexdigest()
