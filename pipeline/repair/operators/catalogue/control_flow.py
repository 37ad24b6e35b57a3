"""Changes conditions and statements: another bound, one more part, removed, exchanged, assigned or left otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    Identifier,
    Parenthesised,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    function_around,
    function_called,
    function_name,
    name_around,
    names_in,
    target_of,
)
from texelscope.pipeline.glsl.semantics.scope import declared
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CompoundStatement,
    ContinueStatement,
    Declaration,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, Made, StatementOperator, TrialStage
from texelscope.pipeline.repair.operators.place import Place
from texelscope.pipeline.repair.operators.spelling import COMPARING, JOINING, SIGNS
from texelscope.pipeline.repair.text.mutation import LEAVES, LOOPS, NAMED, NUMBER, Mutation, with_texts

_SIMPLE = (ExpressionStatement, IfStatement, ForLoop)
_LEAVING = (ReturnStatement, ContinueStatement, BreakStatement)
_OTHER_SIGNS = {"=": ("+=", "*="), "+=": ("=", "-="), "-=": ("+=", "="), "*=": ("/=", "+=", "="), "/=": ("*=", "=")}
_STEPS = (1, 2, 3, 4)


class OperandNegated(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", nodes=NAMED, types="bool"):
    """One of two conditions is the opposite one: `flag && i < n` becomes `!flag && i < n`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if at.around in JOINING:
            yield f"!{at.text}"


