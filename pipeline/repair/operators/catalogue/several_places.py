"""Changes places that belong together: repeated expressions, copies of siblings, parts of a division, two values.

A shader often reads the same arrays in two loops. Quotient and remainder exchanged put blocks inside channels, or
channels inside blocks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    arguments,
    declared_name,
    function_around,
    function_called,
    sides_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    ExpressionStatement,
    FunctionDefinition,
    InitDeclarator,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, scalar_of
from texelscope.pipeline.repair.operators.catalogue.index_terms import PACKS
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import TextOperator
from texelscope.pipeline.repair.operators.place import ExpectedNumbers, Place, Shader
from texelscope.pipeline.repair.operators.spelling import OF_DIVISION, rounded_up
from texelscope.pipeline.repair.text.mutation import (
    LOOPS,
    Places,
    around,
    is_target,
    leaves_of,
    swap,
    with_texts,
)

_T = TypeVar("_T")


class RepeatedExpression(TextOperator):
    """A repeated expression is wrong everywhere: `x += a[i + j]; y += b[i + j];` becomes `x += a[n]; y += b[n];`."""

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        places: dict[tuple[int, str], list[SyntaxNode]] = {}
        for node in shader.root.of_type(BinaryExpression, FunctionCall, Subscript):
            function, length = function_around(node), node.end_byte - node.start_byte
            if function is not None and length <= LIMITS.index_characters and not is_target(node):
                places.setdefault((function.start_byte, node.text), []).append(node)
        for (_, text), nodes in places.items():
            kind = shader.types.of(nodes[0])
            if not 1 < len(nodes) <= LIMITS.places or not scalar_of(kind) or is_matrix(kind):
                continue
            if "#" in text or "//" in text:
                continue
            own, known = {leaf.text for leaf in leaves_of(nodes[0])}, [shader.names_at(node) for node in nodes]
            names = [each for each in shader.scope.of_type(nodes[0], kind) if each not in own]
            for name in names[: LIMITS.names]:
                if all(name.partition(".")[0] in there for there in known):
                    yield tuple((node, swap(node, name)) for node in nodes)


class IndexOfASibling(TextOperator, kind="copied"):
    """An index is not its sibling's: `x = w[at(i, 2)]; y = w[by(i)];` becomes `x = w[at(i, 2)]; y = w[at(i, 2)];`."""

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        functions = shader.root.of_type(FunctionDefinition)
        parameters = {node.name: [declared_name(each) for each in node.parameters] for node in functions}
        for indices in _indices(shader).values():
            seen = set[tuple[int, tuple[str, ...]]]()
            calls = [each for each in indices if isinstance(each, FunctionCall) and each.name in parameters]
            if len({each.name for each in calls}) < 2 or len(calls) > LIMITS.compared_reads:
                continue
            for places in (places for each in calls for places in self._copies(each, calls, parameters, shader)):
                key = places[0][1].start, tuple(each.new for _, each in places)
                if key not in seen:
                    seen.add(key)
                    yield places

    def _copies(
        self, sibling: FunctionCall, calls: list[FunctionCall], parameters: dict[str, list[str]], shader: Shader
    ) -> Iterator[Places]:
        statements: dict[SyntaxNode | None, list[FunctionCall]] = {}
        for each in calls:
            is_other = each.name != sibling.name and shader.types.of(each) == shader.types.of(sibling)
            if is_other and shader.may_stand(sibling, each):
                statements.setdefault(each.enclosing(ExpressionStatement, Declaration), []).append(each)
        for some in statements.values():
            adapted = tuple(self.instead(each, _adapted(sibling, each, parameters)) for each in some)
            if 1 < len(adapted) <= LIMITS.places:
                yield adapted
            yield from ((each,) for each in adapted[: LIMITS.copies])


def _adapted(sibling: FunctionCall, own: FunctionCall, parameters: dict[str, list[str]]) -> str:
    """Returns the sibling's call with the own arguments of parameters that both functions have."""
    kept = {name: each.text for name, each in zip(parameters[own.name], own.arguments, strict=False)}
    every = zip(parameters[sibling.name], sibling.arguments, strict=False)
    return f"{sibling.name}({', '.join(kept.get(name, each.text) for name, each in every)})"


def _indices(shader: Shader) -> dict[tuple[int, str], list[SyntaxNode]]:
    """Returns the indices of reads in each function, by the function's place and what is read."""
    found: dict[tuple[int, str], list[SyntaxNode]] = {}
    for node in shader.root.of_type(Subscript, FunctionCall):
        function, read = function_around(node), _read(node, shader.types)
        if function is None or read is None or is_target(node):
            continue
        base, index = read
        if len(index.text) <= LIMITS.rewritten_characters and not {"#", "\n"} & {*index.text}:
            found.setdefault((function.start_byte, base.text), []).append(index)
    return found


