"""Provides tensors to compute with on the GPU, with gradients; nothing is read back until it is requested.

```python
from texelscope.pipeline.tensors import Tensor, no_grad

w = Tensor([[0.5], [-1.0]], requires_grad=True)
loss = (Tensor([[1.0, 2.0]]) @ w).relu().mean()
loss.backward()
print(w.grad.numpy())
```

Every call is an ONNX operator, or a few of them, planned once for its shapes and run as passes on the textures of
its tensors. Names and conventions are PyTorch's, and where it has another name for it too, the Python array API's.
"""

from __future__ import annotations

from texelscope.pipeline.tensors.apply import apply, apply_several, no_grad
from texelscope.pipeline.tensors.joining import (
    arange,
    concat,
    full,
    full_like,
    gather,
    maximum,
    minimum,
    ones,
    ones_like,
    pad,
    stack,
    take,
    where,
    zeros,
    zeros_like,
)
from texelscope.pipeline.tensors.losses import cross_entropy, mse_loss
from texelscope.pipeline.tensors.running.device import Device, default_device, headless_device
from texelscope.pipeline.tensors.tensor import Tensor
from texelscope.pipeline.tensors.windows import (
    avg_pool,
    conv,
    conv_transpose,
    max_pool,
    non_maximum_suppression,
    normalise,
    resize,
)

__all__ = [
    "Device",
    "Tensor",
    "apply",
    "apply_several",
    "arange",
    "avg_pool",
    "concat",
    "conv",
    "conv_transpose",
    "cross_entropy",
    "default_device",
    "full",
    "full_like",
    "gather",
    "headless_device",
    "max_pool",
    "maximum",
    "minimum",
    "mse_loss",
    "no_grad",
    "non_maximum_suppression",
    "normalise",
    "ones",
    "ones_like",
    "pad",
    "resize",
    "stack",
    "take",
    "where",
    "zeros",
    "zeros_like",
]
