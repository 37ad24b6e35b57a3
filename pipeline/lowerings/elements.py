"""Computes passes that work per element, as GLSL text: each lane of a texel from the same lane of its operands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.assemble import constant_text, library_functions, literal, operator_file, read_shader
from texelscope.pipeline.operators.base import Call, Constant
from texelscope.pipeline.operators.families.binary import Binary
from texelscope.pipeline.operators.families.elementwise import Unary
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.operators.families.variadic import Variadic

# Ends the text of an operand that differs from lane to lane; each lane has its own letter there.
LANE = ".LANE"
_LANES = "xyzw"
_FUNCTION = re.compile(r"\b(unary|binary)\b")
_CALLED = re.compile(r"\b([a-z]\w*)\s*\(")
_SQUARE = 2.0
# What a function may call to be a few instructions.
_SHORT_CALLS = {"unary", "binary", "max", "min", "abs", "clamp", "greater_of", "lesser_of"}


@dataclass(frozen=True)
class Elements:
    """Describes a pass that computes each element of `output` from those of `operands` in the same place, all keys.

    `formula` is GLSL of one lane over `{0}`, `{1}` … for operands, where `{f}` calls the function that the text
    `function`, a file of `shaders/operators/elementwise`, defines with its `constants`.
    """

    name: str
    output: str
    operands: tuple[str, ...]
    formula: str
    function: str = ""
    constants: tuple[tuple[str, Constant], ...] = ()


def elements_of(name: str, call: Call) -> Elements | None:
    """Returns the node's computation per element, as the pass called `name`; None if it has none."""
    node, operator = call.node, operator_of(call.node)
    if node.op_type == "Where" and not node.domain:
        return Elements(name, node.outputs[0], node.inputs, "({0} != 0.0 ? {1} : {2})")
    if not isinstance(operator, Unary | Binary | Variadic) or len(node.outputs) != 1:
        return None
    exponent = call.constant(1) if node.op_type == "Pow" else None
    if exponent is not None and exponent.size == 1 and float(exponent.reshape(())) == _SQUARE:
        return Elements(name, node.outputs[0], node.inputs[:1], "({0} * {0})")
    kernel = operator.kernel(call)
    constants = tuple((key, value) for key, value in kernel.constants.items() if isinstance(operator, Unary))
    formula = "{f}({0})" if isinstance(operator, Unary) else _folded(len(node.inputs))
    if isinstance(operator, Variadic) and operator.mean:
        formula = f"({formula} / {literal(float(len(node.inputs)))})"
    function = read_shader(operator_file(kernel.shaders[0]))
    return Elements(name, node.outputs[0], node.inputs, formula, function, constants)


def _folded(count: int) -> str:
    """Folds a function of two over this many operands, from the first on."""
    text = "{0}"
    for i in range(1, count):
        text = f"{{f}}({text}, {{{i}}})"
    return text


def is_short(computed: Elements) -> bool:
    """Reports whether the computation is a few instructions, which may stand in a text often."""
    return not computed.function or _SHORT_CALLS.issuperset(_CALLED.findall(computed.function))


class ElementWriter:
    """Writes formulas of passes, and collects in `functions` the text of what they call, each once."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self._names: dict[tuple[str, tuple[tuple[str, Constant], ...]], str] = {}

    def formula(self, each: Elements, values: Mapping[str, str]) -> str:
        """Returns the text of one lane, over the texts of its operands in `values`; it has `LANE` where those do."""
        self._define(each)
        called = self._names.get((each.function, each.constants), "")
        return each.formula.format(*(values[key] for key in each.operands), f=called)

    def _define(self, each: Elements) -> None:
        """Adds the function of a pass once, its constants under unique names, and what its formula calls."""
        self.call_all(each.formula)
        key = (each.function, each.constants)
        if not each.function or key in self._names:
            return
        name = self._names[key] = f"f{len(self._names)}"
        text = _FUNCTION.sub(name, each.function)
        self.call_all(each.function)
        for constant, value in each.constants:
            own = f"{constant}_{len(self._names)}"
            text = re.sub(rf"\b{constant}\b", own, text)
            self.functions.append(constant_text(own, value))
        self.functions.append(text.rstrip())

    def call_all(self, text: str) -> None:
        """Adds the functions of `shaders/functions` that the text calls, with what they call."""
        for library in library_functions(text).values():
            if library not in self.functions:
                self.functions.append(library)


def in_lanes(text: str) -> str:
    """Returns the vec4 of a lane's text."""
    return f"vec4({', '.join(text.replace(LANE, f'.{name}') for name in _LANES)})"


def element_text(passes: Sequence[Elements], values: dict[str, str]) -> tuple[list[str], list[str]]:
    """Returns functions, and statements that compute the vec4 `v0`, `v1` … of the passes, in order.

    `values` has the text of each operand, which ends in `LANE` if its lanes differ; those of the passes are added.
    """
    writer = ElementWriter()
    statements: list[str] = []
    for i, each in enumerate(passes):
        statements.append(f"    vec4 v{i} = {in_lanes(writer.formula(each, values))};")
        values[each.output] = f"v{i}{LANE}"
    return writer.functions, statements