def _read(node: SyntaxNode, types: Types) -> tuple[SyntaxNode, SyntaxNode] | None:
    """Returns array and index of a read, or sampler and coordinate; None for anything else."""
    if isinstance(node, Subscript):
        is_array = isinstance(node.argument, Identifier) and types.of(node.argument).endswith("]")
        return (node.argument, node.index) if is_array else None
    given = arguments(node)
    is_read = function_called(node) in READS | OTHER_READS and len(given) > 1 and isinstance(given[0], Identifier)
    return (given[0], given[1]) if is_read else None


class FactorOfASibling(TextOperator, kind="copied"):
    """A sum of reads in a loop lacks a factor that its function reads elsewhere.

    `for (int k = 0; k < 4; k++) x += a[k] * b[k]; for (int k = 0; k < 4; k++) y += a[k];` becomes
    `for (int k = 0; k < 4; k++) x += a[k] * b[k]; for (int k = 0; k < 4; k++) y += a[k] * b[k];`.
    """

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        reads, types = dict[SyntaxNode, list[SyntaxNode]](), shader.types
        for node in itertools.islice(shader.root.of_type(Assignment), LIMITS.looked_at_sums):
            value, function = node.right, function_around(node)
            is_short = len(value.text) <= LIMITS.rewritten_characters
            if node.operator != "+=" or not is_short or function is None or node.enclosing(*LOOPS) is None:
                continue
            own = {read[0].text for each in value.of_type(Subscript, FunctionCall) if (read := _read(each, types))}
            if not own or {"#", "\n"} & {*value.text} or scalar_of(types.of(value)) != "float":
                continue
            if function not in reads:
                every = (each for each in function.of_type(Subscript, FunctionCall) if _read(each, types))
                reads[function] = [*itertools.islice(every, LIMITS.compared_reads)]
            others = dict.fromkeys(_factors(node, own, reads[function], shader))
            for new in itertools.islice(others, LIMITS.copies):
                yield (self.instead(value, f"{around(value)} * {new}"),)


def _factors(node: Assignment, own: set[str], reads: Sequence[SyntaxNode], shader: Shader) -> Iterator[str]:
    """Yields those `reads` of other arrays and samplers that can be written at a statement."""
    types = shader.types
    known = shader.names_at(node) | {name for name, _ in types.visible("")} | {*types.macros}
    for each in reads:
        read = _read(each, types)
        if read is None or read[0].text in own or read[0].text in types.written:
            continue
        whole = each.parent if isinstance(each.parent, FieldAccess) else each
        if types.of(whole) == types.of(node.right) and (text := _of_known(whole, known)):
            yield text


def _of_known(node: SyntaxNode, known: set[str]) -> str:
    """Returns an expression without unknown variables that are added to something, as if they were 0.

    Empty if it uses unknown variables otherwise.
    """
    functions = {each.callee for each in node.of_type(FunctionCall)}
    unknown = [each for each in node.of_type(Identifier) if each not in functions and each.text not in known]
    sums: dict[SyntaxNode, str] = {}
    for parent in (each.parent for each in unknown):
        if isinstance(parent, BinaryExpression) and parent.operator == "+" and parent.right in unknown:
            sums[parent] = parent.left.text
    are_apart = not any(inner in sums for each in sums for inner in each.ancestors())
    return with_texts(node, sums) if len(sums) == len(unknown) and are_apart else ""


class _Part(NamedTuple):
    """A variable `name` that is assigned `number / divisor`, or its remainder by `sign`, in `node`."""

    name: str
    number: str
    sign: str
    divisor: str
    node: SyntaxNode


class OtherDecomposition(TextOperator, kind="index"):
    """Quotient and remainder are exchanged: `int k = i / n; int l = i % n;` becomes `int k = i % n; int l = i / n;`."""

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        for block in shader.root.of_type(CompoundStatement):
            statements = block.named_children
            for place, statement in enumerate(statements):
                for first in _declared(statement, shader.types):
                    for after in statements[place : place + LIMITS.statements_between + 1]:
                        second = _second(first, after, shader.types)
                        if second is not None:
                            yield from self._exchanged(first, second, Place(first.node, shader, expected))

    def _exchanged(self, first: _Part, second: SyntaxNode, at: Place) -> Iterator[Places]:
        number, sizes, has_remainders = first.number, at.expected.sizes, at.shader.fact(_has_remainders)
        is_statement, other_sign = isinstance(second, ExpressionStatement), OF_DIVISION[first.sign]
        is_named = first.divisor.isidentifier() and has_remainders and not is_statement
        for by in rounded_up(first.divisor, PACKS) if is_named and second.operator == other_sign else ():
            one, other = (f"{number} {sign} {by}" for sign in (first.sign, other_sign))
            yield self.instead(first.node, one), self.instead(second, other)
        some = [f"{size:g}" for size in sizes if size.is_integer() and 1 < size < LIMITS.largest_divisor]
        for by in dict.fromkeys((first.divisor, *at.sizes, *some[: LIMITS.steps])):
            rest = f"{number} % {by}" if has_remainders else f"{number} - {number} / {by} * {by}"
            one, other = (rest, f"{number} / {by}") if first.sign == "/" else (f"{number} / {by}", rest)
            changed = self.instead(second, other)
            if is_statement:
                other = f"{number} /= {by};" if first.sign == "/" else f"{number} -= {first.name} * {by};"
                changed = second, Place(second, at.shader, at.expected).mutation("statement", other)
            yield self.instead(first.node, one), changed


