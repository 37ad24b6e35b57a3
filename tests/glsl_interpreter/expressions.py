"""Evaluates expressions of GLSL on the syntax tree."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager

import tree_sitter

from tests.glsl_interpreter import builtins
from tests.glsl_interpreter.operators import binary, unary
from tests.glsl_interpreter.places import Place, part_of
from tests.glsl_interpreter.textures import Texels
from tests.glsl_interpreter.values import (
    GlslError,
    Value,
    base_of,
    converted,
    lanes_of,
    matrix_of,
    scalar,
    single,
    vector,
)

_FETCHES = frozenset({"texelFetch", "texelFetchOffset"})
_SAMPLES = frozenset({"texture", "textureLod", "texture2D"})


class Expressions(ABC):
    """Evaluates; statements, variables and functions are the subclass's."""

    textures: dict[str, Texels]
    structs: dict[str, tuple[tuple[str, str], ...]]

    @abstractmethod
    def text(self, node: tree_sitter.Node) -> str:
        """Returns a node's text, as its author wrote it."""

    @abstractmethod
    def scope_of(self, name: str) -> dict[str, Value]:
        """The innermost scope that has a variable."""

    @abstractmethod
    def assigned(self, place: Place, value: Value) -> Value:
        """Puts a value into a place and notes it."""

    @abstractmethod
    def has_function(self, name: str) -> bool:
        """Whether the text defines a function."""

    @abstractmethod
    def call_function(self, name: str, arguments: Sequence[tree_sitter.Node]) -> Value:
        """Runs one of the text's functions."""

    @abstractmethod
    def read(self) -> None:
        """A texel was read."""

    def value(self, node: tree_sitter.Node) -> Value:
        """Evaluates an expression; its side effects happen."""
        handler = getattr(self, f"_{node.type}", None)
        if handler is None or node.has_error:
            raise GlslError(f"{node.type}: {self.text(node)}")
        found = handler(node)
        assert isinstance(found, Value)
        return found

    def _number_literal(self, node: tree_sitter.Node) -> Value:
        text = self.text(node).lower()
        if re.fullmatch(r"0x[0-9a-f]+u?|[0-9]+u?", text):
            digits = text.removesuffix("u")
            is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
            number = int(digits, 8) if is_octal else int(digits, 0)
            base = "uint" if text.endswith("u") else "int"
            return scalar(base, converted(base, number))
        return scalar("float", single(float(text.removesuffix("f").removesuffix("l"))))

    def _true(self, _node: tree_sitter.Node) -> Value:
        return scalar("bool", True)

    def _false(self, _node: tree_sitter.Node) -> Value:
        return scalar("bool", False)

    def _parenthesized_expression(self, node: tree_sitter.Node) -> Value:
        return self.value(node.named_children[0])

    def _identifier(self, node: tree_sitter.Node) -> Value:
        name = self.text(node)
        return self.scope_of(name)[name]

    def _comma_expression(self, node: tree_sitter.Node) -> Value:
        self.value(_field(node, "left"))
        return self.value(_field(node, "right"))

    def _conditional_expression(self, node: tree_sitter.Node) -> Value:
        taken = self.value(_field(node, "condition")).number
        return self.value(_field(node, "consequence" if taken else "alternative"))

    def _unary_expression(self, node: tree_sitter.Node) -> Value:
        return unary(self.text(_field(node, "operator")), self.value(_field(node, "argument")))

    def _binary_expression(self, node: tree_sitter.Node) -> Value:
        sign = self.text(_field(node, "operator"))
        one = self.value(_field(node, "left"))
        if sign == "&&":
            return scalar("bool", one.number and self.value(_field(node, "right")).number)
        if sign == "||":
            return scalar("bool", one.number or self.value(_field(node, "right")).number)
        return binary(sign, one, self.value(_field(node, "right")))

    def _subscript_expression(self, node: tree_sitter.Node) -> Value:
        value = self.value(_field(node, "argument"))
        return part_of(value, self.value(_field(node, "index")).number)

    def _field_expression(self, node: tree_sitter.Node) -> Value:
        return part_of(self.value(_field(node, "argument")), self.text(_field(node, "field")))

    def _update_expression(self, node: tree_sitter.Node) -> Value:
        place = self.place(_field(node, "argument"))
        before = place.value
        one = scalar(before.base, converted(before.base, 1))
        after = self.assigned(place, binary(self.text(_field(node, "operator"))[0], before, one))
        is_prefix = _field(node, "operator").start_byte < _field(node, "argument").start_byte
        return after if is_prefix else before

    @abstractmethod
    def assigning(self, node: tree_sitter.Node) -> AbstractContextManager[None]:
        """Wraps each assignment."""

    def _assignment_expression(self, node: tree_sitter.Node) -> Value:
        with self.assigning(node):
            return self._assigned(node)

    def _assigned(self, node: tree_sitter.Node) -> Value:
        sign = self.text(_field(node, "operator"))
        place = self.place(_field(node, "left"))
        value = self.value(_field(node, "right"))
        if sign != "=":
            value = binary(sign[:-1], place.value, value)
        return self.assigned(place, value)

    def place(self, node: tree_sitter.Node) -> Place:
        """Returns the place that an expression assigns to."""
        if node.type == "identifier":
            name = self.text(node)
            return Place(self.scope_of(name), name)
        if node.type == "parenthesized_expression":
            return self.place(node.named_children[0])
        if node.type == "field_expression":
            return self.place(_field(node, "argument")).inside(self.text(_field(node, "field")))
        if node.type == "subscript_expression":
            inner = self.place(_field(node, "argument"))
            return inner.inside(self.value(_field(node, "index")).number)
        raise GlslError(f"assignment to {node.type}: {self.text(node)}")

    def _call_expression(self, node: tree_sitter.Node) -> Value:
        function, arguments = _field(node, "function"), _field(node, "arguments").named_children
        arguments = [each for each in arguments if each.type != "comment"]
        if function.type == "field_expression":
            return scalar("int", len(self.value(_field(function, "argument")).lanes))
        name = self.text(function)
        if function.type == "subscript_expression":
            return self._array(self.text(_field(function, "argument")), arguments)
        if self.has_function(name):
            return self.call_function(name, arguments)
        if name in self.structs:
            names = tuple(member for _, member in self.structs[name])
            return Value(name, tuple(self.value(each) for each in arguments), names)
        if lanes_of(name):
            return _constructed(name, [self.value(each) for each in arguments])
        if name in _FETCHES or name in _SAMPLES or name == "textureSize":
            return self._texture(name, [self.value(each) for each in arguments])
        if not builtins.known(name):
            raise GlslError(f"the function {name}")
        return builtins.call(name, [self.value(each) for each in arguments])

    def _array(self, element: str, arguments: Sequence[tree_sitter.Node]) -> Value:
        values = tuple(self.value(each) for each in arguments)
        return Value(f"{element}[{len(values)}]", tuple(_constructed(element, [each]) for each in values))

    def _texture(self, name: str, values: list[Value]) -> Value:
        texels = self.textures[values[0].number]
        if name == "textureSize":
            return vector("int", texels.size)
        self.read()
        if name in _FETCHES:
            x, y = values[1].lanes
            if name == "texelFetchOffset":
                x, y = x + values[3].lanes[0], y + values[3].lanes[1]
            return vector("float", texels.fetch(x, y))
        return vector("float", texels.nearest(*values[1].lanes[:2]))


