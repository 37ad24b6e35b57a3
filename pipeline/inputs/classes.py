"""Classes as whole numbers: which ones a loss can take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import TexelscopeError

# A target of this class counts nothing (torch.nn.functional.cross_entropy).
IGNORED = -100


def check_classes(who: str, classes: NDArray[Any], count: int, ignored: int = IGNORED) -> None:
    """Raises TexelscopeError, with the first place, for one that is not from 0 to `count` − 1, nor `ignored`."""
    wrong = ((classes < 0) | (classes >= count)) & (classes != ignored)
    if wrong.any():
        place = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        at = f" at {[int(each) for each in place]}" if place else ""
        expected = f"classes from 0 to {count - 1}, or {ignored} for what counts nothing"
        raise TexelscopeError(who, expected, f"{classes[place]:g}{at}", "Correct the target.")
