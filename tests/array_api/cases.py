"""Draws calls by name of the standard: arguments and keywords, arrays as numpy has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.array_api.drawn import ALL, FULL, NUMERIC, REAL, TRUTH, WHOLE, WITH_AXES, Drawn

Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]
Draw = Callable[[Drawn], Arguments]


class Type(str):
    """The name of a type, that each namespace has an object for."""


class Outside:
    """An array that stays one of numpy."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


def _one(types: Any = NUMERIC, **options: Any) -> Draw:
    return lambda drawn: ((drawn.array(types, **options),), {})


def _two(types: Any = NUMERIC, **options: Any) -> Draw:
    return lambda drawn: (drawn.pair(types, **options), {})


def _divided(drawn: Drawn) -> Arguments:
    x, y = drawn.pair(NUMERIC)
    return (x, y if np.all(y) else np.where(y == 0, 3, y).astype(x.dtype)), {}


def _raised(drawn: Drawn) -> Arguments:
    x, y = drawn.pair(NUMERIC, low=0, high=4)
    return (x + np.ones((), x.dtype), y), {}


def _shifted(drawn: Drawn) -> Arguments:
    x, y = drawn.pair(WHOLE, low=0, high=8)
    return (x, y), {}


def _joined(types: Any, *, empty: bool = True, **more: Callable[[Drawn], Any]) -> Draw:
    def draw(drawn: Drawn) -> Arguments:
        x = drawn.array(types, low=-3, high=3) if empty else drawn.array(types, FULL)
        return (x,), {"axis": drawn.axes(x), "keepdims": drawn.truth(), **{k: v(drawn) for k, v in more.items()}}

    return draw


def _unstacked(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, WITH_AXES)
    return (x,), {"axis": drawn.axis(x)}


def _running(drawn: Drawn) -> Arguments:
    x = drawn.array(NUMERIC, WITH_AXES, low=-2, high=2)
    return (x,), {"axis": None if x.ndim == 1 and drawn.truth() else drawn.axis(x), "include_initial": drawn.truth()}


def _place(drawn: Drawn) -> Arguments:
    x = drawn.array(NUMERIC, FULL)
    return (x,), {"axis": drawn.axis(x, none=True), "keepdims": drawn.truth()}


def _of_shape(*before: Any) -> Draw:
    return lambda drawn: (
        (drawn.one_of([3, 0, (2, 3), ()]), *before),
        {"dtype": drawn.one_of([None, *(Type(name) for name in ALL)])},
    )


def _like(*before: Any) -> Draw:
    return lambda drawn: (
        (drawn.array(ALL), *before),
        {"dtype": drawn.one_of([None, *(Type(name) for name in ALL)])},
    )


def _types(drawn: Drawn) -> Arguments:
    kinds = drawn.one_of([REAL, WHOLE, TRUTH])
    return tuple(drawn.one_of([Type(drawn.one_of(kinds)), drawn.array(kinds)]) for _ in range(2)), {}


def _cast(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, low=-9, high=9)
    return (x, Type(drawn.one_of(ALL))), {"copy": drawn.truth()}


def _dtype_kind(drawn: Drawn) -> Arguments:
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "numeric"]
    return (Type(drawn.one_of(ALL)), drawn.one_of([*kinds, tuple(kinds[:2]), Type("int64")])), {}


def _range(drawn: Drawn) -> Arguments:
    start, stop, step = drawn.one_of([(5, None, 1), (1, 9, 2), (4, -3, -2), (0.5, 2.5, 0.5), (3, 3, 1)])
    return (start, stop, step), {}


def _spaced(drawn: Drawn) -> Arguments:
    return (drawn.one_of([0, 1.5, -2]), drawn.one_of([1, 4.25])), {}


def _linspace(drawn: Drawn) -> Arguments:
    (start, stop), _ = _spaced(drawn)
    return (start, stop, drawn.one_of([0, 1, 5])), {"endpoint": drawn.truth(), "dtype": Type("float32")}