def _field(node: tree_sitter.Node, name: str) -> tree_sitter.Node:
    found = node.child_by_field_name(name)
    if found is None:
        raise GlslError(f"{node.type} without {name}")
    return found


def _constructed(name: str, values: list[Value]) -> Value:
    """`vec3(x, 1.0, 2.0)`, `mat2(1.0)`, `int(x)`; of an array's or struct's element the value itself."""
    base = base_of(name)
    if not base or (len(values) == 1 and values[0].type == name):
        return values[0]
    columns, rows = matrix_of(name)
    if columns and len(values) == 1:
        return _matrix(name, columns, rows, values[0])
    numbers = [converted(base, number) for value in values for number in value.lanes]
    if len(numbers) == 1:
        numbers *= lanes_of(name)
    return Value(name, tuple(numbers[: lanes_of(name)]))


def _matrix(name: str, columns: int, rows: int, value: Value) -> Value:
    more_columns, more_rows = matrix_of(value.type)
    numbers = []
    for column in range(columns):
        for row in range(rows):
            identity = float(column == row)
            if not more_columns:
                numbers.append(value.number if identity else 0.0)
            else:
                inside = column < more_columns and row < more_rows
                numbers.append(value.lanes[column * more_rows + row] if inside else identity)
    return Value(name, tuple(converted("float", number) for number in numbers))
