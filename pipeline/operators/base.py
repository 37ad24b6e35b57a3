"""What one operator has to say: the shader that computes it, its rounding, and what an element reads.

An operator module lists its operators in `OPERATORS`; `pipeline.operators.families.registry` finds them. A shader
computes in logical coordinates (`float compute(ivec4 at)`, at = n, c, h, w of the output) and reads its
inputs through accessors named here; it never learns of a texture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.discovery import first_line
from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo
from texelscope.pipeline.operators.facts import NOTHING, Facts, Rows

# Innermost loops of up to so many turns are unrolled by every compiler.
UNROLLED = 3

Constant = int | float | bool | tuple[int, ...] | tuple[float, ...]
Array = NDArray[Any]


@dataclass(frozen=True)
class Call:
    """A node in its graph, with the questions that operators ask about it."""

    node: Node
    graph: Graph

    @property
    def who(self) -> str:
        """How an error names the node."""
        return f"{self.node.op_type} '{self.node.name}' ({self.graph.name})"

    def has(self, position: int) -> bool:
        """Whether the input at `position` is there."""
        return position < len(self.node.inputs) and bool(self.node.inputs[position])

    def info(self, position: int) -> TensorInfo:
        """Name, shape and dtype of the input at `position`. Raises UnsupportedError if it is omitted."""
        if not self.has(position):
            raise UnsupportedError(self.who, f"input {position}", "an omitted one", "Check the exporting script.")
        return self.graph.tensors[self.node.inputs[position]]

    def shape(self, position: int) -> Shape:
        """Logical shape of the input at `position`."""
        return self.info(position).shape

    def output_info(self, position: int = 0) -> TensorInfo:
        """Name, shape and dtype of the output at `position`."""
        return self.graph.tensors[self.node.outputs[position]]

    def output_shape(self, position: int = 0) -> Shape:
        """Logical shape of the output at `position`."""
        return self.output_info(position).shape

    def constant(self, position: int) -> Array | None:
        """The value of the input at `position` if it is known without running; None if it is not."""
        return self.graph.constants.get(self.node.inputs[position]) if self.has(position) else None

    def required_constant(self, position: int, meaning: str) -> Array:
        """As `constant`; raises UnsupportedError where the value depends on the run."""
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
        """The attribute, the schema's default, or `default`."""
        return self.node.attributes.get(name, default)

    def axis(self, name: str = "axis", default: int = 0, rank: int | None = None) -> int:
        """An axis attribute, counted from the front; the rank defaults to that of the first input."""
        rank = len(self.shape(0)) if rank is None else rank
        value = int(self.attribute(name, default))
        return value + rank if value < 0 else value


