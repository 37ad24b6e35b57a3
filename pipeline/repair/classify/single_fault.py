"""The repaired text as a tree, with queries about a node's role: index, computed value, number, part of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeGuard

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.macro_bodies import macros_of, reading_macros
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    function_called,
    function_name,
    is_decided_by,
    names_in,
    sides_of,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CompoundStatement,
    ContinueStatement,
    Declaration,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    ReturnStatement,
    declarators_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode, Token
from texelscope.pipeline.glsl.semantics.types import Types, lanes_of, scalar_of

# An epsilon, which keeps a division from zero, is at most this.
SMALL = 0.1
ROOTS = frozenset({"sqrt", "inversesqrt", "pow"})
# Linear functions.
_STRAIGHT = frozenset({"float", "vec2", "vec3", "vec4", "float2", "float3", "float4", "mix", "lerp", "dot", "fma"})
_ORDER = frozenset({"<", ">", "<=", ">="})
_COMPARING = _ORDER | {"==", "!="}
_COMPARING_VECTORS = frozenset({"lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual"})
# Variables of GLSL that hold the position of a fragment or an invocation.
_OF_POSITIONS = ("gl_FragCoord", "gl_GlobalInvocation", "gl_LocalInvocation", "gl_WorkGroupID")
_WAYS_OUT = (ReturnStatement, ContinueStatement, BreakStatement)
_DOWN = frozenset({"--", "-=", "-", "/=", "/", ">>=", ">>"})
_LANES_OF_A_PLACE = 2
# Node types in a list of numbers.
_OF_A_NUMBER = frozenset("-+(,)")
# Conversions of numbers.
_MAKING = frozenset({"float", "int", "vec2", "vec3", "vec4", "ivec2", "ivec3", "ivec4"})
# Functions that clamp a number.
_HOLDING = frozenset({"min", "max", "clamp"})


class RepairedText:
    """The repaired text: its types, and the names that belong to addresses."""

    def __init__(self, root: SyntaxNode) -> None:
        self.types = Types(root)
        # : Names of the author's functions.
        self.functions = frozenset(function_name(each) for each in root.of_type(FunctionDefinition))
        self._macros = reading_macros(root)
        list(macros_of(root, root.text, self.types, NameScope(root, self.types)))
        self._root = root
        self._names = self._addresses()

    def is_of_an_element(self, node: SyntaxNode) -> bool:
        """Whether a node decides which element or lane is read, and not whether, or how often."""
        if self._is_a_lane(node):
            return True
        inner = node
        for each in node.ancestors():
            if is_decided_by(each, inner):
                return False
            if self._is_address(each, inner):
                return True
            if isinstance(each, InitDeclarator | Assignment):
                return _target(each) in self._names and not _is_head(each)
            if isinstance(each, ReturnStatement):
                return scalar_of(self.types.of(inner)) == "int"
            if isinstance(each, CompoundStatement):
                return False
            inner = each
        return False

    def number(
        self, node: SyntaxNode, texts: tuple[str, str], *, of_a_mean: bool
    ) -> Literal["count", "epsilon", "number"] | None:
        """Returns the role of a changed number: a count, an epsilon or any other; None for indices and positions."""
        if self.types.of(node) != "float" or self.is_begun(node) or self._is_compared_with_a_position(node):
            return None
        values, around = [abs(float(each.rstrip("fF"))) for each in texts], node.parent
        is_counted = all(each.is_integer() and each > 1.0 for each in values)
        dividend, divisor = sides_of(around) if around is not None and around.operator == "/" else (None, None)
        if divisor is node and is_counted and (of_a_mean or self._is_added_up(dividend)):
            return "count"
        is_rooted = any(isinstance(each, FunctionCall) and function_called(each) in ROOTS for each in node.ancestors())
        return (
            "epsilon"
            if is_rooted and around is not None and around.operator == "+" and max(values) <= SMALL
            else "number"
        )

    def _is_compared_with_a_position(self, node: SyntaxNode) -> bool:
        """Whether a position decides against a node which statements run, or which value is taken."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, CompoundStatement):
                return False
            is_comparison = isinstance(each, BinaryExpression) and each.operator in _COMPARING
            is_comparison |= isinstance(each, FunctionCall) and function_called(each) in _COMPARING_VECTORS
            if is_comparison:
                names = {*names_in(each)} - {*names_in(inner)}
                return any(name in self._names or name.startswith(_OF_POSITIONS) for name in names)
            inner = each
        return False

    def is_of_a_count(self, node: SyntaxNode, words: Sequence[str], *, of_a_mean: bool) -> bool:
        """Whether a sum is divided by `words` at a node, or by a variable that holds them: the number of its terms.

        It must be a mean, or a sum of this text; a root of a number is a factor, and no count.
        """
        if not self.are_fixed(node, words, counted=True):
            return False
        inner = node
        for each in node.ancestors():
            if isinstance(each, FunctionCall) and function_called(each).lower() not in _MAKING | _HOLDING:
                return False
            if self._divides(each, inner):
                return of_a_mean or self._is_added_up(each.left)
            if isinstance(each, InitDeclarator) or (isinstance(each, Assignment) and _target(each) not in words):
                name = _target(each)
                quotients = self._root.of_type(BinaryExpression, Assignment)
                divided = [around.left for around in quotients if self._is_by(around, name)]
                return any(of_a_mean or self._is_added_up(left) for left in divided)
            if isinstance(each, CompoundStatement):
                return False
            inner = each
        return False

    def are_fixed(self, node: SyntaxNode, words: Sequence[str], *, counted: bool = False) -> bool:
        """Whether all names among words are the same for all elements, or, if `counted`, integers.

        A variable to which only numbers are added counts.
        """
        fixed = self.types.uniforms | self.types.constants | self.types.sizes | {*self.types.macros}
        names = [word for last, word in pairwise(["", *words]) if (word[0].isalpha() or word[0] == "_") and last != "."]
        for word in names:
            is_whole = scalar_of(self.types.at(node, word)) in ("int", "uint") or self._is_counted(word)
            is_made = word in _MAKING | _HOLDING | ROOTS
            if word not in fixed and not is_made and not (counted and is_whole):
                return False
        return True

    def is_a_share(self, node: SyntaxNode) -> bool:
        """Whether a node is the weight of an interpolation between two values."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, ArgumentList):
                is_of_two = each.parent is not None and function_called(each.parent) == "mix"
                return is_of_two and inner == each.named_children[-1]
            inner = each
        return False

    def are_turns(self, node: SyntaxNode, *names: str) -> bool:
        """Whether all names are counters of loops around a node."""
        loops = (each.initializer for each in node.ancestors() if isinstance(each, ForLoop))
        heads = [head for head in loops if head is not None]
        counted = {_target(each) for head in heads for each in head.of_type(InitDeclarator)}
        return {*names} <= counted

    def takes_one_more(self, node: SyntaxNode) -> bool:
        """Whether a node compares integers to select what is included; loop conditions and exits do not count."""
        if not isinstance(node, BinaryExpression) or node.operator not in _ORDER:
            return False
        is_whole = all(scalar_of(self.types.of(side)) == "int" for side in (node.left, node.right))
        inner: SyntaxNode = node
        for each in node.ancestors():
            if isinstance(each, IfStatement):
                has_more = each.alternative is not None
                return is_whole and not has_more and not any(isinstance(part, _WAYS_OUT) for part in each.walk())
            if not isinstance(each, Parenthesised | BinaryExpression):
                values = [value.text for value in each.named_children if value != inner]
                is_kept = isinstance(each, ConditionalExpression) and values[-1:] in (["0.0"], ["0"])
                return is_whole and (is_kept or isinstance(each, InitDeclarator))
            inner = each
        return False

    def is_of_a_choice(self, node: SyntaxNode) -> bool:
        """Whether a node is one of two values between which integers select."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, ConditionalExpression):
                kinds = {scalar_of(self.types.of(name)) for name in each.condition.of_type(Identifier)}
                return each.condition is not inner and bool(kinds) and kinds <= {"int", "uint"}
            if not isinstance(each, Parenthesised):
                return False
            inner = each
        return False

    def is_longer_with_more(self, node: SyntaxNode, part: str) -> bool:
        """Whether a larger number at a node, in some part of a loop's head, makes the loop run more often."""
        around = [*node.ancestors()]
        loop = next(each for each in around if isinstance(each, ForLoop))
        update = loop.update
        if part == "update":
            return False
        within = around[: around.index(loop)]
        is_divisor = any(self._divides(outer, inner) for inner, outer in pairwise([node, *within]))
        is_down = update is not None and any(each.kind in _DOWN for each in update.of_type(Token))
        return ((part == "condition") != is_down) != is_divisor

    def is_bent(self, node: SyntaxNode) -> bool:
        """Whether a node is in a branch, or in an argument of a function that may be nonlinear."""
        calls = (function_called(each).lower() for each in node.ancestors() if isinstance(each, FunctionCall))
        return self.is_in_a_branch(node) or any(name not in _STRAIGHT for name in calls)

    def is_a_factor(self, node: SyntaxNode) -> bool:
        """Whether a node is a factor or a divisor, by itself, as a root or as a number made of it."""
        for each in node.ancestors():
            if isinstance(each, BinaryExpression | Assignment):
                return each.operator in ("*", "/", "*=", "/=")
            called = function_called(each) if isinstance(each, FunctionCall) else ""
            if called and called not in ROOTS and called.lower() not in _MAKING:
                return False
        return False

    def is_in_a_branch(self, node: SyntaxNode) -> bool:
        """Whether a node is in one of two selected values, or in the condition."""
        return any(isinstance(each, ConditionalExpression) for each in node.ancestors())

    def is_of_a_curve(self, node: SyntaxNode, factor: Sequence[str]) -> bool:
        """Whether a product around a node is in a branch, or has a factor made of the same value."""
        product = node
        for each in node.ancestors():
            if isinstance(each, BinaryExpression) and each.operator in ("*", "/"):
                product = each
        names = [*names_in(product)]
        floats = [word for word in factor if scalar_of(self.types.at(node, word)) == "float"]
        own = [word for word in floats if not self.are_fixed(node, [word])]
        return self.is_in_a_branch(node) or any(names.count(word) > factor.count(word) for word in own)

    def _divides(self, around: SyntaxNode, inner: SyntaxNode) -> TypeGuard[BinaryExpression | Assignment]:
        """Whether `inner` is the divisor of a quotient."""
        if not isinstance(around, BinaryExpression | Assignment) or around.right is not inner:
            return False
        return around.operator in ("/", "/=", ">>", ">>=")

    def _is_by(self, around: BinaryExpression | Assignment, name: str) -> bool:
        """Whether a quotient has a variable as divisor, or a number made of it."""
        right = around.right
        return self._divides(around, right) and function_called(right) not in ROOTS and name in names_in(right)

    def _is_added_up(self, node: SyntaxNode | None) -> bool:
        """Whether something is added to a variable in an expression."""
        names = {*names_in(node)} if node is not None else set[str]()
        return any(_target(each) in names for each in self._root.of_type(Assignment) if each.operator == "+=")

    def _is_counted(self, name: str) -> bool:
        """Whether a variable only counts: it is given numbers alone, in steps."""
        sums = (each for each in self._root.of_type(Assignment) if each.operator == "+=")
        values = [each.right for each in sums if _target(each) == name]
        return bool(values) and all(isinstance(value, NumberLiteral) for value in values)

    def loop_part(self, node: SyntaxNode) -> str:
        """Returns the part of a loop's head around a node, no read between: initializer, condition, update; or ""."""
        inner = node
        for each in node.ancestors():
            if self._is_address(each, inner):
                return ""
            if isinstance(each, ForLoop):
                parts = {"initializer": each.initializer, "condition": each.condition, "update": each.update}
                return next((name for name, part in parts.items() if part is inner), "")
            if isinstance(each, CompoundStatement):
                return ""
            inner = each
        return ""

    def are_samplers(self, *names: str) -> bool:
        """Whether both names are textures."""
        return all("sampler" in self.types.name("", name) for name in names)

    def are_values(self, node: SyntaxNode, *names: str) -> bool:
        """Whether a node is a variable of computed numbers, as the other name was."""
        if self._is_of_a_place(node):
            return True
        if not isinstance(node, Identifier) or scalar_of(self.types.of(node)) != "float":
            return False
        kinds = {self.types.at(node, name) for name in names}
        fixed = self.types.uniforms | self.types.constants | {*self.types.macros}
        return len(kinds) == 1 and not fixed & {*names}

    def are_places(self, node: SyntaxNode, *names: str) -> bool:
        """Whether all names are computed integers, such as an element's position."""
        fixed = self.types.uniforms | self.types.constants | {*self.types.macros}
        return all(scalar_of(self.types.at(node, name)) == "int" and name not in fixed for name in names)

    def compares_places(self, node: SyntaxNode) -> bool:
        """Whether a node compares two positions of elements, not a position with a bound."""
        if not isinstance(node, BinaryExpression) or node.operator not in _ORDER:
            return False
        names = [[*names_in(side)] for side in (node.left, node.right)]
        return all(some and self.are_places(node, *some) for some in names)

    def is_a_read_unused_before(self, node: SyntaxNode, old: str, new: str) -> bool:
        """Whether the value read as `new` is used only at a node that used another read of the same texture."""
        used = [each for each in self._root.of_type(Identifier) if each.text == new]
        samplers = [self._read_by(name) for name in (old, new)]
        is_alone = len([each for each in used if not _is_declared(each)]) == 1
        return is_alone and samplers[0] == samplers[1] != set() and node.text == new

    def _read_by(self, name: str) -> set[str]:
        """Returns the textures from which a variable gets values."""
        values = [
            value
            for each in self._root.walk()
            if isinstance(each, InitDeclarator) and _target(each) == name and (value := each.value) is not None
        ]
        names = {each.text for value in values for each in value.of_type(Identifier)}
        return {each for each in names if "sampler" in self.types.name("", each)}

    def is_begun(self, node: SyntaxNode) -> bool:
        """Whether a node is the first value of a variable that gets others later."""
        declaring = node.enclosing(InitDeclarator)
        name = _target(declaring) if declaring is not None else ""
        return bool(name) and any(isinstance(each, Assignment) and _target(each) == name for each in self._root.walk())

    def is_of_numbers(self, node: SyntaxNode) -> bool:
        """Whether a node selects lanes of a vector of literal numbers."""
        base = node.argument if isinstance(node, FieldAccess) else None
        while isinstance(base, Parenthesised):
            base = base.named_children[0]
        if not isinstance(base, FunctionCall):
            return False
        leaves = (each for each in base.argument_list.walk() if not each.named_children)
        return all(isinstance(each, NumberLiteral) or each.text in _OF_A_NUMBER for each in leaves)

    def _is_a_lane(self, node: SyntaxNode) -> bool:
        """Whether it selects lanes of a vector of numbers with one for each channel."""
        return self._lanes_of_base(node) > _LANES_OF_A_PLACE

    def _is_of_a_place(self, node: SyntaxNode) -> bool:
        """Whether it is a lane of two numbers: a position, a step or a fraction along x and y."""
        return self._lanes_of_base(node) == _LANES_OF_A_PLACE

    def _lanes_of_base(self, node: SyntaxNode) -> int:
        base = node.argument if isinstance(node, FieldAccess) else None
        kind = self.types.of(base) if base is not None else ""
        return lanes_of(kind) if scalar_of(kind) == "float" else 0

    def _is_address(self, around: SyntaxNode, inner: SyntaxNode) -> bool:
        """Whether the inner node decides where `around` reads."""
        if isinstance(around, Subscript):
            return around.argument != inner
        if not isinstance(around, ArgumentList) or around.parent is None:
            return False
        name = function_called(around.parent)
        if name in READS or name in OTHER_READS or name in self._macros:
            return True
        return name in self.functions and scalar_of(self.types.of(inner)) in ("int", "uint")

    def _addresses(self) -> frozenset[str]:
        """Returns variables that decide where something is read, directly or through others."""
        found: set[str] = set()
        for node in self._root.of_type(Identifier):
            inner: SyntaxNode = node
            for each in node.ancestors():
                if self._is_address(each, inner):
                    found.add(node.text)
                if isinstance(each, CompoundStatement | FunctionDefinition):
                    break
                inner = each
        given = [
            (_target(each), {*names_in(value)})
            for each in self._root.of_type(InitDeclarator, Assignment)
            if not _is_head(each)  # where a loop begins is of how much is read
            and (value := value_of(each)) is not None
        ]
        grown = True
        while grown:
            before = len(found)
            for name, used in given:
                if name in found:
                    found |= used
            grown = len(found) > before
        return frozenset(found)


def _target(node: SyntaxNode) -> str:
    """Returns the variable that a declaration or an assignment gives a value."""
    target = target_of(node)
    return next(names_in(target), "") if target is not None else ""


def _is_declared(name: SyntaxNode) -> bool:
    """Whether a name is at its declaration."""
    return name.parent is not None and name in declarators_of(name.parent)


def _is_head(node: SyntaxNode) -> bool:
    """Whether a node is the beginning of a loop."""
    around = next((each for each in node.ancestors() if not isinstance(each, Declaration)), None)
    return around is not None and isinstance(around, ForLoop)
