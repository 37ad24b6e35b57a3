"""Builds the form of passes that work per element on tensors of one shape: one draw into several targets.

An element lies at the same place in all of them, so that a fragment reads and writes its own texel and
need not know which element that is. A software driver writes colour attachments three times as fast as images.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.pipeline.glsl.assemble import constant_text, library_functions, literal, operator_file, read_shader
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.text import VERSION
from texelscope.pipeline.operators.base import Call, Constant
from texelscope.pipeline.operators.families.binary import Binary
from texelscope.pipeline.operators.families.elementwise import Unary
from texelscope.pipeline.operators.families.registry import operator_of
from texelscope.pipeline.operators.families.variadic import Variadic
from texelscope.pipeline.plan import ProgramSource, StoredTensor

_LANES = "xyzw"
_FUNCTION = re.compile(r"\b(unary|binary)\b")


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


@dataclass(frozen=True)
class Numbers:
    """Holds operands of one element: those with a known value, and keys of textures that hold one."""

    known: Mapping[str, float]
    held: frozenset[str]


def element_form(
    passes: Sequence[Elements], writes: Sequence[str], numbers: Numbers, textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns a draw that computes `passes`, in order, and stores the keys of `writes`, all of one shape and layout."""
    made = {each.output for each in passes}
    operands = dict.fromkeys(key for each in passes for key in each.operands)
    reads = tuple(key for key in operands if key not in made and key not in numbers.known)
    height, width = textures[writes[0]].texture_shape
    step = LoweringStep(
        program=ProgramSource(_text(passes, reads, tuple(writes), numbers), ()),
        size=(width, height, 1),
        textures=reads,
        images=(),
        targets=tuple(writes),
    )
    return Lowering(tuple(each.name for each in passes), reads, tuple(writes), (step,))


def _text(passes: Sequence[Elements], reads: Sequence[str], writes: Sequence[str], numbers: Numbers) -> str:
    """Returns the text, without names of the passes, so that those of several weights share a program."""
    head = [
        VERSION,
        *(f"layout(binding = {i}) uniform sampler2D t_X{i};" for i in range(len(reads))),
        *(f"layout(location = {i}) out vec4 Y{i};" for i in range(len(writes))),
    ]
    values = {key: literal(value) for key, value in numbers.known.items()}
    first = next(i for i, key in enumerate(reads) if key not in numbers.held)
    # A read at a texel's centre takes half a fetch's time.
    body = [f"    vec2 here = gl_FragCoord.xy / vec2(textureSize(t_X{first}, 0));"]
    for i, key in enumerate(reads):
        if key in numbers.held:
            body.append(f"    float x{i} = texelFetch(t_X{i}, ivec2(0), 0).x;")
        else:
            body.append(f"    vec4 x{i} = textureLod(t_X{i}, here, 0.0);")
        values[key] = f"x{i}" if key in numbers.held else f"x{i}.LANE"
    names: dict[tuple[str, tuple[tuple[str, Constant], ...]], str] = {}
    for i, each in enumerate(passes):
        _define(each, names, head)
        called = names.get((each.function, each.constants), "")
        lane = each.formula.format(*(values[key] for key in each.operands), f=called)
        body.append(f"    vec4 v{i} = vec4({', '.join(lane.replace('.LANE', f'.{name}') for name in _LANES)});")
        values[each.output] = f"v{i}.LANE"
    body.extend(f"    Y{i} = {values[key].removesuffix('.LANE')};" for i, key in enumerate(writes))
    return "\n".join([*head, "void main() {", *body, "}"]) + "\n"


def _define(each: Elements, names: dict[tuple[str, tuple[tuple[str, Constant], ...]], str], head: list[str]) -> None:
    """Appends the function of a pass once, its constants under unique names."""
    key = (each.function, each.constants)
    if not each.function or key in names:
        return
    names[key] = f"f{len(names)}"
    text = _FUNCTION.sub(names[key], each.function)
    for library in library_functions(each.function).values():
        if library not in head:
            head.append(library)
    for name, value in each.constants:
        own = f"{name}_{len(names)}"
        text = re.sub(rf"\b{name}\b", own, text)
        head.append(constant_text(own, value))
    head.append(text.rstrip())