def _eye(drawn: Drawn) -> Arguments:
    return (drawn.one_of([0, 2, 3]), drawn.one_of([None, 2, 4])), {"k": drawn.one_of([-1, 0, 1])}


def _grid(drawn: Drawn) -> Arguments:
    types = (drawn.one_of(ALL),)
    arrays = [drawn.array(types, ((2,), (3,), (1,))) for _ in range(drawn.one_of([1, 2, 3]))]
    return tuple(arrays), {"indexing": drawn.one_of(["xy", "ij"])}


def _triangle(drawn: Drawn) -> Arguments:
    return (drawn.array(ALL, ((3, 3), (2, 4), (2, 3, 2))),), {"k": drawn.one_of([-1, 0, 1])}


def _where(drawn: Drawn) -> Arguments:
    x, y = drawn.pair(ALL)
    return (drawn.array(TRUTH, (x.shape,)), x, y), {}


def _clip(drawn: Drawn) -> Arguments:
    x, low = drawn.pair(NUMERIC)
    high = drawn.one_of([None, 5])
    return (x, low if high is None else np.minimum(low, 5)), {"max": high}


def _take(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((4,), (2, 3), (2, 1, 3)))
    axis = drawn.axis(x)
    return (x, drawn.array(("int64",), ((3,), (1,)), low=0, high=x.shape[axis] - 1)), {"axis": axis}


def _take_along(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((4,), (2, 3), (2, 1, 3)))
    axis = drawn.axis(x)
    shape = list(x.shape)
    shape[axis] = 2
    return (x, drawn.array(("int64",), (tuple(shape),), low=0, high=x.shape[axis] - 1)), {"axis": axis}


def _matrices(drawn: Drawn) -> Arguments:
    left, right = drawn.one_of(
        [((3, 4), (4, 2)), ((4,), (4, 2)), ((2, 3, 4), (4,)), ((3,), (3,)), ((2, 1, 2, 3), (5, 3, 1))]
    )
    types = (drawn.one_of(NUMERIC),)
    return (drawn.array(types, (left,)), drawn.array(types, (right,))), {}


def _tensordot(drawn: Drawn) -> Arguments:
    left, right, axes = drawn.one_of(
        [((2, 3), (3, 4), 1), ((2, 3, 4), (3, 4, 2), 2), ((2,), (3,), 0), ((2, 3, 4), (4, 5, 2), ((0, 2), (2, 0)))]
    )
    types = (drawn.one_of(NUMERIC),)
    return (drawn.array(types, (left,)), drawn.array(types, (right,))), {"axes": axes}


def _vecdot(drawn: Drawn) -> Arguments:
    left, right, axis = drawn.one_of([((3,), (3,), -1), ((2, 3), (3,), -1), ((3, 2), (3, 2), -2)])
    types = (drawn.one_of(NUMERIC),)
    return (drawn.array(types, (left,)), drawn.array(types, (right,))), {"axis": axis}


def _several(axis: Callable[[Drawn, np.ndarray], Any]) -> Draw:
    def draw(drawn: Drawn) -> Arguments:
        x = drawn.array(ALL)
        others = [drawn.array((x.dtype.name,), (x.shape,)) for _ in range(drawn.one_of([0, 1, 2]))]
        return ([x, *others],), {"axis": axis(drawn, x)}

    return draw


def _broadcast(drawn: Drawn) -> Arguments:
    x, shape = drawn.one_of([((3, 1), (2, 3, 4)), ((), (2, 2)), ((2, 3), (2, 3)), ((1,), (0,)), ((4,), (3, 4))])
    return (drawn.array(ALL, (x,)), shape), {}


def _reshape(drawn: Drawn) -> Arguments:
    before, after = drawn.one_of([((2, 3), (3, 2)), ((4,), (2, -1)), ((1,), ()), ((2, 0), (0, 5)), ((), (1, 1))])
    return (drawn.array(ALL, (before,)), after), {}


