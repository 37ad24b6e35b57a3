"""Types calls of WGSL and writes them in GLSL: of the author's functions, of built-in ones, and values of types."""

from __future__ import annotations

from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.builtin_functions import BUILT_IN
from texelscope.pipeline.wgsl.constructors import constructed_text, constructed_type
from texelscope.pipeline.wgsl.expression_writer import ExpressionWriter
from texelscope.pipeline.wgsl.syntax import CallNode
from texelscope.pipeline.wgsl.type_names import may_be_type
from texelscope.pipeline.wgsl.types import PointerType, ScalarType, Type, said

# A function's own variables; others are the same for several invocations, and GLSL would copy them.
_COPIED = ("function", "variable", "private")


class Calls:
    """Types and writes calls for a writer of expressions."""

    def __init__(self, writer: ExpressionWriter) -> None:
        self._writer = writer

    def type_of(self, node: CallNode) -> Type:
        """Returns the type of what a call gives. Raises AuthorTextError for an unknown function."""
        name, scope = node.callee.name, self._writer.scope
        if name in scope.functions:
            return scope.functions[name].result
        if may_be_type(name, scope):
            return constructed_type(self._writer, node)
        if name in BUILT_IN:
            return BUILT_IN[name].type_of(self._writer, node)
        if name in _MISSING:
            raise AuthorTextError(node.row, "a function that OpenGL has", f"{name}()", _MISSING[name])
        if name.startswith(("subgroup", "quad")):
            raise AuthorTextError(
                node.row, "a function that OpenGL has", f"{name}()", "Use memory of the work group: var<workgroup>."
            )
        known = [*scope.functions, *BUILT_IN, *scope.structures]
        raise AuthorTextError(node.row, "a function that is declared", f"'{name}'", nearest(name, known))

    def text(self, node: CallNode, scalar: ScalarType | None) -> str:
        """Returns a call in GLSL; `scalar` is what an abstract result becomes."""
        name, scope = node.callee.name, self._writer.scope
        if name in scope.functions:
            return self._own(node)
        if may_be_type(name, scope):
            return constructed_text(self._writer, node, scalar)
        return BUILT_IN[name].text(self._writer, node, scalar)

    def _own(self, node: CallNode) -> str:
        signature = self._writer.scope.functions[node.callee.name]
        wanted = signature.parameters
        if len(wanted) != len(node.arguments):
            got = f"{len(node.arguments)}"
            raise AuthorTextError(node.row, f"{len(wanted)} arguments of {node.callee.name}", got, "Correct the call.")
        found: list[str] = []
        for argument, kind in zip(node.arguments, wanted, strict=True):
            given = self._writer.type_of(argument)
            if isinstance(kind, PointerType):
                if kind.space not in _COPIED:
                    raise AuthorTextError(
                        node.row, "pointers to variables of functions", f"one to {kind.space} memory",
                        "Name the variable in the function itself.",
                    )  # fmt: skip
                found.append(self._writer.text(argument))
                continue
            if isinstance(given, PointerType):
                raise AuthorTextError(argument.row, f"a value of {said(kind)}", said(given), "Read it by '*'.")
            found.append(self._writer.text(argument, kind))
        return f"{signature.text}({', '.join(found)})"


_MISSING = {
    "workgroupUniformLoad": "Give it a statement alone, as in let x = workgroupUniformLoad(&shared);.",
    "frexp": "Use log2, floor and exp2.",
    "modf": "Use trunc and fract.",
}
