"""Computes the expressions of a block's text: names, calls, and the assignments in them, over values of texels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from texelscope.pipeline.dialects.mpv.network.block_functions import (
    BlockFunction,
    BlockFunctions,
    root_of,
)
from texelscope.pipeline.dialects.mpv.network.calls import called, constructed, negative, operated, swizzle
from texelscope.pipeline.dialects.mpv.network.literals import is_list, number, numbers
from texelscope.pipeline.dialects.mpv.network.scopes import (
    AssignmentTarget,
    Scopes,
    SharedArray,
    Variable,
    part_of,
    with_part,
)
from texelscope.pipeline.dialects.mpv.network.shared_memory import Filling, SharedMemory
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings
from texelscope.pipeline.dialects.mpv.network.values import ZERO, LiteralNumber, NotUnderstoodError
from texelscope.pipeline.dialects.mpv.network.variable_types import (
    ArrayValue,
    Matrix,
    StructureValue,
    Value,
    VariableType,
    is_type,
    lanes_in,
    lanes_of,
    scalar_of,
    sides_of,
    type_of,
)
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    CommaExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    InitializerList,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import bare
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    DoWhileLoop,
    ForLoop,
    StructSpecifier,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode

_NO_EFFECT = frozenset({"barrier", "memoryBarrierShared", "memoryBarrier", "groupMemoryBarrier"})
# What stands for the brackets in a constructor of an array without a size: float[](…) is parsed as float__(…).
UNSIZED = "_"
_TRUE, _FALSE = LiteralNumber(1.0, integer=True), LiteralNumber(0.0, integer=True)


class ExpressionEvaluation(ABC):
    """Computes expressions over the variables in `scopes`; `filling` is the run of a store to shared memory, if any."""

    def __init__(self, root: SyntaxNode, surroundings: BlockSurroundings, first_line: int) -> None:
        self._surroundings = surroundings
        self._first_line = first_line
        self._structures: dict[str, Mapping[str, VariableType]] = {}
        self.functions = BlockFunctions(root)
        self.scopes = Scopes([{name: Variable(value) for name, value in surroundings.words.items()}])
        self.filling: Filling | None = None
        self._shared = SharedMemory(self)

    @property
    def next_invocation(self) -> Mapping[str, int]:
        """Returns the distance to the next invocation of the group, by symbol."""
        return self._surroundings.next_invocation

    @abstractmethod
    def entered(self, function: BlockFunction, arguments: Sequence[Value]) -> tuple[Value, list[Value]]:
        """Runs a function of the block; returns its result, and what is left in its parameters that come back."""

    @abstractmethod
    def barrier(self) -> None:
        """Waits for the other invocations of the group."""

    @abstractmethod
    def started(self, node: ForLoop) -> None:
        """Runs what a loop begins with."""

    @abstractmethod
    def turned(self, node: ForLoop | WhileLoop | DoWhileLoop) -> bool:
        """Runs the body of a loop once; returns whether the loop goes on."""

    # -- types and functions -----------------------------------------------------------------------------------

    def type_named(self, node: SyntaxNode | None, declarator: SyntaxNode | None = None) -> VariableType:
        """Returns the type that a declarator has, `node` being the type before it."""
        name = node.text if node is not None else ""
        if isinstance(node, StructSpecifier):
            self.define(node)
            name = node.name.text if node.name is not None else ""
        sizes: list[int] = []
        while isinstance(declarator, ArrayDeclarator):
            sizes.insert(0, self.count(declarator.size) if declarator.size is not None else 0)
            declarator = declarator.declarator
        return VariableType(name, tuple(sizes), self._structures)

    def define(self, node: StructSpecifier) -> None:
        """Adds a structure that the text defines."""
        if node.body is None or node.name is None:
            return
        members = {
            name_in(declarator): self.type_named(line.type, declarator)
            for line in node.body.lines
            for declarator in line.declarators
        }
        self._structures[node.name.text] = MappingProxyType(members)
        VariableType(node.name.text, (), self._structures).leaves()

    def initial(self, kind: VariableType, node: SyntaxNode) -> Value:
        """Returns the value of an initialiser as the type holds it: of an expression, or of a list in braces."""
        if not isinstance(node, InitializerList):
            return kind.converted(self.value(node))
        parts = [child for child in node.named_children if not isinstance(child, Comment)]
        if kind.sizes:
            if kind.sizes[0] not in (0, len(parts)):
                raise NotUnderstoodError(f"a list of {len(parts)} for an array of {kind.sizes[0]}")
            return ArrayValue(tuple(self.initial(kind.element(), part) for part in parts))
        members = self._structures.get(kind.name)
        count = lanes_in(kind.name) or (sides_of(kind.name) or (1,))[0] if members is None else len(members)
        if len(parts) != count:
            raise NotUnderstoodError(f"a list of {len(parts)} for a '{kind.name}'")
        if members is not None:
            values = {
                name: self.initial(type_, part) for (name, type_), part in zip(members.items(), parts, strict=True)
            }
            return StructureValue(kind.name, values)
        if lanes_in(kind.name) is None and sides_of(kind.name) is None:
            return self.initial(kind, parts[0])
        made = [self.initial(kind.element(), part) for part in parts]
        if sides_of(kind.name) is not None:
            return Matrix(tuple(lanes_of(column) for column in made))
        return kind.converted(tuple(scalar_of(lane) for lane in made))

    def count(self, node: SyntaxNode) -> int:
        """Returns the number that an expression is. Raises NotUnderstoodError for what is no number."""
        value = scalar_of(self.value(node))
        if not isinstance(value, LiteralNumber):
            raise NotUnderstoodError(f"'{node.text}', which is no number")
        return int(value.value)

    def goes_on(self, node: ForLoop) -> bool:
        """Reports whether a loop turns once more. Raises NotUnderstoodError if that is not known."""
        return node.condition is None or self.decided(node.condition)

    def decided(self, node: SyntaxNode) -> bool:
        """Returns a condition's value. Raises NotUnderstoodError for one that is not the same for every pixel."""
        self.functions.check_order(node)
        return bool(self.count(node))

    # -- expressions -------------------------------------------------------------------------------------------

    def whole(self, node: SyntaxNode) -> Value:
        """Returns the value of an expression that stands alone."""
        self.functions.check_order(node)
        return self.value(node)

    def value(self, node: SyntaxNode) -> Value:
        """Returns the value of an expression. Raises NotUnderstoodError for unsupported code."""
        match node:
            case NumberLiteral():
                return number(node.text, node.row + self._first_line)
            case BooleanLiteral():
                return _TRUE if node.text == "true" else _FALSE
            case Identifier():
                return self._named(node)
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
        return self._of_parts(node)

    def _of_parts(self, node: SyntaxNode) -> Value:
        """Returns the value of an expression that operators make of others."""
        match node:
            case Parenthesised():
                return self.value([child for child in node.named_children if not isinstance(child, Comment)][-1])
            case UnaryExpression():
                return self._negated(node)
            case BinaryExpression():
                return self._binary(node)
            case ConditionalExpression():
                return self._chosen(node)
            case CommaExpression():
                self.value(node.left)
                return self.value(node.right)
        raise NotUnderstoodError(f"'{' '.join(node.text.split())[:60]}'")

    def _named(self, node: Identifier) -> Value:
        known = self.scopes.find(node.text)
        if known is None:
            raise NotUnderstoodError(f"'{node.text}', whose value is unknown here")
        if isinstance(known, SharedArray):
            raise NotUnderstoodError(f"the whole array '{node.text}'")
        return known.value

    def _negated(self, node: UnaryExpression) -> Value:
        value = self.value(node.argument)
        if node.operator == "!":
            return operated("==", scalar_of(value), _FALSE)
        if node.operator not in "+-":
            raise NotUnderstoodError(f"the operator {node.operator}")
        return negative(value) if node.operator == "-" else value

    def _binary(self, node: BinaryExpression) -> Value:
        left = self.value(node.left)
        is_last = isinstance(left, LiteralNumber) and bool(left.value) == (node.operator == "||")
        if node.operator in ("&&", "||") and is_last:
            return operated("!=", left, _FALSE)  # the right side is not run
        return operated(node.operator, left, self.value(node.right))

    def _chosen(self, node: ConditionalExpression) -> Value:
        """Returns the chosen of two values, as a float if the other is one."""
        is_first = bool(self.count(node.condition))
        value = self.value(node.consequence if is_first else node.alternative)
        kind, other = type_of(value), node.alternative if is_first else node.consequence
        if not kind.sizes and (kind.name == "int" or kind.name.startswith("ivec")):
            if any(True for _ in self.functions.changes(other)):
                raise NotUnderstoodError(f"'{' '.join(other.text.split())[:60]}', whose type is not known")
            if not type_of(self.value(other)).name.startswith("i"):
                return VariableType("float" if kind.name == "int" else kind.name[1:]).converted(value)
        return value

    def _field(self, node: FieldAccess) -> Value:
        value = self.value(node.argument)
        if isinstance(value, StructureValue):
            return part_of(value, [node.field.text])
        lanes = swizzle(node.field.text, len(lanes_of(value)))
        return part_of(value, [tuple(lanes)])

    def _element(self, node: Subscript) -> Value:
        places, array = self.subscripts(node)
        if array is not None:
            shape = array.type.sizes
            value = self._shared.read(array, [self.value(place) for place in places[: len(shape)]])
            for place in places[len(shape) :]:
                value = self._item(value, self.count(place), node)
            return value
        return self._item(self.value(node.argument), self.count(node.index), node)

    def subscripts(self, node: SyntaxNode) -> tuple[list[SyntaxNode], SharedArray | None]:
        """Returns the subscripts of an element from the outside in, and the group's array that has it, if one does."""
        places: list[SyntaxNode] = []
        while isinstance(node, Subscript):
            places.insert(0, node.index)
            node = bare(node.argument)
        known = self.scopes.find(node.text) if isinstance(node, Identifier) else None
        return places, known if isinstance(known, SharedArray) else None

    def _item(self, value: Value, at: int, node: Subscript) -> Value:
        items = value.items if isinstance(value, ArrayValue) else value.columns if isinstance(value, Matrix) else value
        if not isinstance(items, tuple) or not 0 <= at < len(items):
            raise NotUnderstoodError(f"element {at} of '{node.argument.text[:40]}'")
        element: Value = items[at]
        return element

    # -- calls -------------------------------------------------------------------------------------------------

    def _called(self, node: FunctionCall) -> Value:
        name, inside = node.name, node.argument_list
        children = [child for child in inside.named_children if not isinstance(child, Comment)]
        if isinstance(node.callee, FieldAccess):
            return self._method(node.callee, children)
        if is_type(name) and is_list(text := inside.text):
            return constructed(name, list(numbers(text, inside.row + self._first_line)))
        candidates = self.functions.visible(name, node.start_byte)
        if candidates:
            return self._call(name, candidates, children)
        arguments = [self.value(child) for child in children]
        if is_type(name):
            return constructed(name, arguments)
        array = self._array_type(node.callee)
        if array is not None:
            sized = VariableType(array.name, (array.sizes[0] or len(arguments), *array.sizes[1:]), self._structures)
            return sized.converted(ArrayValue(tuple(arguments)))
        if name in self._structures:
            return self._structure(name, arguments)
        if name == "barrier":
            self.barrier()
        if name in _NO_EFFECT:
            return ZERO
        if self.filling is not None and self.filling.is_probing and self._surroundings.reads(name):
            return VariableType("vec4").unset(name, node.row + self._first_line)
        special = self._surroundings.call(name, arguments)
        return called(name, arguments) if special is None else special

    def _method(self, callee: FieldAccess, arguments: Sequence[SyntaxNode]) -> Value:
        value = self.value(callee.argument)
        if callee.field.text != "length" or arguments or not isinstance(value, ArrayValue):
            raise NotUnderstoodError(f"the function .{callee.field.text}()")
        return LiteralNumber(float(len(value.items)), integer=True)

    def _array_type(self, callee: SyntaxNode) -> VariableType | None:
        """Returns the type of an array's constructor; None of other names. A size that it lacks is 0."""
        if isinstance(callee, Identifier) and callee.text.endswith(UNSIZED):
            name = callee.text.rstrip(UNSIZED)
            sizes: tuple[int, ...] = (0,)
        elif isinstance(callee, Subscript):
            places, _ = self.subscripts(callee)
            name, sizes = callee.text.partition("[")[0].strip(), tuple(self.count(place) for place in places)
        else:
            return None
        return VariableType(name, sizes, self._structures) if is_type(name) or name in self._structures else None

    def _structure(self, name: str, arguments: Sequence[Value]) -> Value:
        members = self._structures[name]
        if len(members) != len(arguments):
            raise NotUnderstoodError(f"{name}() of {len(arguments)} members")
        pairs = zip(members.items(), arguments, strict=True)
        return StructureValue(name, {key: kind.converted(value) for (key, kind), value in pairs})

    def _call(self, name: str, candidates: Sequence[BlockFunction], children: Sequence[SyntaxNode]) -> Value:
        """Calls one of the block's functions: values go in, and what it leaves in its parameters comes back."""
        arguments: list[Value] = []
        targets: list[AssignmentTarget | None] = []
        may_come_back = [
            any(each.parameters[i].is_out for each in candidates if len(each.parameters) == len(children))
            for i in range(len(children))
        ]
        for child, comes_back in zip(children, may_come_back, strict=True):
            target = self._target(child) if comes_back and root_of(child) else None
            targets.append(target)
            arguments.append(self.value(child) if target is None else self._read(target))
        types = [
            type_of(value) if target is None else target.type for value, target in zip(arguments, targets, strict=True)
        ]
        function = self.functions.called(name, candidates, types)
        if any(each.is_out and target is None for each, target in zip(function.parameters, targets, strict=True)):
            raise NotUnderstoodError(f"a call of {name}() that changes what is no variable")
        changed = [
            target
            for parameter, target in zip(function.parameters, targets, strict=True)
            if parameter.is_out and target is not None
        ]
        if any(one.overlaps(other) for i, one in enumerate(changed) for other in changed[:i]):
            raise NotUnderstoodError(f"a call of {name}() that gets one variable twice and changes it")
        result, returned = self.entered(function, arguments)
        for target, value in zip(changed, returned, strict=True):
            self._write(target, value)
        return result

    # -- assignments -------------------------------------------------------------------------------------------

    def _assigned(self, node: Assignment) -> Value:
        if self.filling is not None and node is self.filling.store.assignment:
            self._shared.store(node, self.filling)
        _, array = self.subscripts(node.left)
        if array is not None:
            if self.filling is None:
                raise NotUnderstoodError(f"'{node.left.text[:40]}', shared memory that no loop fills")
            return ZERO  # it is another of the stores, which are run when they are read
        target = self._target(node.left)
        value = self.value(node.right)
        if node.operator != "=":
            value = operated(node.operator[:-1], self._read(target), value)
        return self._write(target, value)

    def _updated(self, node: UpdateExpression) -> Value:
        target = self._target(node.argument)
        before = self._read(target)
        after = operated("+" if node.operator == "++" else "-", before, LiteralNumber(1.0, integer=True))
        self._write(target, after)
        return after if node.is_before else before

    def _target(self, node: SyntaxNode) -> AssignmentTarget:
        """Returns what an expression names. Raises NotUnderstoodError for what cannot be assigned to."""
        node = bare(node)
        if isinstance(node, Identifier):
            known = self.scopes.find(node.text)
            if not isinstance(known, Variable) or known.type is None:
                raise NotUnderstoodError(f"'{node.text}', which is not declared")
            return AssignmentTarget(node.text, (), known.type)
        if not isinstance(node, FieldAccess | Subscript):
            raise NotUnderstoodError(f"an assignment to '{node.text[:40]}'")
        whole = self._target(node.argument)
        if isinstance(node, FieldAccess):
            member = whole.type.member(node.field.text)
            if member is not None:
                return AssignmentTarget(whole.name, (*whole.steps, node.field.text), member)
            return _with_lanes(whole, swizzle(node.field.text, lanes_in(whole.type.name) or 0))
        at = self.count(node.index)
        count = whole.type.sizes[0] if whole.type.sizes else _count(whole.type.name)
        if not 0 <= at < count:
            raise NotUnderstoodError(f"element {at} of '{node.argument.text[:40]}'")
        if not whole.type.sizes and lanes_in(whole.type.name) is not None:
            return _with_lanes(whole, [at])
        return AssignmentTarget(whole.name, (*whole.steps, at), whole.type.element())

    def _read(self, target: AssignmentTarget) -> Value:
        variable = self.scopes.find(target.name)
        assert isinstance(variable, Variable)
        return part_of(variable.value, target.steps)

    def _write(self, target: AssignmentTarget, value: Value) -> Value:
        """Gives the target a value, as its type holds it; returns that."""
        variable = self.scopes.find(target.name)
        assert isinstance(variable, Variable)
        held = target.type.converted(value)
        self.scopes.assign(target.name, with_part(variable.value, target.steps, held))
        return held


