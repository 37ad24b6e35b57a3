"""Traces a function of a pipeline file as a graph: runs it once on arrays that record each operation as a node.

Operations that move elements are recognised by moving element numbers, whatever they are called. A function that
branches on values, or uses an operation without a node, has no graph; nor has one whose graph gives other values than
it does.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.diagnose.tracing.recognised import recognised
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.model_file.continued import continued
from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan

Array = NDArray[Any]

_LOG = logger(__name__)
# More nodes come from loops over elements; with more left after simplification every later step is too slow.
_MOST_NODES, _MOST_LEFT = 100, 24
# Numbers of elements start at the one and then at the other; all are exact in float32.
_FIRST, _SECOND = 1 << 22, 1 << 23
_NEAR = 1e-4
_UFUNCS = {
    "add": "Add", "subtract": "Sub", "multiply": "Mul", "divide": "Div", "true_divide": "Div", "negative": "Neg",
    "power": "Pow", "float_power": "Pow", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "tanh": "Tanh", "sin": "Sin",
    "cos": "Cos", "tan": "Tan", "sinh": "Sinh", "cosh": "Cosh", "arctan": "Atan", "absolute": "Abs", "fabs": "Abs",
    "maximum": "Max", "fmax": "Max", "minimum": "Min", "fmin": "Min", "floor": "Floor", "ceil": "Ceil",
    "rint": "Round", "sign": "Sign", "reciprocal": "Reciprocal", "greater": "Greater", "less": "Less",
    "greater_equal": "GreaterOrEqual", "less_equal": "LessOrEqual", "equal": "Equal", "logical_and": "And",
    "bitwise_and": "And", "logical_or": "Or", "bitwise_or": "Or", "logical_not": "Not", "invert": "Not",
    "matmul": "MatMul",
}  # fmt: skip
_REDUCTIONS = {"sum": "ReduceSum", "mean": "ReduceMean", "max": "ReduceMax", "amax": "ReduceMax", "min": "ReduceMin",
               "amin": "ReduceMin", "prod": "ReduceProd"}  # fmt: skip
_CALLED = frozenset({"where", "dot", "einsum", "cumsum"})
_MADE = frozenset({"zeros", "ones", "empty", "full"})
_TAKEN = frozenset({"array", "asarray", "ascontiguousarray"})


def with_graph(plan: Plan, shader_pass: Pass, given: Mapping[str, Array]) -> Plan:
    """Returns the plan, if it has no graph, with that of the pass's function where it has one; `given` as below."""
    return plan if plan.graph is not None else dataclasses.replace(plan, graph=traced(plan, shader_pass, given))


def traced(plan: Plan, shader_pass: Pass, given: Mapping[str, Array]) -> Graph | None:
    """Returns the graph of the pass's first output over the tensors it reads, `given` by name; None for no graph."""
    if plan.oracle_file is None or not plan.oracle_file.trusted or shader_pass.output not in plan.oracle_file.functions:
        return None
    try:
        return _traced(plan, shader_pass, given)
    except Exception:  # noqa: BLE001 - whatever a function does that cannot be written down, it stays a function
        _LOG.debug("tracing '%s'", shader_pass.name, exc_info=True)
        return None


def _traced(plan: Plan, shader_pass: Pass, given: Mapping[str, Array]) -> Graph | None:
    tracer, stored = _Tracer(shader_pass.name), {key: plan.textures[key] for key in shader_pass.reads}
    values = {
        key: np.asarray(given[tensor.tensor], dtype=np.float64).reshape(tensor.shape) for key, tensor in stored.items()
    }
    arrays = {key: _Traced(tracer, value, stored[key].tensor) for key, value in values.items()}
    oracle = FunctionOracle(plan, numpy=_Numpy(tracer))
    made = tracer.of(oracle.made(shader_pass, shader_pass.output, arrays))
    output = plan.textures[shader_pass.output].tensor
    if made.shape != plan.textures[shader_pass.output].shape:
        return None
    tracer.writer.outputs = (output,)
    tracer.writer.result(0, tracer.name(made))
    tensors = {tensor.tensor: TensorInfo(tensor.tensor, tensor.shape) for tensor in stored.values()}
    base = Graph(shader_pass.name, (), MappingProxyType(tensors), tuple(tensors), (), {})
    graph = continued(base, tracer.writer.nodes(), [output], shader_pass.name)
    held = {tensor.tensor for tensor in stored.values() if tensor.role == "constant"}
    constants = {name: given[name].reshape(tensors[name].shape) for name in held & {*graph.inputs}}
    graph = dataclasses.replace(
        graph,
        inputs=tuple(name for name in graph.inputs if name not in held),
        constants=MappingProxyType({**graph.constants, **constants}),
    )
    graph = recognised(graph)
    return graph if len(graph.nodes) <= _MOST_LEFT and _is_same(plan, shader_pass, graph, stored, values) else None


