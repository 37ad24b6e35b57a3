"""The weights of a convolution or product, read from other places of their texture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import StoredValues
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
_CONVOLUTIONS = ("convolution", "transposed")


def weight_tensor(case: FailingPass, node: str) -> str:
    """The name of the node's second input."""
    return next((each.inputs[1] for each in case.redo.nodes if each.name == node and len(each.inputs) > 1), "")


def becomes_weights(case: FailingPass, tensor: str) -> bool:
    """Whether the weights of a convolution, and not what it slides over, are made of a tensor."""
    nodes = [each for each in case.redo.nodes if facts_of(each).window in _CONVOLUTIONS and len(each.inputs) > 1]
    return any(
        _is_made_of(case, node.inputs[1], tensor) and not _is_made_of(case, node.inputs[0], tensor) for node in nodes
    )


def _is_made_of(case: FailingPass, name: str, tensor: str) -> bool:
    maker = case.redo.makers.get(name)
    return name == tensor or (maker is not None and any(_is_made_of(case, each, tensor) for each in maker.inputs))


def weighted_windows(case: FailingPass) -> Iterator[tuple[WindowSum, str, Array]]:
    """Windows whose weights are known: the window, the name of its weights, and their right values."""
    for window in case.windows():
        tensor = weight_tensor(case, window.node)
        value = case.redo.values.get(tensor)
        if window.weights is not None and value is not None and value.ndim >= 2:
            yield window, tensor, value


def weight_read(case: FailingPass, node: str) -> ReadTensor | None:
    """The node's weights as the pass reads them; None if they are built into the shader or computed in it."""
    return case.read_of(weight_tensor(case, node))


def right_values(case: FailingPass, tensor: str) -> StoredValues:
    """A constant's right values as they should lie in its texture: what the GPU holds may be wrong itself."""
    read = case.read_of(tensor)
    assert read is not None
    stored = read.values.stored
    texels = stored.layout.encode(np.asarray(case.redo.values[tensor]).reshape(stored.shape))
    return StoredValues(stored, texels, read.values.wrap)
