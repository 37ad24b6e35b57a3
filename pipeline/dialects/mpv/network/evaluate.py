"""Runs the body of a block on values that stand for texels, and tells what it returns or stores.

Statements are done one after another as GLSL has them: loops whose counts are known are gone through, helper functions
entered, macros written out before. What hangs on a texel's value or on where the pixel lies is not guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from texelscope.pipeline.dialects.mpv.network.calls import (
    Matrix,
    Value,
    called,
    constructed,
    converted,
    is_same,
    is_same_form,
    is_type,
    lanes_of,
    negative,
    operated,
    scalar_of,
    swizzle,
    zeros,
)
from texelscope.pipeline.dialects.mpv.network.literals import is_list, number, numbers
from texelscope.pipeline.dialects.mpv.network.shared import (
    LOCAL,
    SharedArray,
    SharedStore,
    elsewhere,
    place_key,
    stores_in,
    subscripts,
)
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings
from texelscope.pipeline.dialects.mpv.network.values import ZERO, LiteralNumber, NotUnderstoodError, Scalar
from texelscope.pipeline.glsl.syntax import declared_name, function_called, function_name, text_of

if TYPE_CHECKING:
    import tree_sitter

_MOST_TURNS = 4096
_DEEPEST_CALL = 16
# Of one run of a body: loops in loops must not hold up whoever opens a stranger's file.
_MOST_STATEMENTS = 1 << 17
_NO_EFFECT = frozenset({"barrier", "memoryBarrierShared", "memoryBarrier", "groupMemoryBarrier"})


class _Returned(Exception):  # noqa: N818 - no error: how a function ends
    def __init__(self, value: Value | None) -> None:
        super().__init__()
        self.value = value


class BlockEvaluation:
    """One run of a block's text over what `surroundings` has; see `run`."""

    def __init__(self, root: tree_sitter.Node, surroundings: BlockSurroundings, first_line: int = 1) -> None:
        self._surroundings = surroundings
        self._first_line = first_line
        self._functions = {function_name(each): each for each in root.children if each.type == "function_definition"}
        self._scopes: list[dict[str, Value | SharedArray]] = [dict(surroundings.words)]
        self._depth = 0
        self._done = 0
        for each in root.children:
            if each.type == "declaration":
                self._statement(each)

    def run(self) -> Value | None:
        """What hook() returns. Raises NotUnderstoodError, with the line, for what is not understood."""
        if "hook" not in self._functions:
            raise NotUnderstoodError("no function hook()", self._first_line)
        return self._inlined("hook", [])

    # -- statements --------------------------------------------------------------------------------------------

    def _statement(self, node: tree_sitter.Node) -> None:
        try:
            self._do(node)
        except NotUnderstoodError as error:
            if error.line:
                raise
            raise NotUnderstoodError(error.what, node.start_point[0] + self._first_line) from error

    def _do(self, node: tree_sitter.Node) -> None:
        self._done += 1
        if self._done > _MOST_STATEMENTS:
            raise NotUnderstoodError(f"more than {_MOST_STATEMENTS} statements one after another")
        kind = node.type
        if kind == "declaration":
            self._declare(node)
        elif kind == "expression_statement":
            for child in node.named_children:
                self._value(child)
        elif kind == "return_statement":
            raise _Returned(self._value(node.named_children[0]) if node.named_children else None)
        elif kind == "compound_statement":
            self._scoped(node.named_children)
        elif kind == "if_statement":
            self._branch(node)
        elif kind == "for_statement":
            self._loop(node)
        elif kind not in ("comment", ";"):
            raise NotUnderstoodError(f"'{text_of(node).splitlines()[0].strip()[:60]}'")

    def _scoped(self, statements: Sequence[tree_sitter.Node]) -> None:
        self._scopes.append({})
        try:
            for each in statements:
                self._statement(each)
        finally:
            self._scopes.pop()

    def _declare(self, node: tree_sitter.Node) -> None:
        kind = node.child_by_field_name("type")
        name = text_of(kind) if kind is not None else ""
        empty = constructed(name, [ZERO]) if is_type(name) else ZERO
        is_shared = any(child.type != "comment" and text_of(child) == "shared" for child in node.children)
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type == "init_declarator":
                value = declarator.child_by_field_name("value")
                assert value is not None
                target = declarator.child_by_field_name("declarator")
                self._scopes[-1][text_of(target) if target else ""] = converted(name, self._value(value))
            elif declarator.type == "array_declarator":
                sizes = self._array_sizes(declarator)
                self._scopes[-1][sizes[0]] = SharedArray() if is_shared else zeros(sizes[1], empty)
            else:
                self._scopes[-1][text_of(declarator)] = empty

    def _array_sizes(self, node: tree_sitter.Node) -> tuple[str, list[int]]:
        sizes: list[int] = []
        while node.type == "array_declarator":
            size = node.child_by_field_name("size")
            sizes.insert(0, self._count(size) if size is not None else 0)
            inner = node.child_by_field_name("declarator")
            assert inner is not None
            node = inner
        return text_of(node), sizes

    def _count(self, node: tree_sitter.Node) -> int:
        value = scalar_of(self._value(node))
        if not isinstance(value, LiteralNumber):
            raise NotUnderstoodError(f"'{text_of(node)}', which is no number")
        return int(value.value)

    def _branch(self, node: tree_sitter.Node) -> None:
        condition, taken, other = (node.child_by_field_name(n) for n in ("condition", "consequence", "alternative"))
        assert condition is not None
        assert taken is not None
        if self._count(condition):
            self._scoped([taken])
        elif other is not None:
            self._scoped(list(other.named_children) if other.type == "else_clause" else [other])

    def _loop(self, node: tree_sitter.Node) -> None:
        start, condition, update, body = (
            node.child_by_field_name(name) for name in ("initializer", "condition", "update", "body")
        )
        if start is None or condition is None or update is None or body is None:
            raise NotUnderstoodError("a loop without start, condition and step")
        self._scopes.append({})
        try:
            self._statement(start)
            if self._fill(node):
                return
            for _ in range(_MOST_TURNS):
                if not self._count(condition):
                    return
                self._scoped([body])
                self._value(update)
            raise NotUnderstoodError(f"a loop of more than {_MOST_TURNS} turns")
        finally:
            self._scopes.pop()

    def _fill(self, node: tree_sitter.Node) -> bool:
        """Whether a loop fills shared memory; what it stores there is made when it is read."""
        if not any(isinstance(value, SharedArray) for scope in self._scopes for value in scope.values()):
            return False
        found = [(self._find(name), store) for name, store in stores_in(node)]
        for array, store in found:
            if isinstance(array, SharedArray):
                array.stores.append(store)
        return any(isinstance(array, SharedArray) for array, _ in found)

    def _read_shared(self, array: SharedArray, indices: Sequence[Value]) -> Value:
        key = tuple(map(place_key, indices))
        if key not in array.made:
            array.made[key] = self._made(array, indices)
        return array.made[key]

    def _made(self, array: SharedArray, indices: Sequence[Value]) -> Value:
        for store in reversed(array.stores):
            value = self._stored(store, [scalar_of(index) for index in indices], {})
            if value is None:
                continue
            if store not in array.tried:  # another invocation that stores the same element has to store the same
                others = dict.fromkeys(("x", "y", *LOCAL), 1)
                other = self._stored(store, [scalar_of(index) for index in indices], others)
                if other is None or not all(map(is_same_form, lanes_of(value), lanes_of(other))):
                    raise NotUnderstoodError("shared memory that depends on which invocation fills it")
                array.tried.append(store)
            return value
        raise NotUnderstoodError("shared memory that nothing was stored to")

    def _stored(self, store: SharedStore, indices: Sequence[Scalar], steps: Mapping[str, int]) -> Value | None:
        """What the store puts there, done by the invocation that lies `steps` on; None if it is of another element."""
        if len(store.places) != len(indices):
            return None
        outer = self._scopes
        self._scopes = [elsewhere(scope, steps) for scope in outer] if steps else [*outer]
        scope: dict[str, Value | SharedArray] = dict.fromkeys(store.loops, LiteralNumber(0.0, integer=True))
        self._scopes.append(scope)
        try:
            for _ in range(2):  # first how far the element is, then there
                for each in store.declarations:
                    self._statement(each)
                for place, index in zip(store.places, indices, strict=True):
                    loop = store.loop_behind(place)
                    if loop is not None:
                        left = operated("-", index, self._value(place))
                        before = scope[loop]
                        assert not isinstance(before, SharedArray)
                        scope[loop] = operated("+", before, left)
            for each in store.declarations:
                self._statement(each)
            if all(is_same(self._value(place), index) for place, index in zip(store.places, indices, strict=True)):
                return self._value(store.value)
            return None
        finally:
            self._scopes = outer

    # -- expressions -------------------------------------------------------------------------------------------

    def _value(self, node: tree_sitter.Node) -> Value:
        made = getattr(self, f"_of_{node.type}", None)
        if made is None:
            raise NotUnderstoodError(f"'{' '.join(text_of(node).split())[:60]}'")
        value: Value = made(node)
        return value

    def _of_number_literal(self, node: tree_sitter.Node) -> Value:
        return number(text_of(node), node.start_point[0] + self._first_line)

    def _of_identifier(self, node: tree_sitter.Node) -> Value:
        value = self._find(text_of(node))
        if isinstance(value, SharedArray):
            raise NotUnderstoodError(f"the whole array '{text_of(node)}'")
        return value

    def _find(self, name: str) -> Value | SharedArray:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        raise NotUnderstoodError(f"'{name}', of which no value is known here")

    def _of_parenthesized_expression(self, node: tree_sitter.Node) -> Value:
        inner = [child for child in node.named_children if child.type != "comment"]
        return self._value(inner[-1])

    def _of_unary_expression(self, node: tree_sitter.Node) -> Value:
        operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
        assert argument is not None
        value = self._value(argument)
        sign = text_of(operator) if operator is not None else text_of(node.children[0])
        if sign == "!":
            return operated("==", value, ZERO)
        if sign not in "+-":
            raise NotUnderstoodError(f"the operator {sign}")
        return negative(value) if sign == "-" else value

    def _of_binary_expression(self, node: tree_sitter.Node) -> Value:
        left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
        assert left is not None
        assert right is not None
        sign = text_of(operator) if operator is not None else text_of(node.children[1])
        return operated(sign, self._value(left), self._value(right))

    def _of_conditional_expression(self, node: tree_sitter.Node) -> Value:
        condition, yes, no = (node.child_by_field_name(n) for n in ("condition", "consequence", "alternative"))
        assert condition is not None
        taken = yes if self._count(condition) else no
        assert taken is not None
        return self._value(taken)

    def _of_field_expression(self, node: tree_sitter.Node) -> Value:
        argument, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        assert argument is not None
        value = lanes_of(self._value(argument))
        lanes = swizzle(text_of(field) if field is not None else "", len(value))
        return value[lanes[0]] if len(lanes) == 1 else tuple(value[lane] for lane in lanes)

    def _of_subscript_expression(self, node: tree_sitter.Node) -> Value:
        name, places = subscripts(node)
        known = next((scope[name] for scope in reversed(self._scopes) if name in scope), None)
        if isinstance(known, SharedArray):
            return self._read_shared(known, [self._value(place) for place in places])
        argument, index = node.child_by_field_name("argument"), node.child_by_field_name("index")
        assert argument is not None
        assert index is not None
        value, at = self._value(argument), self._count(index)
        items = value.columns if isinstance(value, Matrix) else value
        if not isinstance(items, tuple | list) or not 0 <= at < len(items):
            raise NotUnderstoodError(f"element {at} of '{text_of(argument)[:40]}'")
        element: Value = items[at]
        return element

    def _of_call_expression(self, node: tree_sitter.Node) -> Value:
        name, inside = function_called(node), node.child_by_field_name("arguments")
        assert inside is not None
        text = text_of(inside)
        arguments: list[Value]
        if is_type(name) and is_list(text):
            arguments = list(numbers(text, inside.start_point[0] + self._first_line))
        else:
            arguments = [self._value(child) for child in inside.named_children if child.type != "comment"]
        if is_type(name):
            return constructed(name, arguments)
        if name in _NO_EFFECT:
            return ZERO
        if name in self._functions:
            result = self._inlined(name, arguments)
            return ZERO if result is None else result
        special = self._surroundings.call(name, arguments)
        return called(name, arguments) if special is None else special

    def _inlined(self, name: str, arguments: Sequence[Value]) -> Value | None:
        function = self._functions[name]
        declarator, body = (function.child_by_field_name(field) for field in ("declarator", "body"))
        assert declarator is not None
        assert body is not None
        parameters = declarator.child_by_field_name("parameters")
        names = [declared_name(each) for each in parameters.named_children] if parameters is not None else []
        names = [each for each in names if each]
        if len(names) != len(arguments) or self._depth >= _DEEPEST_CALL:
            raise NotUnderstoodError(f"a call of {name}() with {len(arguments)} arguments, {self._depth} calls deep")
        outer, self._scopes = self._scopes, [self._scopes[0], dict(zip(names, arguments, strict=True))]
        self._depth += 1
        try:
            self._statement(body)
        except _Returned as returned:
            return returned.value
        finally:
            self._scopes, self._depth = outer, self._depth - 1
        return None

    # -- assignments -------------------------------------------------------------------------------------------

    def _of_assignment_expression(self, node: tree_sitter.Node) -> Value:
        left, operator, right = (node.child_by_field_name(name) for name in ("left", "operator", "right"))
        assert left is not None
        assert right is not None
        sign = text_of(operator) if operator is not None else text_of(node.children[1])
        value = self._value(right)
        if sign != "=":
            value = operated(sign[:-1], self._value(left), value)
        self._assign(left, value)
        return value

    def _of_update_expression(self, node: tree_sitter.Node) -> Value:
        argument = node.child_by_field_name("argument")
        assert argument is not None
        before = self._value(argument)
        after = operated("+" if "++" in text_of(node) else "-", before, LiteralNumber(1.0, integer=True))
        self._assign(argument, after)
        return after if text_of(node).startswith(("+", "-")) else before

    def _assign(self, target: tree_sitter.Node, value: Value) -> None:
        if target.type == "identifier":
            self._set(text_of(target), value)
            return
        argument = target.child_by_field_name("argument")
        if argument is None or target.type not in ("field_expression", "subscript_expression"):
            raise NotUnderstoodError(f"an assignment to '{text_of(target)[:40]}'")
        before = self._value(argument)
        if target.type == "field_expression":
            field = target.child_by_field_name("field")
            lanes = swizzle(text_of(field) if field is not None else "", len(lanes_of(before)))
        else:
            index = target.child_by_field_name("index")
            assert index is not None
            lanes = [self._count(index)]
            count = len(before) if isinstance(before, list) else len(lanes_of(before))
            if not 0 <= lanes[0] < count:
                raise NotUnderstoodError(f"element {lanes[0]} of '{text_of(argument)[:40]}'")
        if isinstance(before, list):
            before[lanes[0]] = value
            return
        changed: list[Scalar] = list(lanes_of(before))
        values = lanes_of(value)
        if len(values) != len(lanes):
            raise NotUnderstoodError(f"{len(values)} lanes for {len(lanes)} of '{text_of(target)[:40]}'")
        for lane, new in zip(lanes, values, strict=True):
            changed[lane] = new
        self._assign(argument, tuple(changed))

    def _set(self, name: str, value: Value) -> None:
        for scope in reversed(self._scopes):
            if name in scope:
                scope[name] = value
                return
        raise NotUnderstoodError(f"'{name}', which nobody declares")