def _is_same(
    plan: Plan, shader_pass: Pass, graph: Graph, stored: Mapping[str, Any], values: Mapping[str, Array]
) -> bool:
    """Whether the graph gives the function's values, for the given inputs and for the same values elsewhere."""
    oracle, functions, random = GraphOracle(graph), FunctionOracle(plan), np.random.default_rng(0)
    output = plan.textures[shader_pass.output].tensor
    for other in (values, {key: random.permutation(x.reshape(-1)).reshape(x.shape) for key, x in values.items()}):
        right = functions.result(shader_pass, shader_pass.output, other)
        got = oracle.isolated({stored[key].tensor: value.astype(np.float32) for key, value in other.items()}, output)
        if got is None or not np.allclose(got.value, right, _NEAR, _NEAR * np.abs(right).max(), equal_nan=True):
            return False
    return True


class _Tracer:
    """Records the nodes."""

    def __init__(self, name: str) -> None:
        self.writer = Writer(name, "oracle", (), (), {})
        self._count = 0

    def node(
        self, op_type: str, value: Any, *inputs: Any, by: tuple[int, ...] | int = (), **attributes: Any
    ) -> _Traced:
        """Adds a node, unless its operands are all known; `value` is its result for the given inputs.

        `by` is its second input: an integer, or several.
        """
        operands = [self.of(each) for each in inputs]
        if all(not each.made_by for each in operands):
            return _Traced(self, np.asarray(value))
        self._count += 1
        if self._count > _MOST_NODES:
            raise TexelscopeError(
                "a function", "a few operations", "a loop over elements", "Write it for whole arrays."
            )
        of_truths = all(each.value.dtype.kind == "b" for each in operands)
        if op_type != "Where" and not of_truths:
            operands = [self._real(each) for each in operands]
        names = [self.name(each) for each in operands]
        names[1:1] = [] if by == () else [self.writer.constant(by, "int64")]
        return _Traced(self, np.asarray(value), self.writer.add(op_type, *names, **attributes))

    def of(self, value: Any) -> _Traced:
        """Returns an array, or several in a list, as traced."""
        if isinstance(value, _Traced):
            return value
        if isinstance(value, list | tuple) and any(isinstance(each, _Traced) for each in value):
            stacked: _Traced = self.moved(lambda *parts: np.stack(parts), *value)
            return stacked
        return _Traced(self, np.asarray(value))

    def name(self, each: _Traced) -> str:
        """Returns the name of its tensor."""
        kind = "bool" if each.value.dtype.kind == "b" else "float32"
        return each.made_by or self.writer.constant(each.value, kind)

    def _real(self, each: _Traced) -> _Traced:
        if each.value.dtype.kind != "b" or not each.made_by:
            return each if each.made_by else _Traced(self, each.value.astype(np.float64))
        return _Traced(self, each.value.astype(np.float64), self.writer.add("Cast", each.made_by, to=1))

    def moved(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Records a function that moves elements, by applying it to the numbers of its arguments' elements."""
        leaves = list({id(each): each for each in _leaves(arguments) if each.made_by}.values())
        starts = np.cumsum([0, *(each.size for each in leaves)])

        def with_numbers(start: int) -> Any:
            numbers = {
                id(each): (np.arange(each.size) + start + at).reshape(each.shape).astype(np.float64)
                for each, at in zip(leaves, starts, strict=False)
            }
            return function(*_with(arguments, lambda each: numbers.get(id(each), each.value)))

        first, second, value = (
            with_numbers(_FIRST), with_numbers(_SECOND), function(*_with(arguments, lambda each: each.value.copy()))
        )  # fmt: skip
        if isinstance(first, list | tuple):
            return [self._gathered(leaves, *each) for each in zip(first, second, value, strict=True)]
        return self._gathered(leaves, first, second, value)

    def _gathered(self, leaves: list[_Traced], first: Any, second: Any, value: Any) -> _Traced:
        first, second, value = np.asarray(first), np.asarray(second), np.asarray(value)
        is_moved = first != second
        if not is_moved.any():
            return _Traced(self, value)
        number = np.where(is_moved, first - _FIRST, 0).astype(np.int64)
        count = sum(each.size for each in leaves)
        if ((second - first)[is_moved] != _SECOND - _FIRST).any() or number.min() < 0 or number.max() >= count:
            raise TypeError("more than moved")
        if len(leaves) == 1 and is_moved.all() and number.size == count:
            numbers, one = np.arange(count).reshape(leaves[0].shape), leaves[0]
            if np.array_equal(number.reshape(-1), numbers.reshape(-1)):
                return self.node("Reshape", value, one, by=number.shape)
            for order in itertools.permutations(range(one.ndim)) if one.ndim < 6 else ():
                if np.array_equal(numbers.transpose(order), number):
                    return self.node("Transpose", value, one, perm=order)
        filled = value[~is_moved]
        number[~is_moved] = count + np.arange(filled.size)
        flat = [self.writer.reshape(self.name(each), -1) for each in leaves]
        flat += [self.writer.constant(filled, "float32")] if filled.size else []
        joined = self.writer.add("Concat", *flat, axis=0) if len(flat) > 1 else flat[0]
        return _Traced(self, value, self.writer.add("Gather", joined, self.writer.constant(number, "int64"), axis=0))

    def called(self, function: Any, arguments: Any, options: Any) -> Any:
        """Records a numpy function that is no ufunc."""
        name = function.__name__
        if name in _REDUCTIONS or name in ("var", "std"):
            return self.reduced(name, self.of(arguments[0]), *arguments[1:], **options)
        value = function(*_with(arguments, _value), **_with(options, _value)) if name in _CALLED else None
        if name == "where" and len(arguments) == 3:
            return self.node("Where", value, *arguments)
        if name == "clip":
            low, high = (*arguments[1:], options.get("a_min"), options.get("a_max"))[:2]
            made = self.of(arguments[0])
            made = made if low is None else np.maximum(made, low)
            return made if high is None else np.minimum(made, high)
        if name in ("round", "around") and not (*arguments[1:], options.get("decimals", 0))[0]:
            return np.rint(self.of(arguments[0]))
        if name == "dot":
            return self.node("MatMul", value, *arguments)
        if name == "einsum":
            return self.node("Einsum", value, *arguments[1:], equation=arguments[0].replace(" ", ""))
        mode = (*arguments[2:], options.get("mode", "constant"))[0] if name == "pad" else None
        if mode in ("constant", "edge", "reflect", "wrap") and np.size(options.get("constant_values", 0.0)) == 1:
            x = self.of(arguments[0])
            by = np.broadcast_to(arguments[1], (x.ndim, 2)).T.reshape(-1).tolist()
            filled = np.reshape(options.get("constant_values", 0.0), ())
            return self.node("Pad", function(x.value, *arguments[1:], **options), x, filled, by=tuple(by), mode=mode)
        if name == "cumsum":
            x, axis = self.of(arguments[0]), (*arguments[1:], options.get("axis"))[0]
            return self.node("CumSum", value, x, by=int(axis))
        return self.moved(lambda of, more: function(*of, **more), arguments, options)

    def reduced(self, name: str, x: _Traced, axis: Any = None, *, keepdims: bool = False) -> _Traced:
        """Records a reduction along axes; `name` is numpy's, including `var` and `std`."""
        axes = tuple(range(x.ndim)) if axis is None else tuple(np.atleast_1d(axis).tolist())
        value = getattr(np, name)(x.value, axis=axes, keepdims=keepdims)
        if name in ("var", "std"):
            away = x - self.reduced("mean", x, axes, keepdims=True)
            mean = self.reduced("mean", away * away, axes, keepdims=keepdims)
            return mean if name == "var" else self.node("Sqrt", value, mean)
        return self.node(_REDUCTIONS[name], value, x, by=axes, keepdims=int(keepdims))


class _Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A stand-in for a numpy array, with its tensor's name; values known in advance have no tensor."""

    def __init__(self, tracer: _Tracer, value: Array, made_by: str = "") -> None:
        self.tracer, self.value, self.made_by = tracer, value, made_by

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)
    dtype = property(lambda self: self.value.dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        tracer, value = self.tracer, [_value(each) for each in inputs]
        if method == "reduce":
            name = {"add": "sum", "maximum": "max", "minimum": "min", "multiply": "prod"}[ufunc.__name__]
            return tracer.reduced(
                name, tracer.of(inputs[0]), options.get("axis", 0), keepdims=options.get("keepdims", False)
            )
        if method != "__call__" or options.keys() - {"out", "dtype", "casting"}:
            raise TypeError(f"{ufunc.__name__}.{method}")
        if ufunc.__name__ == "square":
            made = self * self
        elif ufunc.__name__ == "log1p":
            made = np.log(self + 1.0)
        elif ufunc.__name__ == "expm1":
            made = np.exp(self) - 1.0
        else:
            made = tracer.node(_UFUNCS[ufunc.__name__], ufunc(*value), *inputs)
        for out in options.get("out", ()):
            if isinstance(out, _Traced):  # as by `+=`
                out.value, out.made_by = made.value, made.made_by
                return out
        return made

    def __array_function__(self, function: Any, _types: Any, arguments: Any, options: Any) -> Any:
        return self.tracer.called(function, arguments, options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(name)
        if name == "T":
            return self.transpose()
        if name in _REDUCTIONS or name in ("var", "std", "clip", "dot", "cumsum", "round"):
            return lambda *arguments, **options: getattr(np, name)(self, *arguments, **options)
        return lambda *arguments, **options: self.tracer.moved(
            lambda x, of: np.array(getattr(x, name)(*of, **options)), self, arguments
        )

    def __getitem__(self, key: Any) -> Any:
        return self.tracer.moved(lambda x, at: x[at], self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        def put(x: Array, at: Any, value: Any) -> Array:
            x = np.array(x, dtype=np.float64)
            x[at] = value
            return x

        made = self.tracer.moved(put, self, key, value)
        self.value, self.made_by = made.value, made.made_by

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def __array__(self, *_: Any, **__: Any) -> Array:
        return self._known()

    def __bool__(self) -> bool:
        return bool(self._known())

    def __float__(self) -> float:
        return float(self._known())

    def __int__(self) -> int:
        return int(self._known())

    def __index__(self) -> int:
        return int(self._known())

    def _known(self) -> Array:
        if self.made_by:
            raise TypeError("a function that looks at values")
        return self.value


class _Numpy:
    """A stand-in for numpy whose new arrays can be written into."""

    def __init__(self, tracer: _Tracer) -> None:
        self._tracer = tracer

    def __getattr__(self, name: str) -> Any:
        found, tracer = getattr(np, name), self._tracer
        if name in _MADE:
            return lambda *arguments, **options: _Traced(tracer, found(*arguments, **options))
        if name in _TAKEN:
            return lambda x, *arguments, **options: (
                tracer.moved(np.array, x) if any(_leaves([x])) else found(x, *arguments, **options)
            )
        return found


def _value(each: Any) -> Any:
    return each.value if isinstance(each, _Traced) else each


def _leaves(value: Any) -> Iterator[_Traced]:
    if isinstance(value, _Traced):
        yield value
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)


def _with(value: Any, of: Callable[[_Traced], Array]) -> Any:
    if isinstance(value, _Traced):
        return of(value)
    if isinstance(value, dict):
        return {key: _with(each, of) for key, each in value.items()}
    return type(value)(_with(each, of) for each in value) if isinstance(value, list | tuple) else value
