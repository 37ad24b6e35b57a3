"""Runs the body of a block on values that represent texels, and returns what it returns or stores.

Statements run in order as in GLSL: loops with known counts are unrolled, helper functions
entered, macros expanded before. Nothing that depends on a texel's value or the pixel's place is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from texelscope.pipeline.dialects.mpv.network.surroundings import (
    LOCAL,
    BlockSurroundings,
    SharedArray,
    SharedStore,
    elsewhere,
    place_key,
    stores_in,
    subscripts,
)
from texelscope.pipeline.dialects.mpv.network.values import (
    ZERO,
    LiteralNumber,
    NotUnderstoodError,
    Scalar,
    is_list,
    number,
    numbers,
)
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import declared_name, function_name
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    CompoundStatement,
    Declaration,
    ElseClause,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode, Token

_MOST_TURNS = 4096
_DEEPEST_CALL = 16
# The most statements of a run: nested loops must not delay the opening of an untrusted file.
_MOST_STATEMENTS = 1 << 17
_NO_EFFECT = frozenset({"barrier", "memoryBarrierShared", "memoryBarrier", "groupMemoryBarrier"})


class _Returned(Exception):  # noqa: N818 - no error: this ends a function
    def __init__(self, value: Value | None) -> None:
        super().__init__()
        self.value = value


class BlockEvaluation:
    """Runs a block's text once over the values of `surroundings`; see `run`."""

    def __init__(self, root: SyntaxNode, surroundings: BlockSurroundings, first_line: int = 1) -> None:
        self._surroundings = surroundings
        self._first_line = first_line
        self._functions = {function_name(each): each for each in root.children if isinstance(each, FunctionDefinition)}
        self._scopes: list[dict[str, Value | SharedArray]] = [dict(surroundings.words)]
        self._depth = 0
        self._done = 0
        for each in root.children:
            if isinstance(each, Declaration):
                self._statement(each)

    def run(self) -> Value | None:
        """Returns the result of hook(). Raises NotUnderstoodError, with the line, for unsupported code."""
        if "hook" not in self._functions:
            raise NotUnderstoodError("no function hook()", self._first_line)
        return self._inlined("hook", [])

    # -- statements --------------------------------------------------------------------------------------------

    def _statement(self, node: SyntaxNode) -> None:
        try:
            self._do(node)
        except NotUnderstoodError as error:
            if error.line:
                raise
            raise NotUnderstoodError(error.what, node.row + self._first_line) from error

    def _do(self, node: SyntaxNode) -> None:
        self._done += 1
        if self._done > _MOST_STATEMENTS:
            raise NotUnderstoodError(f"more than {_MOST_STATEMENTS} statements one after another")
        match node:
            case Declaration():
                self._declare(node)
            case ExpressionStatement():
                for child in node.named_children:
                    self._value(child)
            case ReturnStatement():
                raise _Returned(self._value(node.named_children[0]) if node.named_children else None)
            case CompoundStatement():
                self._scoped(node.named_children)
            case IfStatement():
                self._branch(node)
            case ForLoop():
                self._loop(node)
            case Comment() | Token(kind=";"):
                pass
            case _:
                raise NotUnderstoodError(f"'{node.text.splitlines()[0].strip()[:60]}'")

    def _scoped(self, statements: Sequence[SyntaxNode]) -> None:
        self._scopes.append({})
        try:
            for each in statements:
                self._statement(each)
        finally:
            self._scopes.pop()

    def _declare(self, node: Declaration) -> None:
        name = node.type.text if node.type is not None else ""
        empty = constructed(name, [ZERO]) if is_type(name) else ZERO
        is_shared = any(not isinstance(child, Comment) and child.text == "shared" for child in node.children)
        for declarator in node.declarators:
            if isinstance(declarator, InitDeclarator):
                self._scopes[-1][declarator.declarator.text] = converted(name, self._value(declarator.value))
            elif isinstance(declarator, ArrayDeclarator):
                sizes = self._array_sizes(declarator)
                self._scopes[-1][sizes[0]] = SharedArray() if is_shared else zeros(sizes[1], empty)
            else:
                self._scopes[-1][declarator.text] = empty

    def _array_sizes(self, node: SyntaxNode) -> tuple[str, list[int]]:
        sizes: list[int] = []
        while isinstance(node, ArrayDeclarator):
            sizes.insert(0, self._count(node.size) if node.size is not None else 0)
            node = node.declarator
        return node.text, sizes

    def _count(self, node: SyntaxNode) -> int:
        value = scalar_of(self._value(node))
        if not isinstance(value, LiteralNumber):
            raise NotUnderstoodError(f"'{node.text}', which is no number")
        return int(value.value)

    def _branch(self, node: IfStatement) -> None:
        other = node.alternative
        if self._count(node.condition):
            self._scoped([node.consequence])
        elif other is not None:
            self._scoped(other.named_children if isinstance(other, ElseClause) else [other])

    def _loop(self, node: ForLoop) -> None:
        start, condition, update = node.initializer, node.condition, node.update
        if start is None or condition is None or update is None:
            raise NotUnderstoodError("a loop without start, condition and step")
        self._scopes.append({})
        try:
            self._statement(start)
            if self._fill(node):
                return
            for _ in range(_MOST_TURNS):
                if not self._count(condition):
                    return
                self._scoped([node.body])
                self._value(update)
            raise NotUnderstoodError(f"a loop of more than {_MOST_TURNS} turns")
        finally:
            self._scopes.pop()

    def _fill(self, node: ForLoop) -> bool:
        """Whether a loop fills shared memory; its stores are evaluated when they are read."""
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
            if store not in array.tried:  # another invocation that stores this element has to store the same value
                others = dict.fromkeys(("x", "y", *LOCAL), 1)
                other = self._stored(store, [scalar_of(index) for index in indices], others)
                if other is None or not all(map(is_same_form, lanes_of(value), lanes_of(other))):
                    raise NotUnderstoodError("shared memory that depends on which invocation fills it")
                array.tried.append(store)
            return value
        raise NotUnderstoodError("shared memory that nothing was stored to")

    def _stored(self, store: SharedStore, indices: Sequence[Scalar], steps: Mapping[str, int]) -> Value | None:
        """Returns what the invocation `steps` further on stores there; None if it stores another element."""
        if len(store.places) != len(indices):
            return None
        outer = self._scopes
        self._scopes = [elsewhere(scope, steps) for scope in outer] if steps else [*outer]
        scope: dict[str, Value | SharedArray] = dict.fromkeys(store.loops, LiteralNumber(0.0, integer=True))
        self._scopes.append(scope)
        try:
            for _ in range(2):  # first find the distance of the element, then go there
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

    def _value(self, node: SyntaxNode) -> Value:
        match node:
            case NumberLiteral():
                return number(node.text, node.row + self._first_line)
            case Identifier():
                return self._named(node)
            case Parenthesised():
                return self._value([child for child in node.named_children if not isinstance(child, Comment)][-1])
            case UnaryExpression():
                return self._negated(node)
            case BinaryExpression():
                return operated(node.operator, self._value(node.left), self._value(node.right))
            case ConditionalExpression():
                return self._value(node.consequence if self._count(node.condition) else node.alternative)
            case FieldAccess():
                return self._field(node)
            case Subscript():
                return self._element(node)
            case FunctionCall():
                return self._called(node)
            case Assignment():
                return self._assigned(node)
            case UpdateExpression():
                return self._updated(node)
        raise NotUnderstoodError(f"'{' '.join(node.text.split())[:60]}'")

    def _named(self, node: Identifier) -> Value:
        value = self._find(node.text)
        if isinstance(value, SharedArray):
            raise NotUnderstoodError(f"the whole array '{node.text}'")
        return value

    def _find(self, name: str) -> Value | SharedArray:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        raise NotUnderstoodError(f"'{name}', whose value is unknown here")

    def _negated(self, node: UnaryExpression) -> Value:
        value = self._value(node.argument)
        if node.operator == "!":
            return operated("==", value, ZERO)
        if node.operator not in "+-":
            raise NotUnderstoodError(f"the operator {node.operator}")
        return negative(value) if node.operator == "-" else value

    def _field(self, node: FieldAccess) -> Value:
        value = lanes_of(self._value(node.argument))
        lanes = swizzle(node.field.text, len(value))
        return value[lanes[0]] if len(lanes) == 1 else tuple(value[lane] for lane in lanes)

    def _element(self, node: Subscript) -> Value:
        name, places = subscripts(node)
        known = next((scope[name] for scope in reversed(self._scopes) if name in scope), None)
        if isinstance(known, SharedArray):
            return self._read_shared(known, [self._value(place) for place in places])
        value, at = self._value(node.argument), self._count(node.index)
        items = value.columns if isinstance(value, Matrix) else value
        if not isinstance(items, tuple | list) or not 0 <= at < len(items):
            raise NotUnderstoodError(f"element {at} of '{node.argument.text[:40]}'")
        element: Value = items[at]
        return element

    def _called(self, node: FunctionCall) -> Value:
        name, inside = node.name, node.argument_list
        text = inside.text
        arguments: list[Value]
        if is_type(name) and is_list(text):
            arguments = list(numbers(text, inside.row + self._first_line))
        else:
            arguments = [self._value(child) for child in inside.named_children if not isinstance(child, Comment)]
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
        names = [name for each in function.parameters if (name := declared_name(each))]
        if len(names) != len(arguments) or self._depth >= _DEEPEST_CALL:
            raise NotUnderstoodError(f"a call of {name}() with {len(arguments)} arguments, {self._depth} calls deep")
        outer, self._scopes = self._scopes, [self._scopes[0], dict(zip(names, arguments, strict=True))]
        self._depth += 1
        try:
            self._statement(function.body)
        except _Returned as returned:
            return returned.value
        finally:
            self._scopes, self._depth = outer, self._depth - 1
        return None

    # -- assignments -------------------------------------------------------------------------------------------

    def _assigned(self, node: Assignment) -> Value:
        value = self._value(node.right)
        if node.operator != "=":
            value = operated(node.operator[:-1], self._value(node.left), value)
        self._assign(node.left, value)
        return value

    def _updated(self, node: UpdateExpression) -> Value:
        before = self._value(node.argument)
        after = operated("+" if node.operator == "++" else "-", before, LiteralNumber(1.0, integer=True))
        self._assign(node.argument, after)
        return after if node.is_before else before

    def _assign(self, target: SyntaxNode, value: Value) -> None:
        if isinstance(target, Identifier):
            self._set(target.text, value)
            return
        if not isinstance(target, FieldAccess | Subscript):
            raise NotUnderstoodError(f"an assignment to '{target.text[:40]}'")
        before = self._value(target.argument)
        if isinstance(target, FieldAccess):
            lanes = swizzle(target.field.text, len(lanes_of(before)))
        else:
            lanes = [self._count(target.index)]
            count = len(before) if isinstance(before, list) else len(lanes_of(before))
            if not 0 <= lanes[0] < count:
                raise NotUnderstoodError(f"element {lanes[0]} of '{target.argument.text[:40]}'")
        if isinstance(before, list):
            before[lanes[0]] = value
            return
        changed: list[Scalar] = list(lanes_of(before))
        values = lanes_of(value)
        if len(values) != len(lanes):
            raise NotUnderstoodError(f"{len(values)} lanes for {len(lanes)} of '{target.text[:40]}'")
        for lane, new in zip(lanes, values, strict=True):
            changed[lane] = new
        self._assign(target.argument, tuple(changed))

    def _set(self, name: str, value: Value) -> None:
        for scope in reversed(self._scopes):
            if name in scope:
                scope[name] = value
                return
        raise NotUnderstoodError(f"'{name}', which is not declared")