def _roll(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, WITH_AXES)
    axis = drawn.one_of([None, 0, -1, tuple(range(x.ndim))])
    return (x, (1,) * x.ndim if isinstance(axis, tuple) else drawn.one_of([0, 1, -2, 5])), {"axis": axis}


def _repeat(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((4,), (2, 3), (2, 1, 3)))
    axis = drawn.axis(x, none=True)
    count = x.size if axis is None else x.shape[axis]
    each = drawn.array(("int64",), ((count,),), low=0, high=3)
    return (x, drawn.one_of([2, 0, each])), {"axis": axis}


def _moved(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL, ((2, 3), (2, 1, 3)))
    return drawn.one_of([(x, 0, -1), (x, (0, 1), (1, 0)), (x, -1, 0)]), {}


def _expand(drawn: Drawn) -> Arguments:
    x = drawn.array(ALL)
    return (x, drawn.one_of(range(-x.ndim - 1, x.ndim + 1))), {}


def _squeeze(drawn: Drawn) -> Arguments:
    return drawn.one_of([(drawn.array(ALL, ((3, 1),)), 1), (drawn.array(ALL, ((1, 2, 1),)), (0, -1))]), {}


def _permute(drawn: Drawn) -> Arguments:
    return drawn.one_of([(drawn.array(ALL, ((2, 1, 3),)), (2, 0, 1)), (drawn.array(ALL, ((2, 3),)), (1, 0))]), {}


def _tile(drawn: Drawn) -> Arguments:
    return (drawn.array(ALL, ((4,), (2, 3), ())), drawn.one_of([(2,), (2, 1), (1, 2, 2), (0,)])), {}


def _sorted(drawn: Drawn) -> Arguments:
    x = drawn.array(NUMERIC, ((4,), (2, 3), (2, 1, 3), (2, 0)))
    return (x,), {"axis": drawn.axis(x), "descending": drawn.truth()}


def _search(drawn: Drawn) -> Arguments:
    types = (drawn.one_of(NUMERIC),)
    return (np.sort(drawn.array(types, ((4,), (1,)))), drawn.array(types, ((3,), (2, 2)))), {
        "side": drawn.one_of(["left", "right"])
    }


def _isin(drawn: Drawn) -> Arguments:
    types = (drawn.one_of(WHOLE),)
    # array-api-strict 2.6.1 forgets `invert`.
    return (drawn.array(types, low=-3, high=3), drawn.array(types, low=-3, high=3)), {"invert": False}


def _diff(drawn: Drawn) -> Arguments:
    x = drawn.array(NUMERIC, ((4,), (2, 3)))
    return (x,), {"axis": drawn.axis(x), "n": drawn.one_of([0, 1, 2]), "prepend": drawn.one_of([None, x])}


