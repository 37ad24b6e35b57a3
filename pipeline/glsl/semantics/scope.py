"""Finds what may be used at a place of a shader: variables in scope, samplers, functions of one signature, calls."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall, Identifier
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    declared_name,
    function_around,
    function_called,
    name_around,
)
from texelscope.pipeline.glsl.semantics.statement_macros import MacroVariable
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    ConditionalDirective,
    Declaration,
    ElseDirective,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    LayoutQualifier,
    MacroDefinition,
    ParameterMacro,
    ReturnStatement,
    TranslationUnit,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of

# With the macro's name it is the name of the function that its body is parsed in.
MACRO = "texelscope_macro_"
# The nearest so many variables in scope.
_MOST = 12
# So many more members of blocks and structures, and macros.
_MOST_OUTSIDE = 6
# The most variables that are tried for one parameter.
_MOST_GIVEN = 6
_LETTERS = "xyzw"
_BASE = re.compile(r"\w+")


class NameScope:
    """The scopes of one parsed shader; results are cached."""

    def __init__(self, root: SyntaxNode, types: Types, declared_by_macros: Sequence[MacroVariable] = ()) -> None:
        self._types, self._root, self._declared = types, root, declared_by_macros
        for each in declared_by_macros:
            types.learn_parameter(name_around(root.tree.descendant(each.start, each.start)), each.name, each.kind)
        self._names: dict[SyntaxNode, tuple[tuple[str, str], ...]] = {}
        self._calls: dict[str, tuple[SyntaxNode, ...]] = {}
        self.samplers = tuple(
            (name, kind) for name, kind in types.visible("") if "sampler" in kind and not kind.endswith("]")
        )
        self._signatures: dict[str, tuple[str, ...]] = {}
        self._readers: dict[str, tuple[str, ...]] = {}
        self._places: dict[str, int] = {}
        self._macros: dict[str, frozenset[str]] = {}
        self._around: dict[str, dict[str, str]] = {}
        self._with_parameters: dict[str, str] = {}
        self._called = {node.name for node in root.of_type(FunctionCall)}
        self._is_dispatched = any("local_size" in node.text for node in root.of_type(LayoutQualifier))
        for node in root.walk():
            for name in _known_from(node):
                self._places.setdefault(name, node.start_byte)
                if isinstance(node, MacroDefinition) and node.body is not None:
                    self._macros[name] = frozenset(_BASE.findall(node.body.text))
            if isinstance(node, FunctionDefinition):
                kinds = (self._types.written_as(each.type) for each in node.parameters)
                self._signatures.setdefault(node.name, tuple(each for each in kinds if each))
            elif isinstance(node, ParameterMacro):
                self._reading(node)
                self._with_parameters[node.name] = node.parameter_list.text

    def is_known(self, expression: str, node: SyntaxNode) -> bool:
        """Whether the first name of an expression is declared before a node, if it is declared outside all functions.

        No function calls itself, and no macro. A macro's body is expanded where it is used.
        """
        base, inside = _BASE.match(expression), name_around(node)
        place = self._places.get(base[0]) if base is not None else None
        if base is None or place is None:
            return True
        if inside.startswith(MACRO):
            own = inside.removeprefix(MACRO)
            is_later = base[0] in self._macros and place > self._places.get(own, place)
            return not is_later and not self._leads_to(base[0], own)  # a macro may name a later one
        return place < node.start_byte and base[0] != inside

    def variables(self, node: SyntaxNode) -> tuple[tuple[str, str], ...]:
        """Returns name and type of variables in scope at a node, the nearest first."""
        statement = next((each for each in node.ancestors() if isinstance(each, _HOLDING)), node)
        if statement not in self._names:
            found: dict[str, str] = {}
            inside = name_around(statement)
            found.update(() if inside.startswith(MACRO) else self._by_macros(statement))
            for name, is_outside in self._above(statement):  # a later declaration may hide a name
                types = self._types
                found.setdefault(name, types.name("", name) if is_outside else types.at(statement, name))
            for name, kind in self._in_a_macro(inside) if inside.startswith(MACRO) else ():
                found.setdefault(name, kind)
            self._names[statement] = tuple(
                (name, kind) for name, kind in found.items() if name and kind and name not in self._types.given
            )
        return self._names[statement]

    def learn_around(self, function: str, names: Mapping[str, str]) -> None:
        """Adds names with their types that are known in the body of a macro, which is a function of that name."""
        self._around.setdefault(function, {}).update(names)

    def _in_a_macro(self, function: str) -> Iterator[tuple[str, str]]:
        """Yields names that a macro's body may use besides its own: parameters, variables around it, outer ones."""
        yield from self._around.get(function, {}).items()
        outside = self._types.uniforms | self._types.constants
        place = self._places.get(function.removeprefix(MACRO), 0)
        for name, kind in self._types.visible(""):
            if name in outside and scalar_of(kind) and self._places.get(name, place) < place:
                yield name, kind

    def where_used(self, macro: str) -> tuple[dict[str, str], int]:
        """Returns variables in scope wherever functions use a macro, the nearest first, and how often they use it."""
        uses = [node for node in self._root.of_type(Identifier) if node.text == macro]
        every = [dict(self.variables(node)) for node in uses if function_around(node) is not None]
        first = every[0] if every else {}
        kept = [name for name in first if all(each.get(name) == first[name] for each in every)]
        return {name: first[name] for name in kept if self._types.name("", name) == ""}, len(every)

    def _by_macros(self, node: SyntaxNode) -> Iterator[tuple[str, str]]:
        """Yields variables declared by macros that are used before a node."""
        for each in reversed(self._declared):
            if each.start <= node.start_byte < each.stop:
                yield each.name, each.kind

    def _leads_to(self, name: str, other: str) -> bool:
        """Whether a macro mentions another one, directly or through others."""
        pending, seen = [name], set[str]()
        while pending and other not in seen:
            current = pending.pop()
            if current not in seen:
                seen.add(current)
                pending.extend(self._macros.get(current, ()))
        return other in seen

    def of_type(self, node: SyntaxNode, kind: str) -> list[str]:
        """Returns expressions of a type in scope at a node: variables, and lanes of some; the nearest so many."""
        return [*self._of_variables(node, kind)[:_MOST], *self._outside(node, kind)[:_MOST_OUTSIDE]]

    def every_of_type(self, node: SyntaxNode, kind: str) -> list[str]:
        """Returns all of these."""
        return [*self._of_variables(node, kind), *self._outside(node, kind)]

    def of_places(self, node: SyntaxNode, kind: str) -> list[str]:
        """Returns the same as `of_type`, with lanes of positions that are kept as four integers."""
        return [*self._of_variables(node, kind, 4)[:_MOST], *self._outside(node, kind)[:_MOST_OUTSIDE]]

    def _of_variables(self, node: SyntaxNode, kind: str, most: int = 3) -> list[str]:
        found = []
        for name, own in self.variables(node):
            if own == kind:
                found.append(name)
            elif lanes_of(kind) == 1 and scalar_of(own) == kind and 1 < lanes_of(own) <= most:
                found.extend(f"{name}.{letter}" for letter in _LETTERS[: lanes_of(own)])
            else:
                found.extend(f"{name}.{field}" for field, inner in self._types.fields(own).items() if inner == kind)
        return found

    def _outside(self, node: SyntaxNode, kind: str) -> list[str]:
        outside = [*self._types.members.items(), *self._types.macros.items()]
        return [name for name, own in outside if own == kind and self.is_known(name, node)]

    def alike(self, name: str, node: SyntaxNode) -> list[str]:
        """Returns other functions of the shader with that one's signature and type; macros that read other samplers.

        Only those that a node may call.
        """
        return [other for other in self._alike(name) if self.is_known(other, node)]

    def _alike(self, name: str) -> list[str]:
        if (own := self._readers.get(name)) is not None:
            return [other for other, read in self._readers.items() if other != name and read == own]
        if (given := self._with_parameters.get(name)) is not None:
            return [other for other, own in self._with_parameters.items() if other != name and own == given]
        own = self._signatures.get(name)
        if own is None:
            return []
        kind = self._types.function(name)
        return [
            other
            for other, given in self._signatures.items()
            if other not in (name, "main") and given == own and self._types.function(other) == kind
        ]

    def of_one(self, kind: str, node: SyntaxNode) -> list[str]:
        """Returns functions from one value to one of that type, which a node may call."""
        return [
            name
            for name, given in self._signatures.items()
            if given == (kind,) and self._types.function(name) == kind and self.is_known(name, node)
        ]

    def unused(self, node: SyntaxNode, kind: str) -> Iterator[str]:
        """Yields calls of unused functions of the shader, of that type, with arguments in scope at a node."""
        for name, kinds in self._signatures.items():
            if name in self._called or name == "main" or self._types.function(name) != kind:
                continue
            given = [self.of_type(node, each)[:_MOST_GIVEN] for each in kinds]
            if self.is_known(name, node):
                for chosen in itertools.islice(itertools.product(*given), _MOST):
                    yield f"{name}({', '.join(chosen)})"

    def _reading(self, macro: ParameterMacro) -> None:
        """Remembers a macro named after a sampler, as its form for any sampler."""
        for sampler, _ in sorted(self.samplers, key=lambda each: -len(each[0])):
            if macro.body is not None and macro.name.startswith(f"{sampler}_"):
                own = re.compile(rf"\b{re.escape(sampler)}(?=\b|_)")
                self._readers[macro.name] = tuple(own.sub("", text) for text in (macro.name, macro.body.text))
                return

    def in_place(self, node: SyntaxNode) -> Iterator[str]:
        """Yields macros' reads of samplers at the position named after them, as `NAME_tex(NAME_pos)`."""
        for name, (ending, _) in self._readers.items():
            place = f"{name.removesuffix(ending)}_pos"
            if place in self._types.macros and self.is_known(name, node):
                yield f"{name}({place})"

    def reads(self, node: SyntaxNode) -> Iterator[SyntaxNode]:
        """Yields calls in the same function, of textures or of the shader's functions, that are valid at a node too."""
        known = {name for name, _ in (*self.variables(node), *self._types.visible(""))}
        function = function_around(node)
        if function is None:
            return
        if function.name not in self._calls:
            calls = function.of_type(FunctionCall)
            self._calls[function.name] = tuple(each for each in calls if self.is_read(each))
        for call in self._calls[function.name]:
            used = {each.text for each in call.of_type(Identifier) if not _is_function(each)}
            if used <= known:
                yield call

    def is_read(self, call: SyntaxNode) -> bool:
        """Whether a call has a sampler as argument, or calls a function of the shader that returns a value."""
        if any("sampler" in self._types.of(each) for each in arguments(call)):
            return True
        if function_called(call) in self._readers:
            return True
        return function_called(call) in self._signatures and bool(scalar_of(self._types.of(call)))

    def _above(self, node: SyntaxNode) -> Iterator[tuple[str, bool]]:
        """Yields names declared before a node, from the inside out, and whether that is outside all functions."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, CompoundStatement | TranslationUnit):
                before = [child for child in each.children if child.start_byte < inner.start_byte]
                is_outside = isinstance(each, TranslationUnit)
                branches = _branches(node)
                for child in reversed(before):
                    yield from ((name, is_outside) for name in _declared_in(child, branches))
            elif isinstance(each, ForLoop):
                start = each.initializer
                if start is not None and start != inner:
                    yield from ((name, False) for name in declared(start))
            elif isinstance(each, FunctionDefinition):
                yield from ((declared_name(parameter), False) for parameter in each.parameters)
            inner = each
        if not self._is_dispatched:
            yield "gl_FragCoord", False


def _known_from(node: SyntaxNode) -> Iterator[str]:
    """Yields the names that a node outside all functions declares."""
    if isinstance(node, MacroDefinition | FunctionDefinition):
        yield node.name
    elif isinstance(node, Declaration) and function_around(node) is None:
        yield from declared(node)
        yield from (each.text for each in node.named_children if isinstance(each, Identifier))


def declared(node: SyntaxNode) -> Iterator[str]:
    """Yields names of a declaration; none for any other node."""
    if not isinstance(node, Declaration):
        return
    for child in node.declarators:
        yield child.text if isinstance(child, Identifier) else declared_name(child)


def _branches(node: SyntaxNode) -> frozenset[tuple[str, bool]]:
    """Returns the preprocessor conditions around a node, and whether it is where they hold."""
    found: set[tuple[str, bool]] = set()
    inner = node
    for each in node.ancestors():
        if isinstance(each, ConditionalDirective):
            found.add((_asked(each), each.alternative != inner))
        inner = each
    return frozenset(found)


def _declared_in(node: SyntaxNode, branches: frozenset[tuple[str, bool]]) -> Iterator[str]:
    """Yields the names of a declaration, including those in preprocessor branches compatible with some others."""
    yield from declared(node)
    if not isinstance(node, ConditionalDirective):
        return
    other = node.alternative
    for child in reversed(node.named_children):
        if child != other and (_asked(node), True) in branches:
            yield from _declared_in(child, branches)
    if other is not None and isinstance(other, ElseDirective) and (_asked(node), False) in branches:
        for child in reversed(other.named_children):
            yield from _declared_in(child, branches)


def _asked(node: ConditionalDirective) -> str:
    return node.children[0].text + node.asked.text


def _is_function(node: SyntaxNode) -> bool:
    return isinstance(node.parent, FunctionCall) and node.parent.callee is node


_HOLDING = (ExpressionStatement, Declaration, ReturnStatement, IfStatement, ForLoop)
