"""Implements DFT and STFT: the discrete Fourier transform along an axis, and the spectra of the windows of a signal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Composite, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma


@dataclass(frozen=True)
class _Transform:
    """Describes `terms` elements of the axis, of a signal of `length`; `inner` elements lie between two of them."""

    axis: int
    length: int
    terms: int
    inner: int
    parts: int
    inverse: bool
    mirrored: bool


class DFT(Operator):
    """Computes the discrete Fourier transform."""

    op_types = ("DFT",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Sums the whole axis, with sines and cosines from a table."""
        form = _transform(call)
        constants: dict[str, Constant] = {
            "AXIS_COUNT": call.shape(0)[form.axis],
            "INNER_COUNT": form.inner,
            "PARTS": form.parts,
            "OUT_COUNT": call.output_shape()[form.axis],
            "OUT_PARTS": call.output_shape()[-1],
            "LENGTH": form.length,
            "TERMS": form.terms,
            "MIRRORED": form.mirrored,
            "SIGN": 1.0 if form.inverse else -1.0,
            "FACTOR": 1.0 / form.length if form.inverse else 1.0,
        }
        angles = 2.0 * np.pi * np.arange(form.length) / form.length
        table = np.stack((np.cos(angles), np.sin(angles))).astype(np.float32)
        reads = {"X": call.node.inputs[0]}
        tables = MappingProxyType({"TABLE": table})
        return Kernel(("dft.glsl",), reads, MappingProxyType(constants), tables=tables, turns=form.terms)

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by γ over the terms of both parts in the shader; the oracle's fast transform rounds log₂ n times."""
        form = _transform(call)
        x = np.abs(np.asarray(evaluation.inputs[0], dtype=np.float64))
        rounds = gamma(2 * form.terms + 8, evaluation.unit) + gamma(
            8.0 * math.log2(form.length + 1) + 8, evaluation.unit
        )
        bound = rounds * self._sum(call, form, x, 1) + form.terms * SMALLEST_NORMAL
        error = evaluation.errors[0]
        if error is not None:
            power = 2 if evaluation.quadrature else 1
            bound = bound + self._sum(call, form, np.asarray(error, dtype=np.float64), power)
        return np.broadcast_to(bound, evaluation.output.shape)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns both parts of every element of the axis that counts."""
        form, shape = _transform(call), call.shape(0)
        place = list(np.unravel_index(element, call.output_shape()))
        outer = int(np.ravel_multi_index(place[: form.axis], shape[: form.axis])) if form.axis else 0
        inner = int(np.ravel_multi_index(place[form.axis + 1 : -1], shape[form.axis + 1 : -1])) if form.inner > 1 else 0
        n = np.arange(form.terms, dtype=np.int64)
        first = ((outer * shape[form.axis] + n) * form.inner + inner) * form.parts
        return {0: (first[:, None] + np.arange(form.parts)).reshape(-1)}

    def table_reads(self, call: Call, element: int) -> Mapping[str, NDArray[np.int64]]:
        """Returns cosine and sine of each term's angle."""
        form = _transform(call)
        k = int(np.unravel_index(element, call.output_shape())[form.axis])
        steps = np.unique(k * np.arange(form.terms, dtype=np.int64) % form.length)
        return {"TABLE": np.concatenate((steps, form.length + steps))}

    def _sum(self, call: Call, form: _Transform, sizes: Array, power: int) -> NDArray[np.float64]:
        """Returns sizes to a power, summed over the axis and both parts, the root of that power, with the axes kept."""
        used = np.take(sizes, np.arange(form.terms), axis=form.axis) ** power
        factor = (2.0 if form.mirrored else 1.0) / (form.length if form.inverse else 1.0)
        return np.asarray(factor * used.sum(axis=(form.axis, used.ndim - 1), keepdims=True) ** (1.0 / power))


def _transform(call: Call) -> _Transform:
    shape = call.shape(0)
    rank = len(shape)
    if call.node.opset >= 20:
        axis = int(call.required_constant(2, "an axis").reshape(())) if call.has(2) else -2
    else:
        axis = int(call.attribute("axis", 1))
    axis %= rank
    inverse, onesided = bool(call.attribute("inverse", 0)), bool(call.attribute("onesided", 0))
    mirrored = inverse and onesided
    length = 2 * (shape[axis] - 1) if mirrored else shape[axis]
    if call.has(1):
        length = int(call.required_constant(1, "a length").reshape(()))
    terms = min(shape[axis], length // 2 + 1 if mirrored else length)
    return _Transform(axis, length, terms, math.prod(shape[axis + 1 : -1]), shape[-1], inverse, mirrored)


class Stft(Composite):
    """Weights windows of the signal, and computes the discrete Fourier transform of each."""

    op_types = ("STFT",)

    def passes(self, call: Call) -> Rewrite:
        """Returns frames, the product with the window if there is one, and DFT along each frame."""
        name, signal = call.node.name, call.info(0)
        step = int(call.required_constant(1, "a step").reshape(()))
        has_window = call.has(2)
        length = call.shape(2)[0] if has_window else int(call.required_constant(3, "a frame's length").reshape(()))
        batch, frames = call.output_shape()[:2]
        shape = (batch, frames, length, signal.shape[2] if len(signal.shape) > 2 else 1)
        passes, x = Passes(name), signal.name
        if len(signal.shape) == 2:
            target = passes.constant("signal/shape", np.array((*signal.shape, 1), dtype=np.int64))
            x = passes.add_onnx("Reshape", (x, target), TensorInfo(f"{name}/signal", (*signal.shape, 1)), allowzero=0)
        x = passes.add("Frames", (x,), TensorInfo(f"{name}/frames", shape), step=step, length=length)
        if has_window:
            column = passes.constant("column", np.array((length, 1), dtype=np.int64))
            inputs = (call.node.inputs[2], column)
            window = passes.add_onnx("Reshape", inputs, TensorInfo(f"{name}/window", (length, 1)), allowzero=0)
            x = passes.add_onnx("Mul", (x, window), TensorInfo(f"{name}/weighted", shape))
        onesided = int(call.attribute("onesided", 1))
        passes.add_onnx("DFT", (x,), call.output_info(), axis=2, onesided=onesided, inverse=0)
        return passes.rewrite()


OPERATORS = (DFT(), Stft())