_UNARY = {
    **dict.fromkeys(("abs", "negative", "positive", "ceil", "floor", "round", "trunc"), _one(NUMERIC, special=True)),
    **dict.fromkeys(("isfinite", "isinf", "isnan", "square"), _one(NUMERIC, special=True)),
    "sign": _one(NUMERIC),
    "signbit": _one(REAL),
    "reciprocal": _one(REAL, special=True),
    **dict.fromkeys(("sin", "cos", "tan"), _one(REAL, low=-3, high=3)),
    **dict.fromkeys(("exp", "expm1", "sinh", "cosh"), _one(REAL, low=-8, high=8)),
    **dict.fromkeys(("tanh", "atan", "asinh"), _one(REAL, special=True)),
    **dict.fromkeys(("asin", "acos", "atanh"), _one(REAL, low=-1, high=1)),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "sqrt"), _one(REAL, special=True)),
    "acosh": _one(REAL, low=1, high=16),
    "logical_not": _one(TRUTH),
    "bitwise_invert": _one((*WHOLE, *TRUTH)),
}
_BINARY = {
    **dict.fromkeys(("add", "subtract", "multiply"), _two(NUMERIC, special=True)),
    "divide": _two(REAL, special=True),
    **dict.fromkeys(("floor_divide", "remainder"), _divided),
    "pow": _raised,
    **dict.fromkeys(("equal", "not_equal"), _two(ALL, special=True)),
    **dict.fromkeys(("less", "less_equal", "greater", "greater_equal"), _two(NUMERIC, special=True)),
    **dict.fromkeys(("maximum", "minimum"), _two(NUMERIC, special=True)),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), _two(TRUTH)),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), _two((*WHOLE, *TRUTH))),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), _shifted),
    **dict.fromkeys(("atan2", "hypot", "copysign"), _two(REAL, special=True)),
    "logaddexp": _two(REAL),
}
CASES: Mapping[str, Draw] = {
    **_UNARY,
    **_BINARY,
    "clip": _clip,
    "where": _where,
    "arange": _range,
    "asarray": lambda drawn: (
        (drawn.one_of([True, 3, 2.5, [[1, 2], [3, 4]], drawn.array(ALL)]),),
        {"dtype": drawn.one_of([None, *(Type(each) for each in ALL)])},
    ),
    "empty": lambda drawn: (((0, 3),), {"dtype": Type("float32")}),
    "empty_like": lambda drawn: ((drawn.array(ALL, ((0,), (2, 0))),), {}),
    **dict.fromkeys(("ones", "zeros"), _of_shape()),
    **dict.fromkeys(("ones_like", "zeros_like"), _like()),
    "full": _of_shape(1),
    "full_like": _like(1),
    "eye": _eye,
    "linspace": _linspace,
    "meshgrid": _grid,
    **dict.fromkeys(("tril", "triu"), _triangle),
    "from_dlpack": lambda drawn: ((Outside(drawn.array(ALL)),), {}),
    "astype": _cast,
    "can_cast": lambda drawn: ((_types(drawn)[0][0], Type(drawn.one_of(ALL))), {}),
    "finfo": lambda drawn: ((drawn.one_of([Type("float32"), drawn.array(REAL)]),), {}),
    "isdtype": _dtype_kind,
    "result_type": _types,
    "broadcast_arrays": lambda drawn: ((drawn.array(ALL), drawn.array(ALL, ((),))), {}),
    "broadcast_shapes": lambda drawn: (drawn.one_of([((2, 3), (3,)), ((1,), (0,)), ((), (4, 1))]), {}),
    "broadcast_to": _broadcast,
    "concat": _several(lambda drawn, x: drawn.axis(x, none=True)),
    "stack": _several(lambda drawn, x: drawn.one_of(range(-x.ndim - 1, x.ndim + 1))),
    "unstack": _unstacked,
    "expand_dims": _expand,
    "squeeze": _squeeze,
    "flip": lambda drawn: (lambda x: ((x,), {"axis": drawn.axes(x)}))(drawn.array(ALL)),
    "permute_dims": _permute,
    "moveaxis": _moved,
    "reshape": _reshape,
    "roll": _roll,
    "repeat": _repeat,
    "tile": _tile,
    "take": _take,
    "take_along_axis": _take_along,
    "matmul": _matrices,
    "tensordot": _tensordot,
    "vecdot": _vecdot,
    "matrix_transpose": _one(ALL, shapes=((2, 3), (2, 1, 3))),
    **dict.fromkeys(("argmax", "argmin"), _place),
    "nonzero": _one(ALL, shapes=WITH_AXES),
    "count_nonzero": _joined(ALL),
    "searchsorted": _search,
    "isin": _isin,
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), _one(ALL, low=-2, high=2)),
    **dict.fromkeys(("sort", "argsort"), _sorted),
    **dict.fromkeys(("cumulative_sum", "cumulative_prod"), _running),
    **dict.fromkeys(("max", "min"), _joined(NUMERIC, empty=False)),
    **dict.fromkeys(("sum", "prod"), _joined(NUMERIC)),
    **dict.fromkeys(("mean", "std", "var"), _joined(REAL, empty=False)),
    **dict.fromkeys(("all", "any"), _joined(ALL)),
    "diff": _diff,
}