class ConditionForgotten(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", types="bool"):
    """A condition lacks a part: `if (i < n) x = y;` becomes `if (i < n && flag) x = y;`."""

    def takes(self, at: Place) -> bool:
        return super().takes(at) and not at.has(Parenthesised) and _is_asked(at.node)

    def mutants(self, at: Place) -> Iterator[str]:
        every = [*at.node.walk()]
        inside = {each.text for each in every}
        whole = f"({at.text})" if at.sign in JOINING else at.text
        for other in _conditions(at):
            if other not in inside:
                yield from (f"{whole} {sign} {other}" for sign in ("&&", "||"))
        signs = {each.operator for each in every if each.operator in JOINING}
        for each in every:
            if not isinstance(each, BinaryExpression) or each.operator not in COMPARING:
                continue
            kind, text = at.of(each.left), each.left.text
            tests = [(f"fract({text}) > 0.0", f"fract({text}) == 0.0")] if kind == "float" else []
            for size in (*at.sizes[: LIMITS.nearest_sizes], "2") if kind == "int" else ():
                tests.append((f"{text} % {size} != 0", f"{text} % {size} == 0"))
            for either, both in tests if isinstance(each.left, LEAVES) else ():
                if "&&" not in signs:
                    yield f"{whole} || {either}"
                if "||" not in signs:
                    yield f"{whole} && {both}"


def _is_asked(node: SyntaxNode) -> bool:
    """Whether it is the whole condition of an `if` or a choice."""
    around = node.parent
    while isinstance(around, Parenthesised):
        node, around = around, around.parent
    return isinstance(around, IfStatement | ConditionalExpression) and around.condition == node


def _conditions(at: Place) -> Iterator[str]:
    """Yields Booleans known at a place, and comparisons of known values that its function makes."""
    names = at.shader.names_at(at.node)
    known = [name for name, kind in at.scope.variables(at.node) if kind == "bool"]
    function = function_around(at.node)
    for each in function.of_type(BinaryExpression) if function is not None else ():
        if each.operator in COMPARING and {*names_in(each)} <= names and not isinstance(each.parent, LOOPS):
            known.append(each.text)
    alike = (each for each in dict.fromkeys(known) if at.text not in each and each not in at.text)
    yield from [*alike][: LIMITS.paired_names]


class SummandGuarded(ExpressionOperator, stage=TrialStage.CONDITIONS, kind="put in", nodes=NAMED, scalars="float"):
    """A summand counts only where a condition holds: `x += y;` becomes `x += (flag ? y : 0.0);`."""

    def mutants(self, at: Place) -> Iterator[str]:
        is_summand = at.around == ("+=" if isinstance(at.parent, Assignment) else "+")
        if is_summand and isinstance(at.parent, Assignment | BinaryExpression) and not at.is_in_a_table:
            nothing = "0.0" if at.lanes == 1 else f"{at.kind}(0.0)"
            yield from (f"({each} ? {at.text} : {nothing})" for each in _conditions(at))


class OtherBound(ExpressionOperator, nodes=(BinaryExpression,), stage=TrialStage.BOUNDS, kind="put in"):
    """A condition lacks the other bound, or a loop has a farther end: `i < 0` becomes `(i < 0 || i >= n)`."""

    def mutants(self, at: Place) -> Iterator[Made]:
        left, right, sign = at.left, at.right, at.sign
        if not isinstance(left, LEAVES) or at.of(left) != "int":
            return
        sizes, text = at.names("int"), left.text
        if sign in ("<", "<=") and isinstance(at.parent, ForLoop):
            others = [each for each in sizes if each not in (text, right.text)]
            end = Place(right, at.shader, at.expected)
            for new in (f"{right.text} + {each}" for each in others if each in at.shader.fixed):
                yield end.mutation("put in", new, f"({new})")
            if sign == "<":
                yield from (f"{text} <= {each}" for each in others if each not in at.shader.fixed)
        if sign in ("<", ">=") and right.text == "0":
            for size in (each for each in sizes if each != text):
                yield f"({at.text} {f'|| {text} >= {size}' if sign == '<' else f'&& {text} < {size}'})"
        elif sign in (">=", "<"):
            yield f"({text} < 0 || {at.text})" if sign == ">=" else f"({text} >= 0 && {at.text})"


def _statements(block: SyntaxNode) -> list[SyntaxNode]:
    return [each for each in block.named_children if not isinstance(each, Comment)]


def _only(node: SyntaxNode) -> SyntaxNode | None:
    return node.named_children[0] if len(node.named_children) == 1 else None


def declared_in(node: SyntaxNode, word: str = "") -> set[str]:
    """Returns the names that are declared in a node, with a qualifier if one is given."""
    declarations = (each for each in node.of_type(Declaration) if not word or each.has_word(word))
    return {name for each in declarations for name in declared(each)}


class StatementRemoved(StatementOperator, nodes=(ExpressionStatement, *_LEAVING)):
    """A statement is one too many: `x += y; x *= z;` becomes `x *= z;`."""

    def mutants(self, at: Place) -> Iterator[str]:
        function = function_around(at.node)
        last = _statements(function.body)[-1:] if at.has(ReturnStatement) and function is not None else []
        if at.node not in last:
            yield "" if isinstance(at.parent, CompoundStatement) else "{}"


class OtherAssignment(StatementOperator, nodes=(ExpressionStatement,)):
    """A value is assigned by another operator, or to other lanes: `x = y;` becomes `x += y;`."""

    def mutants(self, at: Place) -> Iterator[str]:
        inner = _only(at.node)
        if isinstance(inner, BinaryExpression) and inner.operator in SIGNS and isinstance(inner.left, LEAVES):
            yield f"{inner.left.text} {inner.operator}= {inner.right.text};"
        if not isinstance(inner, Assignment):
            return
        left, right, sign = inner.left, inner.right, inner.operator
        own, given = at.of(left), at.of(right)
        is_read = not any(each.text in at.types.written for each in left.walk())
        for other in _OTHER_SIGNS.get(sign, ()) if is_read and scalar_of(own) else ():
            if other != "=" or not given or given == own:
                yield f"{left.text} {other} {right.text};"
        yield from _gathered(at, inner)
        # One number may be for all lanes of a vector.
        if sign in _OTHER_SIGNS and sign != "=" and given == scalar_of(given) != "":
            yield from (f"{target} {sign} {right.text};" for target in _wider(at, left))
        base, _, letter = left.text.rpartition(".")
        if isinstance(left, FieldAccess) and len(letter) == 1:
            for lanes in (each[: lanes_of(at.of(left.argument))] for each in ALPHABETS[:2] if letter in each):
                yield from (f"{base}.{other} {sign} {right.text};" for other in lanes if other != letter)


def _gathered(at: Place, inner: Assignment) -> Iterator[str]:
    """Yields a sum for a running maximum or minimum, and these for a sum or for the last value."""
    left, right, sign, text = inner.left, inner.right, inner.operator, inner.left.text
    is_float = scalar_of(at.of(left)) == "float"
    if sign == "=" and isinstance(left, Identifier) and is_float and at.of(left) == at.of(right):
        loop = left.enclosing(*LOOPS)
        is_gathered = loop is not None and text not in declared_in(loop)  # it was declared before the loop
        if is_gathered and text not in {each.text for each in right.walk()}:
            yield from (f"{text} = {name}({text}, {right.text});" for name in ("max", "min"))
    if sign == "+=" and is_float:
        yield f"{text} = max({text}, {right.text});"
    given = [each.text for each in arguments(right)]
    if sign == "=" and function_called(right) in ("min", "max") and len(given) == 2 and text in given:
        yield f"{text} += {given[1 - given.index(text)]};"


def _wider(at: Place, target: SyntaxNode) -> Iterator[str]:
    """Yields more, or fewer, adjacent lanes of a vector in an assignment."""
    base = target.argument if isinstance(target, FieldAccess) else None
    if base is None:
        return
    lanes, letters = lanes_of(at.of(base)), {*(text := target.text.rpartition(".")[2])}
    alphabet = next((each for each in ALPHABETS if letters <= {*each}), "")[:lanes]
    for run in (alphabet[start:stop] for stop in range(1, len(alphabet) + 1) for start in range(stop)):
        if len(run) != len(text) and (letters < {*run} or {*run} < letters):
            yield base.text + (f".{run}" if len(run) < lanes else "")


class OtherExit(StatementOperator, nodes=_LEAVING):
    """A loop is left, or goes on, where the other has to happen.

    `for (int k = 0; k < n; k++) { if (k > 2) continue; x += y; }` becomes
    `for (int k = 0; k < n; k++) { if (k > 2) break; x += y; }`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        function, loop = function_around(at.node), at.node.enclosing(*LOOPS)
        if function is None or loop is None or loop.start_byte <= function.start_byte:
            return
        words = ["continue", "break", *(["return"] if at.types.function(function_name(function)) == "void" else [])]
        if not at.has(ReturnStatement) or not len(at.node.named_children):
            yield from (f"{word};" for word in words if word != at.text.removesuffix(";").strip())


class OtherGuard(StatementOperator, nodes=(IfStatement,)):
    """A condition is the opposite one, or guards too much: `if (i < n) x = y;` becomes `if (!(i < n)) x = y;`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not isinstance(at.node, IfStatement):
            return
        then, other, asked = at.node.consequence.text, at.node.alternative, at.node.condition.text
        yield then
        if other is None:
            yield "" if isinstance(at.parent, CompoundStatement) else "{}"
        elif inner := _statements(other):
            yield inner[0].text
            yield f"if {asked} {inner[0].text} else {then}"
        yield f"if (!{asked}) {then}" + (f" {other.text}" if other is not None else "")


class LoopStart(StatementOperator, nodes=(ForLoop,)):
    """A sum has to start at zero, or the last statement belongs behind the loop.

    `for (int k = 0; k < n; k++) x += y;` becomes `x = float(0); for (int k = 0; k < n; k++) x += y;`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        body, inside = at.node.body if isinstance(at.node, ForLoop) else at.node, declared_in(at.node)
        summed = {each.left.text: at.of(each.left) for each in body.of_type(Assignment)
                  if each.operator in ("+=", "*=") and isinstance(each.left, Identifier)}  # fmt: skip
        for name, kind in summed.items():
            if name not in inside and scalar_of(kind):
                yield f"{name} = {kind}(0); {at.text}"
        inner = _statements(body) if isinstance(body, CompoundStatement) else []
        if len(inner) > 1 and isinstance(inner[-1], _SIMPLE) and not inside & {*names_in(inner[-1])}:
            yield f"{with_texts(at.node, {inner[-1]: ''})} {inner[-1].text}"


class StatementsExchanged(StatementOperator, nodes=_SIMPLE):
    """Two statements are in the wrong order, or a loop lacks one: `x += y; x *= z;` becomes `x *= z; x += y;`."""

    def mutants(self, at: Place) -> Iterator[Mutation]:
        node, after = at.node, at.node.next_named_sibling
        if not isinstance(after, _SIMPLE) or after.end_byte - node.start_byte > LIMITS.statement_characters:
            return
        between = node.tree.source[node.end_byte : after.start_byte].decode()
        if "#" in between:
            return
        old = f"{at.text}{between}{after.text}"
        for new in (f"{after.text}{between}{at.text}", *self._taken_in(node, after)):
            yield Mutation(node.start_byte, after.end_byte, old, new, "statement", new)

    @staticmethod
    def _taken_in(loop: SyntaxNode, after: SyntaxNode) -> Iterator[str]:
        """Yields the loop with the statement behind it as its last one."""
        body = loop
        while isinstance(body, ForLoop):
            body = body.body
        is_block = isinstance(body, CompoundStatement)
        if (
            body is loop
            or not isinstance(after, ExpressionStatement)
            or not (is_block or isinstance(body, ExpressionStatement))
        ):
            return
        text, start = loop.text.encode(), body.start_byte - loop.start_byte
        place = body.end_byte - is_block - loop.start_byte
        before = text[:place] if is_block else text[:start] + b"{ " + text[start:place] + b" "
        yield f"{before.decode()}{after.text} {'}' * (not is_block)}{text[place:].decode()}"


class ClampedStatement(StatementOperator, stage=TrialStage.BORDERS, nodes=(ExpressionStatement,)):
    """A coordinate is mirrored or wrapped, not held: `i = clamp(i, 0, n);` becomes `i = (n) - abs((n) - abs(i));`."""

    def mutants(self, at: Place) -> Iterator[str]:
        inner = _only(at.node)
        if not isinstance(inner, Assignment) or function_called(inner.right) != "clamp":
            return
        given, kind, name = arguments(inner.right), at.of(inner.left), inner.left.text
        if kind not in ("int", "ivec2", "ivec3") or len(given) != 3 or given[0].text != name:
            return
        first, last = (each.text if at.of(each) == kind else f"{kind}({each.text})" for each in given[1:])
        own = at.types.function(name_around(at.node))
        if scalar_of(own) == "float" and lanes_of(own):
            is_beyond = f"{name} < {first} || {name} > {last}"
            if kind != "int":
                is_beyond = f"any(lessThan({name}, {first})) || any(greaterThan({name}, {last}))"
            yield f"if ({is_beyond}) return {own}(0.0);"
        yield f"{name} = ({last}) - abs(({last}) - abs({name}));"
        yield f"{name} = ({name} + ({last}) + 1) % (({last}) + 1);"


class GuardForAClamp(StatementOperator, stage=TrialStage.BORDERS, nodes=(IfStatement,)):
    """A guard returns zero beyond the border, where the edge has to be read.

    `float of(int i) { if (i >= 4) return 0.0; return 1.0; }` becomes
    `float of(int i) { i = clamp(i, 0, 4 - 1); return 1.0; }`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        if not isinstance(at.node, IfStatement) or at.node.alternative is not None:
            return
        then = at.node.consequence
        inner = _only(then) if isinstance(then, CompoundStatement) else then
        if not isinstance(inner, ReturnStatement) or not len(inner.named_children):
            return
        ends: dict[str, str] = {}
        for each in at.node.condition.of_type(BinaryExpression):
            if each.operator in (">=", ">") and isinstance(each.left, LEAVES) and at.of(each.left) == "int":
                ends[each.left.text] = f"{each.right.text} - 1" if each.operator == ">=" else each.right.text
        if ends:
            yield " ".join(f"{name} = clamp({name}, 0, {end});" for name, end in ends.items())


class StepOfALoop(StatementOperator, stage=TrialStage.STEPS, nodes=(ForLoop,)):
    """A loop forgets to step a number that is declared before it and used in it.

    `int at = 0; for (int k = 0; k < n; k++) { x += a[at]; }` becomes
    `int at = 0; for (int k = 0; k < n; k++) { x += a[at]; at += 1; }`.
    """

    def mutants(self, at: Place) -> Iterator[Mutation]:
        function = function_around(at.node)
        body = at.node.body if isinstance(at.node, ForLoop) else at.node
        if function is None or not isinstance(body, CompoundStatement):
            return
        targets = (target_of(each) for each in function.of_type(Assignment, UpdateExpression))
        given = {target.text for target in targets if target is not None}
        unchanged = declared_in(function) - declared_in(at.node) - given - declared_in(function, "const")
        place = body.end_byte - 1
        for name in sorted(unchanged & {*names_in(body)})[: LIMITS.names]:
            if at.types.at(at.node, name) != "int":
                continue
            for step in _STEPS:
                new, template = f"{name} += {step}; ", f"{name} += int({NUMBER}.x);"
                yield Mutation(place, place, "", new, "statement", template, (float(step), 0.0))
            for size in [each for each in at.names("int") if each != name][: LIMITS.names]:
                yield Mutation(place, place, "", f"{name} += {size}; ", "statement", f"{name} += {size};")