@dataclass(frozen=True)
class Kernel:
    """One pass before layouts are chosen.

    `shaders` are files under `shaders/operators`, in order; the first is the author's, later ones frame it.
    `reads` maps an accessor's name to a tensor, or, for an operator with any number of inputs, to a tuple of
    tensors read as `X_of(which, at)`. `constants` become compile-time constants of the shader. `filters`
    names the accessors that read convolution weights, which have a layout of their own. `tables` are arrays that
    the operator itself works out before the run (places and weights of taps), read through accessors like tensors.
    `may_be_hot` is false for a form that the faster versions beside a shader do not cover; `cold_in`
    names layouts whose own version does not. `turns` is how
    often the loops turn for one element, at most; see `turns_of`.
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
        """Every tensor read, in accessor order."""
        names: list[str] = []
        for read in self.reads.values():
            names.extend([read] if isinstance(read, str) else read)
        return tuple(names)


def cold(covered: Mapping[str, bool]) -> frozenset[str]:
    """Layouts whose own version of a shader does not cover a form: `Kernel.cold_in`."""
    return frozenset(layout for layout, is_covered in covered.items() if not is_covered)


def turns_of(*counts: int) -> int:
    """How often loops within each other turn, the outermost first; compilers unroll a short innermost one."""
    turns = 0
    for position, count in enumerate(reversed(counts)):
        if position or count > UNROLLED:
            turns = count * (1 + turns)
    return turns


def table_name(name: str, accessor: str) -> str:
    """The tensor that holds the table behind `accessor` in the pass called `name`."""
    return f"{name}/{accessor.lower()}"


@dataclass(frozen=True)
class Rewrite:
    """Nodes that stand in for one node; `tensors` and `constants` are the new ones they use."""

    nodes: tuple[Node, ...]
    tensors: tuple[TensorInfo, ...] = ()
    constants: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Evaluation:
    """One evaluation of a node by the oracle, for the question how far another one may be from it.

    `errors[i]` bounds |other input i − inputs[i]| element by element; None says that they are equal. `run`
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
    """One ONNX operator, or a family that shares everything but a name."""

    op_types: ClassVar[tuple[str, ...]] = ()
    # Positions of inputs that have to be known before the run, beside those that an output's shape hangs on.
    settings: ClassVar[tuple[int, ...]] = ()

    def names(self) -> tuple[str, ...]:
        """The operator types it implements; an operator made from a table overrides this."""
        return self.op_types

    def describe(self) -> str:
        """One line for listings."""
        return first_line(type(self))

    @property
    def facts(self) -> Facts:
        """What holds of every node of it, for a diagnosis of a pass that gets it wrong."""
        return NOTHING

    def rewrite(self, call: Call, limits: Limits) -> Rewrite | None:
        """Other nodes to run instead, where one pass cannot do it; None to run it as it is."""
        return None

    @abstractmethod
    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The pass that computes the output at position `output`. Raises UnsupportedError."""

    @abstractmethod
    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bound on |gpu − oracle| for the evaluation's output, of its shape: own rounding and carried errors."""

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Input position → linear indices that element `element` of the first output reads; None where not known."""
        return None

    def reads_of(self, call: Call, element: int, output: int) -> Mapping[int, NDArray[np.int64]] | None:
        """As `reads`, for an element of the output at position `output`."""
        return self.reads(call, element) if output == 0 else None

    def table_reads(self, call: Call, element: int) -> Mapping[str, NDArray[np.int64]]:
        """Accessor of a table of the kernel → linear indices of it that output element `element` reads."""
        return {}

    def undo(self, call: Call, inputs: Sequence[Array | None], position: int, y: Array) -> Array | None:
        """The input at `position` that makes the first output `y` of the other inputs, in the shape of y, float64.

        NaN where that cannot be told; None for an operator, or an input, of which it never can.
        """
        return None

    def rows(self, call: Call) -> Rows | None:
        """The elements of the first input that are joined into one number, such as a sum; None where none are."""
        return None

    def of_matrix(self, call: Call, shape: Shape) -> Node | None:
        """The node that makes of each row of a matrix what this one makes of each of its `rows`; None if none does.

        The matrix, of that shape, is its first input; others of its inputs are those of this node.
        """
        return None


class Composite(Operator):
    """An operator that always runs as other nodes."""

    @abstractmethod
    def passes(self, call: Call) -> Rewrite:
        """The nodes that stand in for it. Raises UnsupportedError."""

    def rewrite(self, call: Call, limits: Limits) -> Rewrite:
        """The nodes that stand in for it."""
        return self.passes(call)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Only asked for where `passes` raises, for its reason."""
        self.passes(call)
        raise AssertionError(f"{call.who} runs as other nodes")

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Asked for only where `passes` raises, and the oracle alone evaluates the node: as for one without a bound."""
        return np.zeros(np.shape(evaluation.output))


def block(shape: Shape, *axes: ArrayLike) -> NDArray[np.int64]:
    """Linear indices int64 [k] of the elements of a tensor at every combination of one place of each axis."""
    places = np.meshgrid(*(np.atleast_1d(np.asarray(axis, dtype=np.int64)) for axis in axes), indexing="ij")
    return np.ravel_multi_index(tuple(places), shape).ravel().astype(np.int64)


def unravel(index: int, shape: Shape) -> tuple[int, int, int, int]:
    """Linear index to n, c, h, w in the 4-d view of `shape`."""
    n, c, h, w = (int(i) for i in np.unravel_index(index, as_nchw(shape)))
    return n, c, h, w