def _has_remainders(shader: Shader) -> bool:
    return "%" in shader.root.text


def _declared(statement: SyntaxNode, types: Types) -> Iterator[_Part]:
    """Yields quotients and remainders of a variable in a declaration."""
    for each in statement.declarators if isinstance(statement, Declaration) else ():
        if isinstance(each, InitDeclarator) and types.of(each.value) == "int":
            (a, b), sign = sides_of(each.value), each.value.operator
            if b is not None and isinstance(a, Identifier) and sign in ("/", "%", "-"):
                yield _Part(each.declarator.text, a.text, sign, b.text, each.value)


def _second(first: _Part, after: SyntaxNode, types: Types) -> SyntaxNode | None:
    """Returns the node of the other part: a declaration's value, or an assignment to the variable itself."""
    if first.sign == "-":
        return None
    for each in _declared(after, types):
        is_behind = each.number == first.number and each.node.start_byte > first.node.start_byte
        is_rest = first.sign == "/" and _is_rest(each.divisor, first)
        if is_behind and (each.sign == OF_DIVISION[first.sign] or is_rest):
            return each.node
    inner = after.named_children[0] if isinstance(after, ExpressionStatement) and after.named_children else None
    if not isinstance(inner, Assignment) or inner.left.text != first.number:
        return None
    sign = inner.operator
    is_rest = sign == "%=" or (sign == "-=" and _is_rest(inner.right.text, first))
    return after if (is_rest if first.sign == "/" else sign == "/=") else None


def _is_rest(taken_off: str, first: _Part) -> bool:
    """Whether something is roughly the quotient times the divisor."""
    return taken_off.startswith(f"{first.name} *") or taken_off.endswith(f"* {first.name}")


class ValuesExchanged(TextOperator):
    """Two values are exchanged: `float k = x * z; float l = y;` becomes `float k = y; float l = x * z;`."""

    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        every = shader.root.of_type(InitDeclarator, Assignment)
        values = [value for node in every if (value := _whole_value(node)) is not None]
        for first, second in _near([(each, each.row) for each in values]):
            if function_around(first) == function_around(second) and _are_alike(first, second, shader.types):
                names = {each.text for value in (first, second) for leaf in leaves_of(value) for each in leaf.walk()}
                if not names & (shader.names_at(first) ^ shader.names_at(second)):
                    yield (first, swap(first, second.text)), (second, swap(second, first.text))
        for one, other in _near([(each, each.line) for each in shader.macros]):
            a, b = one.expression, other.expression
            # None refers to itself.
            may_be = all(shader.scope.is_known(leaf.text, x) for x, y in ((a, b), (b, a)) for leaf in leaves_of(y))
            if may_be and _are_alike(a, b, shader.types):
                yield (a, swap(a, b.text).moved(one.shift)), (b, swap(b, a.text).moved(other.shift))


def _near(some: Sequence[tuple[_T, int]]) -> Iterator[tuple[_T, _T]]:
    for (one, line), (other, below) in itertools.combinations(some, 2):
        if below - line <= LIMITS.exchanged_lines:
            yield one, other


def _are_alike(first: SyntaxNode, second: SyntaxNode, types: Types) -> bool:
    kind, texts = types.of(first), (first.text, second.text)
    if not scalar_of(kind) or is_matrix(kind) or kind != types.of(second) or texts[0] == texts[1]:
        return False
    return not any(len(each) > LIMITS.wrapped_characters or "#" in each or "//" in each for each in texts)


def _whole_value(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the whole value that a variable is assigned in a function; no lone number."""
    is_whole = isinstance(node, InitDeclarator) or node.operator == "="
    is_inside = is_whole and function_around(node) is not None
    return value_of(node) if is_inside and not isinstance(value_of(node), NumberLiteral) else None
