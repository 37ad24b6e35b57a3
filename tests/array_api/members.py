"""The array object's own members, each as what it does in an expression, and what draws its operands."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.array_api.cases import CASES, Arguments, Draw
from tests.array_api.drawn import ALL, NUMERIC, REAL, TRUTH, WHOLE, Drawn

_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor", "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_COMPARISONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
_INDICES = (
    0, -1, slice(None, None, -1), slice(1, 1), (..., 0), (None, 0), (slice(None), 1), (), (1, slice(0, 2)),
    np.array([1, 0]), (np.array([1, 0]), np.array([2, 0])), (0, np.array([2, 0])),
)  # fmt: skip


@dataclass(frozen=True)
class Member:
    """`run` does with operands what the member is for; `draw` makes these."""

    run: Callable[..., Any]
    draw: Draw


def _python(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(operator, f"__{name}__")
    return found


def _turned(draw: Draw) -> Draw:
    """The second operand first, a number where it is one; nothing is divided by 0."""

    def drawn_so(drawn: Drawn) -> Arguments:
        (x, y), _ = draw(drawn)
        first = y.reshape(-1)[0].item() if isinstance(y, np.ndarray) and y.size else y
        return (first, x if x.dtype == bool else np.where(x == 0, 3, x).astype(x.dtype)), {}

    return drawn_so


def _squares(drawn: Drawn) -> Arguments:
    types = (drawn.one_of(NUMERIC),)
    return (drawn.array(types, ((2, 3, 3), (3, 3))), drawn.array(types, ((3, 3),))), {}


def _index(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((2, 3),))
    return (x, drawn.one_of([*_INDICES, drawn.array(TRUTH, ((2, 3), (2,)))])), {}


def _put(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


def _to_put(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((2, 3),))
    index = drawn.one_of([0, (1, 2), slice(None), (..., slice(0, 2)), x > 0 if x.dtype != bool else x])
    return (x, index, drawn.array((x.dtype.name,), ((),))), {}


def _scalar(types: Any) -> Draw:
    return lambda drawn: ((drawn.array(types, ((),)),), {})


def _any(drawn: Drawn) -> Arguments:
    return (drawn.array(ALL),), {}


def _two_axes(drawn: Drawn) -> Arguments:
    return (drawn.array(ALL, ((2, 3), (3, 1))),), {}


MEMBERS: Mapping[str, Member] = {
    **{f"__{name}__": Member(_python(name), CASES[of]) for name, of in (_OPERATORS | _COMPARISONS).items()},
    **{f"__i{name}__": Member(_python(f"i{name}"), CASES[of]) for name, of in _OPERATORS.items()},
    **{f"__r{name}__": Member(_python(name), _turned(CASES[of])) for name, of in _OPERATORS.items()},
    "__rmatmul__": Member(_python("matmul"), CASES["matmul"]),
    "__imatmul__": Member(_python("imatmul"), _squares),
    "__abs__": Member(abs, CASES["abs"]),
    "__neg__": Member(operator.neg, CASES["negative"]),
    "__pos__": Member(operator.pos, CASES["positive"]),
    "__invert__": Member(operator.invert, CASES["bitwise_invert"]),
    "__bool__": Member(bool, _scalar(ALL)),
    "__int__": Member(int, _scalar(NUMERIC)),
    "__float__": Member(float, _scalar(REAL)),
    "__complex__": Member(complex, _scalar(REAL)),
    "__index__": Member(operator.index, _scalar(WHOLE)),
    "__getitem__": Member(operator.getitem, _index),
    "__setitem__": Member(_put, _to_put),
    "__array_namespace__": Member(lambda x: x.__array_namespace__().asarray(x), _any),
    "__dlpack__": Member(np.from_dlpack, _any),
    "__dlpack_device__": Member(lambda x: tuple(map(int, x.__dlpack_device__())), _any),
    "T": Member(lambda x: x.T, _two_axes),
    "mT": Member(lambda x: x.mT, _two_axes),
    "device": Member(lambda x: x.device == x.to_device(x.device).device, _any),
    "dtype": Member(lambda x: x.dtype, _any),
    "ndim": Member(lambda x: x.ndim, _any),
    "shape": Member(lambda x: x.shape, _any),
    "size": Member(lambda x: x.size, _any),
    "to_device": Member(lambda x: x.to_device(x.device), _any),
}
