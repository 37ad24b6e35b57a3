"""Defines an operator: the shader that computes it, its rounding, and what an element reads.

An operator module lists its operators in `OPERATORS`; `pipeline.operators.families.registry` finds them. A shader
computes in logical coordinates (`float compute(ivec4 at)`, at = n, c, h, w of the output) and reads its
inputs through accessors named here; it never learns of a texture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.discovery import first_line
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo
from texelscope.pipeline.operators.facts import NOTHING, Facts, Rows

# Every compiler unrolls innermost loops with at most this many iterations.
UNROLLED = 3

Constant = int | float | bool | tuple[int, ...] | tuple[float, ...]
Array = NDArray[Any]
_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Call:
    """Provides a node in its graph to operators, with their usual queries."""

    node: Node
    graph: Graph
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def kept(self, what: str, make: Callable[[Call], _Made]) -> _Made:
        """Returns what is made of the node, by a name for it: once for all elements that one call is asked about."""
        if what not in self._kept:
            self._kept[what] = make(self)
        made: _Made = self._kept[what]
        return made

    @property
    def who(self) -> str:
        """Returns the name of the node in errors."""
        return f"{self.node.op_type} '{self.node.name}' ({self.graph.name})"

    def has(self, position: int) -> bool:
        """Reports whether the input at `position` is given."""
        return position < len(self.node.inputs) and bool(self.node.inputs[position])

    def info(self, position: int) -> TensorInfo:
        """Returns name, shape and dtype of the input at `position`. Raises UnsupportedError if it is omitted."""
        if not self.has(position):
            raise UnsupportedError(self.who, f"input {position}", "an omitted one", "Check the exporting script.")
        return self.graph.tensors[self.node.inputs[position]]

    def shape(self, position: int) -> Shape:
        """Returns the logical shape of the input at `position`."""
        return self.info(position).shape

    def output_info(self, position: int = 0) -> TensorInfo:
        """Returns name, shape and dtype of the output at `position`."""
        return self.graph.tensors[self.node.outputs[position]]

    def output_shape(self, position: int = 0) -> Shape:
        """Returns the logical shape of the output at `position`."""
        return self.output_info(position).shape

    def constant(self, position: int) -> Array | None:
        """Returns the value of the input at `position` if it is known before the run; None otherwise."""
        return self.graph.constants.get(self.node.inputs[position]) if self.has(position) else None

    def required_constant(self, position: int, meaning: str) -> Array:
        """Returns the value as `constant`; raises UnsupportedError if it depends on the run."""
        value = self.constant(position)
        if value is None:
            raise UnsupportedError(
                self.who,
                f"{meaning} known before the run",
                f"'{self.node.inputs[position]}', which depends on the input",
                "Make it an initializer of the model, or go on after the node with the oracle's value: --inject.",
            )
        return value

    def attribute(self, name: str, default: Any = None) -> Any:
        """Returns the attribute, the schema's default, or `default`."""
        return self.node.attributes.get(name, default)

    def axis(self, name: str = "axis", default: int = 0, rank: int | None = None) -> int:
        """Returns an axis attribute, counted from the front; the rank defaults to that of the first input."""
        rank = len(self.shape(0)) if rank is None else rank
        value = int(self.attribute(name, default))
        return value + rank if value < 0 else value


@dataclass(frozen=True)
class Kernel:
    """Describes one pass before layouts are chosen.

    `shaders` are files under `shaders/operators`, or absolute paths (see `beside`), in order; the first is the
    author's, later ones frame it. `reads` maps an accessor's name to a tensor, or, for an operator with any number of
    inputs, to a tuple of tensors read as `X_of(which, at)`. `constants` become compile-time constants of the shader.
    `filters` names the accessors that read convolution weights, which have their own layout. `tables` are arrays that
    the operator computes before the run (places and weights of taps), read through accessors like tensors.
    `may_be_hot` is false for a form that the faster versions beside a shader do not cover; `cold_in`
    names layouts whose own version does not. `turns` counts
    the loops' iterations for one element, at most; see `turns_of`.
    """

    shaders: tuple[str, ...]
    reads: Mapping[str, str | tuple[str, ...]]
    constants: Mapping[str, Constant] = field(default_factory=lambda: MappingProxyType({}))
    filters: frozenset[str] = frozenset()
    tables: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))
    may_be_hot: bool = True
    cold_in: frozenset[str] = frozenset()
    turns: int = 1

    def tensors(self) -> tuple[str, ...]:
        """Returns every tensor read, in accessor order."""
        names: list[str] = []
        for read in self.reads.values():
            names.extend([read] if isinstance(read, str) else read)
        return tuple(names)


def beside(module_file: str, name: str) -> str:
    """Returns the path, for `Kernel.shaders`, of a shader beside an operator's module with this `__file__`."""
    return str(Path(module_file).resolve().with_name(name))


