"""STFT: the spectra of the windows of a signal."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.graph import TensorInfo
from texelscope.pipeline.operators.base import Call, Composite, Rewrite
from texelscope.pipeline.operators.rewriting import Passes


class Stft(Composite):
    """Windows of the signal, weighted, and the discrete Fourier transform of each."""

    op_types = ("STFT",)

    def passes(self, call: Call) -> Rewrite:
        """Frames, the product with the window if there is one, and DFT along each frame."""
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


OPERATORS = (Stft(),)