def _with_lanes(whole: AssignmentTarget, lanes: Sequence[int]) -> AssignmentTarget:
    """Returns the target of some lanes of a vector, which may be lanes of another one already."""
    if len(set(lanes)) != len(lanes) or whole.type.sizes:
        raise NotUnderstoodError(f"an assignment to lanes of '{whole.name}'")
    steps = whole.steps
    if steps and isinstance(steps[-1], tuple):
        before = steps[-1]
        steps, lanes = steps[:-1], [before[lane] for lane in lanes]
    scalar = whole.type.element()
    kind = scalar if len(lanes) == 1 else VariableType(f"{'i' if scalar.name == 'int' else ''}vec{len(lanes)}")
    return AssignmentTarget(whole.name, (*steps, tuple(lanes)), kind)


def _count(name: str) -> int:
    sides = sides_of(name)
    return sides[0] if sides is not None else lanes_in(name) or 0


def sized(kind: VariableType, value: Value) -> VariableType:
    """Returns the type with the sizes of the value's arrays, which the declaration may leave to it."""
    sizes = type_of(value).sizes if kind.sizes else ()
    return VariableType(kind.name, sizes, kind.structures)


def name_in(declarator: SyntaxNode) -> str:
    """Returns the name that a declarator declares."""
    while isinstance(declarator, ArrayDeclarator):
        declarator = declarator.declarator
    return declarator.text