def cold(covered: Mapping[str, bool]) -> frozenset[str]:
    """Returns the layouts whose own version of a shader does not cover a form: `Kernel.cold_in`."""
    return frozenset(layout for layout, is_covered in covered.items() if not is_covered)


def turns_of(*counts: int) -> int:
    """Counts the iterations of nested loops, the outermost first; compilers unroll a short innermost one."""
    turns = 0
    for position, count in enumerate(reversed(counts)):
        if position or count > UNROLLED:
            turns = count * (1 + turns)
    return turns


def table_name(name: str, accessor: str) -> str:
    """Names the tensor with the table behind `accessor` in the pass called `name`."""
    return f"{name}/{accessor.lower()}"


@dataclass(frozen=True)
class Rewrite:
    """Holds nodes that replace one node; `tensors` and `constants` are the new ones they use."""

    nodes: tuple[Node, ...]
    tensors: tuple[TensorInfo, ...] = ()
    constants: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Evaluation:
    """Holds one evaluation of a node by the oracle, to bound how far another one may be from it.

    `errors[i]` bounds |other input i − inputs[i]| per element; None means that they are equal. `run`
    evaluates the node on other inputs. `unit` is the unit round-off u. With `quadrature` errors of different
    elements are taken as independent and add up as root of squares (an estimate); otherwise as a sum (a bound).
    `position` is that of `output` among the node's outputs.
    """

    inputs: tuple[Array | None, ...]
    errors: tuple[Array | None, ...]
    output: Array
    run: Callable[[Sequence[Array | None]], Array]
    unit: float
    quadrature: bool = False
    position: int = 0


class Operator(ABC):
    """Describes one ONNX operator, or a family that shares everything but a name."""

    op_types: ClassVar[tuple[str, ...]] = ()
    # Positions of inputs that must be known before the run, beside those that determine an output's shape.
    settings: ClassVar[tuple[int, ...]] = ()

    def names(self) -> tuple[str, ...]:
        """Returns the operator types it implements; an operator made from a table overrides this."""
        return self.op_types

    def describe(self) -> str:
        """Returns one line for listings."""
        return first_line(type(self))

    @property
    def facts(self) -> Facts:
        """Returns facts about every node of it, for the diagnosis of wrong passes."""
        return NOTHING

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Returns other nodes to run instead, where one pass cannot do it; None to run it unchanged."""
        return None

    @abstractmethod
    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Returns the pass that computes the output at position `output`. Raises UnsupportedError."""

    @abstractmethod
    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds |gpu − oracle| for the evaluation's output, of its shape: own rounding and carried errors."""

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns input position → linear indices that element `element` of the first output reads; None if unknown."""
        return None

    def reads_of(self, call: Call, element: int, output: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Returns the reads, as `reads`, of an element of the output at position `output`."""
        return self.reads(call, element) if output == 0 else None

    def table_reads(self, call: Call, element: int) -> Mapping[str, NDArray[np.int64]]:
        """Returns accessor of a table of the kernel → linear indices of it that output element `element` reads."""
        return {}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """Returns the input at `position` for which the other inputs give the first output `y`, in its shape, float64.

        NaN where several inputs do; None for an operator, or an input, that cannot be inverted at all.
        """
        return None

    def rows(self, call: Call) -> Rows | None:
        """Returns the elements of the first input that are combined to one number, such as a sum; None if none are."""
        return None

    def of_matrix(self, call: Call, shape: Shape) -> Node | None:
        """Returns the node that does to rows of a matrix what this one does to each of its `rows`; None if none does.

        The matrix, of that shape, is its first input; others of its inputs are those of this node.
        """
        return None


class Composite(Operator):
    """Is the base of operators that always run as other nodes."""

    @abstractmethod
    def passes(self, call: Call) -> Rewrite:
        """Returns the nodes that replace it. Raises UnsupportedError."""

    def rewrite(self, call: Call, limits: Limits) -> Rewrite:
        """Returns the nodes that replace it."""
        return self.passes(call)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Raises the error of `passes`; it is only called if that raises."""
        self.passes(call)
        raise AssertionError(f"{call.who} runs as other nodes")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Returns no bound: it is only called if `passes` raises, and the oracle alone evaluates the node."""
        return np.zeros(np.shape(evaluation.output))


def block(shape: Shape, *axes: ArrayLike) -> NDArray[np.int64]:
    """Returns linear indices int64 [k] of a tensor's elements at every combination of one place of each axis."""
    places = np.meshgrid(*(np.atleast_1d(np.asarray(axis, dtype=np.int64)) for axis in axes), indexing="ij")
    return np.ravel_multi_index(tuple(places), shape).ravel().astype(np.int64)


def unravel(index: int, shape: Shape) -> tuple[int, int, int, int]:
    """Converts a linear index to n, c, h, w in the 4-d view of `shape`."""
    n, c, h, w = (int(i) for i in np.unravel_index(index, as_nchw(shape)))
    return n, c, h, w
