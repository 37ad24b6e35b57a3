"""What TensorFlow.js's fused kernels do to a sum before they store it: a bias, an activation."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError

_PLAIN = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh"}


def finished(step: NodeBuilder, tensor: str, *, image: bool) -> str:
    """The tensor with the program's bias and activation; `image` says that it is n, c, h, w."""
    read = step.image if image else step.plain
    if step.program.read("bias") is not None:
        tensor = step.add("Add", tensor, read("bias"))
    if "activation(" not in step.text:
        return tensor
    kind = step.attribute("activation", "linear")
    if kind in _PLAIN:
        return step.add(_PLAIN[kind], tensor)
    if kind == "elu":
        return step.add("Elu", tensor, alpha=1.0)
    if kind == "relu6":
        return step.add("Clip", tensor, *(step.constant(np.array(end, dtype=np.float32)) for end in (0.0, 6.0)))
    if kind == "leakyrelu":
        return step.add("LeakyRelu", tensor, alpha=float(step.attribute("leakyreluAlpha", 0.2)))
    if kind == "prelu":
        return step.add("PRelu", tensor, read("preluActivationWeights"))
    if kind == "linear":
        return tensor
    raise NoMeaningError(str(kind))
