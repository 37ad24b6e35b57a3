"""Proposes uses of names that a shader declares and never uses: a sampler, a uniform, a variable.

An unused name is a strong hint, so these are tried with replacements, before insertions.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, MacroBody, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.text.mutation import Mutation, is_target, swap

# The most reads of an unused sampler that are tried at one place.
_MOST = 24
# At most this many of the nearest indices are compared in a mask.
_MOST_INDICES = 4
# Nothing is added to longer expressions.
_LONGEST = 400
# Powers that have functions of their own, with the sign of their exponent.
_ROOTS = {"sqrt": "", "inversesqrt": "-"}
_WORD = re.compile(r"\w+")
_WHOLE = (InitDeclarator, Assignment, ReturnStatement)


class UnusedNames:
    """Unused names of one parsed shader, which occur only where they are declared."""

    def __init__(self, root: SyntaxNode, types: Types, scope: NameScope) -> None:
        self._types, self._scope = types, scope
        texts = (node.text for node in root.of_type(Identifier, MacroBody))
        said = Counter(word for text in texts for word in _WORD.findall(text))
        self._once = {word for word, count in said.items() if count == 1}
        self._samplers = [(name, kind) for name, kind in scope.samplers if said[name] == 1]
        self._numbers = [
            (name, kind)
            for name, kind in types.visible("")
            if said[name] == 1 and kind in ("float", "int") and name in types.uniforms | types.constants
        ]

    def proposals(self, node: SyntaxNode) -> Iterator[Mutation]:
        """Proposes to add an unused name to an expression that is a value or an operand."""
        text, kind, parent = node.text, self._types.of(node), node.parent
        scalar = scalar_of(kind)
        if parent is None or is_matrix(kind) or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
            return
        is_whole = isinstance(parent, _WHOLE) and sides_of(parent)[0] is not node
        if scalar == "float" and is_whole:
            for read in itertools.islice(self._reads(node, kind), _MOST):
                yield from (swap(node, f"({text} {sign} {read})") for sign in "+-")
                yield swap(node, read if isinstance(node, NumberLiteral) else f"(({text}) * {read})")
            for part in itertools.islice(self._values(node, kind), _MOST):
                yield from (swap(node, f"({text} {sign} {part})") for sign in "+-")
        if not is_whole and not isinstance(parent, BinaryExpression | UnaryExpression | ArgumentList):
            return
        if kind == "float" and is_whole:
            yield from (swap(node, f"({text} + {part})") for part in self._where(node))
        for name, own in self._numbers:
            if own == scalar and self._scope.is_known(name, node):
                signs = "*+-/" if scalar == "float" else "*+-/%"
                yield from (swap(node, f"(({text}) {sign} {name})") for sign in signs)
                if isinstance(node, Identifier | NumberLiteral | FieldAccess) and kind == own:
                    yield swap(node, name)
                if isinstance(node, FunctionCall) and (sign := _ROOTS.get(function_called(node))) is not None:
                    yield swap(node, f"pow({node.named_children[-1].text[1:-1]}, {sign}{name})")

    def _where(self, node: SyntaxNode) -> Iterator[str]:
        """Yields masks: an unused number where one index exceeds another."""
        indices = [name for name, kind in self._scope.variables(node) if kind == "int"][:_MOST_INDICES]
        for name, own in self._numbers:
            if own == "float" and self._scope.is_known(name, node):
                for one, other in itertools.permutations(indices, 2):
                    yield f"({one} > {other} ? {name} : 0.0)"

    def _values(self, node: SyntaxNode, kind: str) -> Iterator[str]:
        """Yields computed variables that occur nowhere else, alone and times an unused function's call."""
        for name, own in self._scope.variables(node):
            if name in self._once and own in (kind, "float"):
                yield from ([name] if own == kind else [])
                yield from (f"{name} * {call}" for call in self._scope.unused(node, kind))

    def _reads(self, node: SyntaxNode, kind: str) -> Iterator[str]:
        """Yields reads of each unused sampler, in the form of another read, or at a variable's position."""
        ending = {"vec4": "", "float": ".x", "vec2": ".xy", "vec3": ".xyz"}.get(kind)
        if ending is None:
            return
        for name, own in self._samplers:
            if not self._scope.is_known(name, node):
                continue
            for call in self._scope.reads(node):
                given = arguments(call)
                if any(self._types.of(each) == own for each in given):
                    texts = [name if self._types.of(each) == own else each.text for each in given]
                    made = self._types.of(call)
                    yield f"{function_called(call)}({', '.join(texts)})" + (ending if made == "vec4" else "")
            indices = self._scope.of_type(node, "int")
            places = [f"ivec2({each}, 0)" for each in indices]
            places[2:2] = self._scope.of_type(node, "ivec2")
            places += [f"ivec2(0, {each})" for each in indices[:_MOST_INDICES]]
            if own == "sampler2D" and lanes_of(kind):
                yield from (f"texelFetch({name}, {place}, 0){ending}" for place in places)
            if own == "sampler2D" and kind == "float":
                packed = (f"ivec2({each} / 4, 0), 0)[{each} % 4]" for each in indices[:_MOST_INDICES])
                yield from (f"texelFetch({name}, {each}" for each in packed)
