"""Cross entropy with classes as targets: which numbers are classes, and the loss as operators, whoever runs these."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError

# A target of this class counts nothing (torch.nn.functional.cross_entropy).
IGNORED = -100

T = TypeVar("T")


class RunOperator(Protocol[T]):
    """Makes of an operator of ONNX and its inputs, tensors and constants, its first output; `label` is what it is."""

    def __call__(self, op_type: str, *inputs: T | NDArray[Any], label: str, **attributes: Any) -> T:
        """The output."""
        ...


def check_classes(who: str, classes: NDArray[Any], count: int, ignored: int = IGNORED) -> None:
    """Raises TexelscopeError, with the first place, for one that is not from 0 to `count` − 1, nor `ignored`."""
    wrong = ((classes < 0) | (classes >= count)) & (classes != ignored)
    if wrong.any():
        place = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        at = f" at {[int(each) for each in place]}" if place else ""
        expected = f"classes from 0 to {count - 1}, or {ignored} for what counts nothing"
        raise TexelscopeError(who, expected, f"{classes[place]:g}{at}", "Correct the target.")


def losses_of_classes(
    run: RunOperator[T], logits: T, classes: T, count: int, axis: int, ignored: int = IGNORED
) -> tuple[T, T]:
    """−log of what softmax along `axis` gives each class that is the target's, else 0; and how many targets count.

    `classes`, whole numbers of the shape of `logits` without `axis`, are from 0 to `count` − 1; `ignored` makes 0. Of
    torch.nn.functional.cross_entropy the sum of the first along `axis` is reduction "none", that of all "sum", and that
    over the number "mean".
    """
    if -count <= ignored < count:  # OneHot counts from the end below 0
        is_ignored = run("Equal", classes, np.array(ignored, np.int64), label="is_ignored")
        classes = run("Where", is_ignored, np.array(count, np.int64), classes, label="classes")
    # −1 at the class: the sign of the loss.
    values = np.array([0.0, -1.0], np.float32)
    wanted = run("OneHot", classes, np.array([count], np.int64), values, label="wanted", axis=axis)
    logarithms = run("LogSoftmax", logits, label="logarithms", axis=axis)
    picked = run("Mul", logarithms, wanted, label="picked")
    return picked, run("Neg", run("ReduceSum", wanted, label="all_wanted", keepdims=0), label="counted")
