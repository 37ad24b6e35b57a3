"""What a shader declares and never uses, put where it may have been forgotten: a sampler, a uniform, a variable.

What nobody reads is a strong clue, so that these are tried with what is said otherwise, before anything is put in.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of, walk
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, lanes_of, scalar_of

# Of ways to read a sampler that nothing reads, so many are tried at one place.
_MOST = 24
# Of indices that a mask may compare, the nearest so many.
_MOST_INDICES = 4
# An expression that something is put to is no longer than this.
_LONGEST = 400
# Powers that have a name of their own, with the sign of their exponent.
_ROOTS = {"sqrt": "", "inversesqrt": "-"}
_WORD = re.compile(r"\w+")
_WHOLE = frozenset({"init_declarator", "assignment_expression", "return_statement"})


class Forgotten:
    """Of one parsed shader: names that stand in it once, where they are declared."""

    def __init__(self, root: tree_sitter.Node, types: Types, scope: NameScope) -> None:
        self._types, self._scope = types, scope
        words = ("identifier", "preproc_arg")
        said = Counter(word for node in walk(root) if node.type in words for word in _WORD.findall(text_of(node)))
        self._once = {word for word, count in said.items() if count == 1}
        self._samplers = [(name, kind) for name, kind in scope.samplers if said[name] == 1]
        self._numbers = [
            (name, kind)
            for name, kind in types.visible("")
            if said[name] == 1 and kind in ("float", "int") and name in types.uniforms | types.constants
        ]

    def proposals(self, node: tree_sitter.Node) -> Iterator[Mutation]:
        """What is forgotten, put to an expression that is a value or an operand of one."""
        text, kind, parent = text_of(node), self._types.of(node), node.parent
        scalar = scalar_of(kind)
        if parent is None or is_matrix(kind) or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
            return
        is_whole = parent.type in _WHOLE and parent.child_by_field_name("left") != node
        if scalar == "float" and is_whole:
            for read in itertools.islice(self._reads(node, kind), _MOST):
                yield from (swap(node, f"({text} {sign} {read})") for sign in "+-")
                yield swap(node, read if node.type == "number_literal" else f"(({text}) * {read})")
            for part in itertools.islice(self._values(node, kind), _MOST):
                yield from (swap(node, f"({text} {sign} {part})") for sign in "+-")
        if not is_whole and parent.type not in ("binary_expression", "unary_expression", "argument_list"):
            return
        if kind == "float" and is_whole:
            yield from (swap(node, f"({text} + {part})") for part in self._where(node))
        for name, own in self._numbers:
            if own == scalar and self._scope.is_known(name, node):
                signs = "*+-/" if scalar == "float" else "*+-/%"
                yield from (swap(node, f"(({text}) {sign} {name})") for sign in signs)
                if node.type in ("identifier", "number_literal", "field_expression") and kind == own:
                    yield swap(node, name)
                if node.type == "call_expression" and (sign := _ROOTS.get(function_called(node))) is not None:
                    yield swap(node, f"pow({text_of(node.named_children[-1])[1:-1]}, {sign}{name})")

    def _where(self, node: tree_sitter.Node) -> Iterator[str]:
        """Numbers that nothing says anything about, where one index is beyond another: masks."""
        indices = [name for name, kind in self._scope.variables(node) if kind == "int"][:_MOST_INDICES]
        for name, own in self._numbers:
            if own == "float" and self._scope.is_known(name, node):
                for one, other in itertools.permutations(indices, 2):
                    yield f"({one} > {other} ? {name} : 0.0)"

    def _values(self, node: tree_sitter.Node, kind: str) -> Iterator[str]:
        """Variables that were worked out and stand nowhere else, alone and times what no function is asked for."""
        for name, own in self._scope.variables(node):
            if name in self._once and own in (kind, "float"):
                yield from ([name] if own == kind else [])
                yield from (f"{name} * {call}" for call in self._scope.unused(node, kind))

    def _reads(self, node: tree_sitter.Node, kind: str) -> Iterator[str]:
        """Each sampler that nothing reads, read as another one is, or at the place of a variable."""
        ending = {"vec4": "", "float": ".x", "vec2": ".xy", "vec3": ".xyz"}.get(kind)
        if ending is None:
            return
        for name, own in self._samplers:
            if not self._scope.is_known(name, node):
                continue
            for call in self._scope.reads(node):
                given = arguments(call)
                if any(self._types.of(each) == own for each in given):
                    texts = [name if self._types.of(each) == own else text_of(each) for each in given]
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
