"""Rewrites a compute shader so that its work group writes what shared memory holds at each barrier into a buffer.

Behind each barrier all invocations copy the variables together, and wait for each other once more: nothing changes
them meanwhile. The buffer begins with the number of copies and the extents of each variable, which the shader knows
best; `CONTENTS_HEADER` describes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall, Identifier
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_restrictions
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    FunctionDefinition,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits

# Words before the copies: how many copies were made (also those without room), then MOST_AXES extents a variable.
MOST_VARIABLES, MOST_AXES = 15, 4
CONTENTS_HEADER = 4 + MOST_VARIABLES * MOST_AXES
BLOCK = "TapContents"
_LANES = {
    "float": 1, "int": 1, "uint": 1, "bool": 1, "vec2": 2, "vec3": 3, "vec4": 4, "ivec2": 2, "ivec3": 3, "ivec4": 4,
    "uvec2": 2, "uvec3": 3, "uvec4": 4,
}  # fmt: skip
_BITS = {"f": "floatBitsToUint({})", "v": "floatBitsToUint({})", "i": "uint({})", "u": "{}", "b": "uint({})"}


@dataclass(frozen=True)
class SharedVariable:
    """Describes a variable in shared memory: its name, the GLSL type of an element and the number of its axes."""

    name: str
    type: str
    axes: int

    @property
    def lanes(self) -> int:
        """The lanes of an element."""
        return _LANES[self.type]


def with_contents(text: str) -> tuple[str, tuple[SharedVariable, ...]]:
    """Returns the text of a recording compute shader that copies shared memory too, and the variables copied.

    Those of other types than numbers and vectors, and those beyond `MOST_VARIABLES`, are left out. What is there at the
    end is copied unless the shader may return before. It uses functions of `shaders/read_trace/dispatch_log.glsl`.
    """
    source = text.encode()
    root = parse(constructors_as_calls(without_restrictions(source)))
    variables = tuple(_variables(root, source))[:MOST_VARIABLES]
    edits = Edits()
    for call in root.of_type(FunctionCall):
        statement = call.parent
        is_alone = isinstance(statement, ExpressionStatement) and isinstance(statement.parent, CompoundStatement)
        if call.name == "barrier" and is_alone:
            edits.insert(call.end_byte, "; tap_contents(); barrier()")
    main = next((each for each in root.of_type(FunctionDefinition) if each.name == "main"), None)
    if main is not None and not any(main.body.of_type(ReturnStatement)):
        edits.insert(main.body.end_byte - 1, " barrier(); tap_contents(); ")
    first = next((each for each in root.of_type(FunctionDefinition)), None)
    if first is not None:
        edits.insert(first.start_byte, "void tap_contents();\n")
    return f"{edits.apply(source)}\n{_copying(variables)}", variables


def _variables(root: SyntaxNode, source: bytes) -> list[SharedVariable]:
    found = []
    for node in root.of_type(Declaration):
        words = {source[child.start_byte : child.end_byte].decode() for child in node.children}
        if "shared" not in words or node.type is None or node.type.text not in _LANES:
            continue
        for child in node.declarators:
            inner: SyntaxNode = child.declarator if isinstance(child, InitDeclarator) else child
            axes = 0
            while isinstance(inner, ArrayDeclarator):
                inner, axes = inner.declarator, axes + 1
            if isinstance(inner, Identifier) and axes <= MOST_AXES:
                found.append(SharedVariable(inner.text, node.type.text, axes))
    return found


def _copying(variables: tuple[SharedVariable, ...]) -> str:
    """Returns the block and the function that copies all variables."""
    counts = [_extents(each) for each in variables]
    sizes = " + ".join(
        [f"uint({' * '.join(extents) or '1'}) * {each.lanes}u" for each, extents in zip(variables, counts, strict=True)]
    )
    lines = [
        f"layout(std430) buffer {BLOCK} {{ uint tap_copies[]; }};",
        "uint tap_copy = 0u;",
        "void tap_put(uint at, uint word) { if (at < uint(tap_copies.length())) tap_copies[at] = word; }",
        "void tap_contents() {",
        "    if (u_tap_mode != 2 || !tap_is_recorded()) { tap_copy++; return; }",
        f"    uint at = {CONTENTS_HEADER}u + tap_copy * ({sizes or '0u'});",
        "    uint step = u_tap_size.x * u_tap_size.y * u_tap_size.z;",
        "    if (gl_LocalInvocationIndex == 0u) {",
        "        tap_put(0u, tap_copy + 1u);",
    ]
    for number, extents in enumerate(counts):
        places = (f"tap_put({4 + number * MOST_AXES + axis}u, uint({each}));" for axis, each in enumerate(extents))
        lines += [f"        {place}" for place in places]
    lines.append("    }")
    for each, extents in zip(variables, counts, strict=True):
        element, rest = each.name, "int(i)"
        for axis in range(each.axes):
            inner = " * ".join(extents[axis + 1 :]) or "1"
            element += f"[({rest}) / ({inner})]"
            rest = f"({rest}) % ({inner})"
        count = f"uint({' * '.join(extents) or '1'})"
        lines.append(f"    for (uint i = gl_LocalInvocationIndex; i < {count}; i += step) {{")
        for lane in range(each.lanes):
            value = f"{element}.{'xyzw'[lane]}" if each.lanes > 1 else element
            lines.append(f"        tap_put(at + i * {each.lanes}u + {lane}u, {_BITS[each.type[0]].format(value)});")
        lines += ["    }", f"    at += {count} * {each.lanes}u;"]
    return "\n".join([*lines, "    tap_copy++;", "}", ""])


def _extents(variable: SharedVariable) -> list[str]:
    """Returns an expression for the extent of each axis, outermost first."""
    return [f"{variable.name}{'[0]' * axis}.length()" for axis in range(variable.axes)]
