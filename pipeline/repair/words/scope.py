"""What may stand at a place of a shader: variables in scope there, samplers, functions of one signature, calls."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    declared_name,
    function_around,
    function_called,
    function_name,
    parameters,
    parents,
    text_of,
    walk,
)
from texelscope.pipeline.repair.words.idioms import MacroVariable
from texelscope.pipeline.repair.words.types import Types, lanes_of, scalar_of

# With the macro's name behind it the function that its body is parsed in.
MACRO = "texelscope_macro_"
# Of the variables in scope, the nearest so many.
_MOST = 12
# Of members of blocks and structures, and of macros, as many more.
_MOST_OUTSIDE = 6
# Of the variables that may be given to one parameter.
_MOST_GIVEN = 6
_LETTERS = "xyzw"
_BASE = re.compile(r"\w+")


class NameScope:
    """Of one parsed shader; what is asked for once is kept."""

    def __init__(self, root: tree_sitter.Node, types: Types, declared_by_macros: Sequence[MacroVariable] = ()) -> None:
        self._types, self._root, self._declared = types, root, declared_by_macros
        for each in declared_by_macros:
            function = function_around(root.descendant_for_byte_range(each.start, each.start) or root)
            types.learn_parameter(function_name(function), each.name, each.kind)
        self._names: dict[int, tuple[tuple[str, str], ...]] = {}
        self._calls: dict[str, tuple[tree_sitter.Node, ...]] = {}
        self.samplers = tuple(
            (name, kind) for name, kind in types.visible("") if "sampler" in kind and not kind.endswith("]")
        )
        self._signatures: dict[str, tuple[str, ...]] = {}
        self._readers: dict[str, tuple[str, ...]] = {}
        self._places: dict[str, int] = {}
        self._macros: dict[str, frozenset[str]] = {}
        self._around: dict[str, dict[str, str]] = {}
        self._with_parameters: dict[str, str] = {}
        self._called = {function_called(node) for node in walk(root) if node.type == "call_expression"}
        self._is_dispatched = any(
            node.type == "layout_specification" and "local_size" in text_of(node) for node in walk(root)
        )
        for node in walk(root):
            for name in _known_from(node):
                self._places.setdefault(name, node.start_byte)
                if (body := node.child_by_field_name("value")) is not None and node.type.startswith("preproc"):
                    self._macros[name] = frozenset(_BASE.findall(text_of(body)))
            if node.type == "function_definition":
                kinds = (self._types.written_as(each.child_by_field_name("type")) for each in parameters(node))
                self._signatures.setdefault(function_name(node), tuple(each for each in kinds if each))
            elif node.type == "preproc_function_def":
                self._reading(node)
                macro, given = node.child_by_field_name("name"), node.child_by_field_name("parameters")
                if macro is not None and given is not None:
                    self._with_parameters[text_of(macro)] = text_of(given)

    def is_known(self, expression: str, node: tree_sitter.Node) -> bool:
        """Whether what an expression begins with is declared before a node, as far as it is so outside all functions.

        No function calls itself, and no macro. What stands behind `#define` is read where it is used.
        """
        base, inside = _BASE.match(expression), function_name(function_around(node))
        place = self._places.get(base[0]) if base is not None else None
        if base is None or place is None:
            return True
        if inside.startswith(MACRO):
            own = inside.removeprefix(MACRO)
            is_later = base[0] in self._macros and place > self._places.get(own, place)
            return not is_later and not self._leads_to(base[0], own)  # one that names a later one may be named there
        return place < node.start_byte and base[0] != inside

    def variables(self, node: tree_sitter.Node) -> tuple[tuple[str, str], ...]:
        """Name and type of what is in scope at a node, the nearest first."""
        statement = next((each for each in parents(node) if each.type in _HOLDING), node)
        if statement.id not in self._names:
            found: dict[str, str] = {}
            inside = function_name(function_around(statement))
            found.update(() if inside.startswith(MACRO) else self._by_macros(statement))
            for name, is_outside in self._above(statement):  # what is declared further down may hide a name
                types = self._types
                found.setdefault(name, types.name("", name) if is_outside else types.at(statement, name))
            for name, kind in self._in_a_macro(inside) if inside.startswith(MACRO) else ():
                found.setdefault(name, kind)
            self._names[statement.id] = tuple(
                (name, kind) for name, kind in found.items() if name and kind and name not in self._types.given
            )
        return self._names[statement.id]

    def learn_around(self, function: str, names: Mapping[str, str]) -> None:
        """Names with their types that are known in the body of a macro, which goes by that name."""
        self._around.setdefault(function, {}).update(names)

    def _in_a_macro(self, function: str) -> Iterator[tuple[str, str]]:
        """What the body of a macro may say beside what it declares: parameters, variables around it, outside ones."""
        yield from self._around.get(function, {}).items()
        outside = self._types.uniforms | self._types.constants
        place = self._places.get(function.removeprefix(MACRO), 0)
        for name, kind in self._types.visible(""):
            if name in outside and scalar_of(kind) and self._places.get(name, place) < place:
                yield name, kind

    def where_used(self, macro: str) -> tuple[dict[str, str], int]:
        """Name and type of the variables that are in scope wherever functions use a macro, and how often they do."""
        uses = [node for node in walk(self._root) if node.type == "identifier" and text_of(node) == macro]
        every = [dict(self.variables(node)) for node in uses if function_around(node) is not None]
        first = every[0] if every else {}
        kept = {name for name in first if all(each.get(name) == first[name] for each in every)}
        return {name: first[name] for name in kept if self._types.name("", name) == ""}, len(every)

    def _by_macros(self, node: tree_sitter.Node) -> Iterator[tuple[str, str]]:
        """What macros declare that are used before a node."""
        for each in reversed(self._declared):
            if each.start <= node.start_byte < each.stop:
                yield each.name, each.kind

    def _leads_to(self, name: str, other: str) -> bool:
        """Whether what a macro stands for mentions another one, or one that does."""
        pending, seen = [name], set[str]()
        while pending and other not in seen:
            current = pending.pop()
            if current not in seen:
                seen.add(current)
                pending.extend(self._macros.get(current, ()))
        return other in seen

    def of_type(self, node: tree_sitter.Node, kind: str) -> list[str]:
        """Expressions of a type that are in scope at a node: variables, and lanes of some; the nearest so many."""
        return [*self._of_variables(node, kind)[:_MOST], *self._outside(node, kind)[:_MOST_OUTSIDE]]

    def every_of_type(self, node: tree_sitter.Node, kind: str) -> list[str]:
        """All of these."""
        return [*self._of_variables(node, kind), *self._outside(node, kind)]

    def of_places(self, node: tree_sitter.Node, kind: str) -> list[str]:
        """As `of_type`, with the lanes of places that are kept as four whole numbers."""
        return [*self._of_variables(node, kind, 4)[:_MOST], *self._outside(node, kind)[:_MOST_OUTSIDE]]

    def _of_variables(self, node: tree_sitter.Node, kind: str, most: int = 3) -> list[str]:
        found = []
        for name, own in self.variables(node):
            if own == kind:
                found.append(name)
            elif lanes_of(kind) == 1 and scalar_of(own) == kind and 1 < lanes_of(own) <= most:
                found.extend(f"{name}.{letter}" for letter in _LETTERS[: lanes_of(own)])
            else:
                found.extend(f"{name}.{field}" for field, inner in self._types.fields(own).items() if inner == kind)
        return found

    def _outside(self, node: tree_sitter.Node, kind: str) -> list[str]:
        outside = [*self._types.members.items(), *self._types.macros.items()]
        return [name for name, own in outside if own == kind and self.is_known(name, node)]

    def alike(self, name: str, node: tree_sitter.Node) -> list[str]:
        """Other functions of the shader with the signature and type of that one; macros that read other samplers.

        Those that a node may call.
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

    def of_one(self, kind: str, node: tree_sitter.Node) -> list[str]:
        """Functions of the shader that make one value of such a type from one, and that a node may call."""
        return [
            name
            for name, given in self._signatures.items()
            if given == (kind,) and self._types.function(name) == kind and self.is_known(name, node)
        ]

    def unused(self, node: tree_sitter.Node, kind: str) -> Iterator[str]:
        """Calls of the functions of the shader that nothing calls, of that type, of what is in scope at a node."""
        for name, kinds in self._signatures.items():
            if name in self._called or name == "main" or self._types.function(name) != kind:
                continue
            given = [self.of_type(node, each)[:_MOST_GIVEN] for each in kinds]
            if self.is_known(name, node):
                for chosen in itertools.islice(itertools.product(*given), _MOST):
                    yield f"{name}({', '.join(chosen)})"

    def _reading(self, macro: tree_sitter.Node) -> None:
        """Remembers a macro that is called after a sampler, as what it says of any one."""
        name, body = (macro.child_by_field_name(part) for part in ("name", "value"))
        for sampler, _ in sorted(self.samplers, key=lambda each: -len(each[0])):
            if name is not None and body is not None and text_of(name).startswith(f"{sampler}_"):
                own = re.compile(rf"\b{re.escape(sampler)}(?=\b|_)")
                self._readers[text_of(name)] = tuple(own.sub("", text_of(each)) for each in (name, body))
                return

    def in_place(self, node: tree_sitter.Node) -> Iterator[str]:
        """What macros of samplers read at the place that goes by the sampler's name, as `NAME_tex(NAME_pos)`."""
        for name, (ending, _) in self._readers.items():
            place = f"{name.removesuffix(ending)}_pos"
            if place in self._types.macros and self.is_known(name, node):
                yield f"{name}({place})"

    def reads(self, node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
        """Calls in the same function, of textures or functions of the shader, that may stand at a node as well."""
        known = {name for name, _ in (*self.variables(node), *self._types.visible(""))}
        function = next((each for each in parents(node) if each.type == "function_definition"), None)
        if function is None:
            return
        name = function_name(function)
        if name not in self._calls:
            calls = (each for each in walk(function) if each.type == "call_expression")
            self._calls[name] = tuple(each for each in calls if self.is_read(each))
        for call in self._calls[name]:
            used = {text_of(each) for each in walk(call) if each.type == "identifier" and not _is_function(each)}
            if used <= known:
                yield call

    def is_read(self, call: tree_sitter.Node) -> bool:
        """Whether a call has a sampler among its arguments, or is of a function of the shader that returns a value."""
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        if any("sampler" in self._types.of(each) for each in given) or function_called(call) in self._readers:
            return True
        return function_called(call) in self._signatures and bool(scalar_of(self._types.of(call)))

    def _above(self, node: tree_sitter.Node) -> Iterator[tuple[str, bool]]:
        """Names declared before a node, from the inside out, and whether that is outside all functions."""
        inner = node
        for each in parents(node):
            if each.type in ("compound_statement", "translation_unit"):
                before = [child for child in each.children if child.start_byte < inner.start_byte]
                is_outside = each.type == "translation_unit"
                branches = _branches(node)
                for child in reversed(before):
                    yield from ((name, is_outside) for name in _declared_in(child, branches))
            elif each.type == "for_statement":
                start = each.child_by_field_name("initializer")
                if start is not None and start != inner:
                    yield from ((name, False) for name in declared(start))
            elif each.type == "function_definition":
                for parameter in walk(each):
                    if parameter.type == "parameter_declaration":
                        yield declared_name(parameter), False
            inner = each
        if not self._is_dispatched:
            yield "gl_FragCoord", False


def _known_from(node: tree_sitter.Node) -> Iterator[str]:
    """What a node that stands outside all functions makes known."""
    if node.type in ("preproc_def", "preproc_function_def"):
        if (name := node.child_by_field_name("name")) is not None:
            yield text_of(name)
    elif node.type == "function_definition":
        yield function_name(node)
    elif node.type == "declaration" and function_around(node) is None:
        yield from declared(node)
        yield from (text_of(each) for each in node.named_children if each.type == "identifier")


def declared(node: tree_sitter.Node) -> Iterator[str]:
    """Names that a declaration gives; none of any other node."""
    if node.type != "declaration":
        return
    for child in node.children_by_field_name("declarator"):
        yield text_of(child) if child.type == "identifier" else declared_name(child)


def _branches(node: tree_sitter.Node) -> frozenset[tuple[str, bool]]:
    """The conditions of the preprocessor that a node stands behind, and whether in the part where they hold."""
    found: set[tuple[str, bool]] = set()
    inner = node
    for each in parents(node):
        if each.type in ("preproc_ifdef", "preproc_if"):
            found.add((_asked(each), each.child_by_field_name("alternative") != inner))
        inner = each
    return frozenset(found)


def _declared_in(node: tree_sitter.Node, branches: frozenset[tuple[str, bool]]) -> Iterator[str]:
    """What a declaration gives, and those in the parts of the preprocessor that are there where some branches are."""
    yield from declared(node)
    if node.type not in ("preproc_ifdef", "preproc_if"):
        return
    other = node.child_by_field_name("alternative")
    for child in reversed(node.named_children):
        if child != other and (_asked(node), True) in branches:
            yield from _declared_in(child, branches)
    if other is not None and other.type == "preproc_else" and (_asked(node), False) in branches:
        for child in reversed(other.named_children):
            yield from _declared_in(child, branches)


def _asked(node: tree_sitter.Node) -> str:
    condition = node.child_by_field_name("name") or node.child_by_field_name("condition")
    return text_of(node.children[0]) + (text_of(condition) if condition is not None else "")


def _is_function(node: tree_sitter.Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "call_expression" and parent.child_by_field_name("function") == node


_HOLDING = frozenset({"expression_statement", "declaration", "return_statement", "if_statement", "for_statement"})
