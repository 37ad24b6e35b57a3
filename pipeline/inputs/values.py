"""What numbers an input may hold: those of its element type, as far as a float texture keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.operators.element_types import is_narrow_float, whole_range
from texelscope.pipeline.plan import EXACT_INTEGERS, Plan, StoredTensor


def held(values: NDArray[Any], dtype: str) -> NDArray[Any]:
    """The numbers as a tensor of a narrow float `dtype` holds them; others as they are.

    A texture holds more, and passes would compute with what the model never sees.
    """
    if not is_narrow_float(dtype):
        return values
    with np.errstate(over="ignore"):  # what lies beyond is infinite there
        return np.asarray(values).astype(np.dtype(dtype)).astype(np.float32)


def checked_input(plan: Plan, name: str, array: NDArray[Any]) -> NDArray[Any]:
    """`array` as the input called `name` holds it.

    Raises TexelscopeError for an unknown name, a wrong shape, or numbers that the tensor's type cannot hold.
    """
    if name not in plan.inputs:
        raise TexelscopeError(f"input '{name}'", "an input of the model", "another name", nearest(name, plan.inputs))
    stored = plan.textures[name]
    array = np.asarray(array)
    if tuple(array.shape) != stored.shape:
        raise TexelscopeError(
            f"input '{name}'",
            f"shape {list(stored.shape)}",
            str(list(array.shape)),
            f"Resize it, or plan for another one with --shape {name}={','.join(map(str, array.shape))}.",
        )
    check_held(array, name, stored.dtype)
    return held(array, stored.dtype)


def checked_shape(key: str, stored: StoredTensor, array: NDArray[Any]) -> NDArray[Any]:
    """`array`, to be put in place of the tensor stored as `key`. Raises TexelscopeError for another shape than its."""
    if tuple(np.shape(array)) != stored.shape:
        raise TexelscopeError(
            f"tensor '{key}'",
            f"shape {list(stored.shape)}",
            str(list(np.shape(array))),
            "Inject an array of the tensor's shape.",
        )
    return np.asarray(array)


def check_values(values: NDArray[Any], name: str, dtype: str, source: str = "") -> None:
    """Raises TexelscopeError for NaN and infinities, and for numbers that an integer `dtype` does not hold."""
    who = f"input '{name}' ({source})" if source else f"input '{name}'"
    if not np.isfinite(values).all():
        first = np.argwhere(~np.isfinite(values))[0].tolist()
        raise TexelscopeError(
            who,
            "finite numbers",
            f"{np.count_nonzero(~np.isfinite(values))} NaN or infinite ones, the first at {first}",
            "Replace them; set_input() takes them if they are meant.",
        )
    check_held(values, name, dtype, source)


def check_held(values: NDArray[Any], name: str, dtype: str, source: str = "") -> None:
    """Raises TexelscopeError for numbers that an integer `dtype` or, being integers, a float texture does not hold."""
    who = f"input '{name}' ({source})" if source else f"input '{name}'"
    if values.dtype.kind in "iu" and values.size:
        largest = max(int(values.max()), int(values.min()), key=abs)
        if abs(largest) > EXACT_INTEGERS:
            raise TexelscopeError(
                who, f"integers up to {EXACT_INTEGERS}, exact in a float texture", str(largest), "Scale it down."
            )
    limits = whole_range(dtype)
    if limits is None:
        return
    low, high = limits
    wrong = ~((values == np.rint(values)) & (values >= low) & (values <= high))
    if wrong.any():
        raise TexelscopeError(
            who,
            f"whole numbers from {low} to {high}, of {dtype}",
            f"{values[wrong].flat[0]:g} at {np.argwhere(wrong)[0].tolist()}",
            "Round or scale them.",
        )
