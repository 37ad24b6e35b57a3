"""Proposes single changes: another number, sign, operand, swizzle or order.

`replaced` changes or removes what is there; `added` adds a number to it. No proposal has two places. Other mutation
operators are in `terms` and `statements`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    BooleanLiteral,
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
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, bare, function_called, names_in
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    DoWhileLoop,
    ForLoop,
    InitDeclarator,
    ReturnStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of, vector
from texelscope.pipeline.repair.indices.lanes import of_field, of_twos
from texelscope.pipeline.repair.text.mutation import NUMBER, Kind, Mutation, Numbered, is_target

_SIGNS = {
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<": ("<=",), "<=": ("<",), ">": (">=",),
    ">=": (">",), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
}  # fmt: skip
# The greatest depth of an operand that replaces the whole.
_HOISTED = 3
# The largest number, as people write it.
_LARGEST = 3.4e38
# Longer expressions are tables and are skipped.
_LONGEST = 300
_SIDE_EFFECTS = (Assignment, UpdateExpression)


def proposals(
    node: SyntaxNode, types: Types, numbers: tuple[float, ...], sizes: tuple[float, ...] = ()
) -> Iterator[Mutation]:
    """Proposes changes of one node. `numbers` are expected by a finding, `sizes` are those of bound tensors."""
    text = node.text
    if len(text) > _LONGEST or "#" in text or any(isinstance(each, _SIDE_EFFECTS) for each in node.walk()):
        return
    start, stop, seen = node.start_byte, node.end_byte, {text}
    for new in _replaced(node, types):
        if new not in seen:
            seen.add(new)
            yield Mutation(start, stop, text, _bare(new, node), "replaced", new)
    kind: Kind
    for kind, made in (
        ("replaced", _of_number(node, types, numbers, sizes)),
        ("swapped", of_twos(node, types)),
        ("added", _added(node, types, numbers)),
    ):
        for new, template, values in made:
            shown = f"({new})" if kind == "added" and _binds(node) else new
            yield Mutation(start, stop, text, shown, kind, template, values)


def _binds(node: SyntaxNode) -> bool:
    """Whether a sum in place of a node needs parentheses."""
    around = node.parent
    is_read_off = around is not None and argument_of(around) is node
    return around is not None and (is_read_off or (not isinstance(around, APART) and around.operator not in _COMPARING))


def _bare(new: str, node: SyntaxNode) -> str:
    """Removes the parentheses around an expression if it needs none in place of `node`."""
    if not (new.startswith("(") and new.endswith(")")):
        return new
    inner, depth = new[1:-1], 0
    for letter in inner:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return new
    is_apart = node.parent is not None and isinstance(node.parent, APART)
    return inner if is_apart or re.fullmatch(r"[\w.]+(\([^()]*\))?", inner) else new


def _replaced(node: SyntaxNode, types: Types) -> Iterator[str]:
    proposing = _OF_KIND.get(type(node))
    if proposing is not None:
        yield from proposing(node, types)
    if isinstance(node, _HOLDING) and not _is_moved(node):
        yield from _operands(node, types)
    if isinstance(node, UnaryExpression) and node.operator == "-" and not types.of(node):  # of a macro's parameter
        yield from (child.text for child in node.named_children)
    if _is_summed(node) and (kind := types.of(node)) and scalar_of(kind) and not is_matrix(kind):
        yield f"{kind}(0)"


def _operands(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields inner operands of the whole's type: the whole without an operation."""
    kind = types.of(node)
    if not kind:
        return
    pending = [(child, 1) for child in _expressions_in(node)]
    while pending:
        inner, depth = pending.pop(0)
        if types.of(inner) == kind and is_all_there(node, inner):
            yield f"({inner.text})"
        if depth < _HOISTED:
            pending.extend((child, depth + 1) for child in _expressions_in(inner))


def is_all_there(node: SyntaxNode, inner: SyntaxNode) -> bool:
    """Whether the part beside `inner` uses no variable that `inner` lacks: a number, a repetition."""
    kept = {*names_in(inner)}
    return all(
        each.text in kept or (each.parent is not None and isinstance(each.parent, FunctionCall))
        for each in node.walk()
        if isinstance(each, Identifier)
    )


def _expressions_in(node: SyntaxNode) -> list[SyntaxNode]:
    if isinstance(node, FunctionCall):
        return list(node.arguments)
    return [child for child in node.named_children if isinstance(child, EXPRESSIONS)]


def _of_number(
    node: SyntaxNode, types: Types, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Numbered]:
    if not isinstance(node, NumberLiteral) or (value := _value(node.text)) is None:
        return
    kind = types.of(node)
    if kind in ("int", "uint"):
        near = (value - 1, value + 1, 0, 1, 2, value * 2, -value, value // 2, *numbers, *sizes)
        whole = (int(each) for each in dict.fromkeys(near) if float(each).is_integer() and abs(each) < 1 << 23)
        lowest = 0 if kind == "uint" or _is_added(node) else -(1 << 23)
        made = ((str(each), each) for each in whole if each != value and each >= lowest)
        yield from (
            (text, f"{kind}({NUMBER}.x)", (float(each), 0.0)) for text, each in made if each not in _nothing_more(node)
        )
        return
    near = (*_ends(node), value - 1, value + 1, value - 0.5, value + 0.5, 0, 1, 0.5, 2, value * 2, value / 2, -value,
            *numbers, *sizes, *((value * 10, value / 10) if value not in (0.0, 1.0) else ()))  # fmt: skip
    if is_in_a_table(node):  # a table would give thousands of edits and no constants: only expected numbers are tried
        near = numbers
    yield from (
        (_shown(each), f"{NUMBER}.x", (float(each), 0.0))
        for each in dict.fromkeys(near)
        if float(each) != value and not (each < 0 and _is_added(node)) and each not in _nothing_more(node)
    )


def _ends(number: SyntaxNode) -> tuple[float, ...]:
    """Returns the lowest and highest numbers as initial values: for a running maximum and a minimum."""
    return (-_LARGEST, _LARGEST) if number.parent is not None and isinstance(number.parent, InitDeclarator) else ()


def _nothing_more(number: SyntaxNode) -> tuple[float, ...]:
    """Returns neutral numbers of an operand: omitting the operand has the same effect."""
    sign = number.parent.operator if number.parent is not None and isinstance(number.parent, BinaryExpression) else ""
    return (0.0,) if sign in ("+", "-") else (1.0,) if sign in ("*", "/") else ()


def _of_binary(node: SyntaxNode, types: Types) -> Iterator[str]:
    if not isinstance(node, BinaryExpression) or not types.of(node):
        return
    left, right, sign = node.left, node.right, node.operator
    first, second = types.of(left), types.of(right)
    is_known = first and second
    if is_known and not is_matrix(first) and not is_matrix(second):
        others: Iterable[str] = _SIGNS.get(sign, ())
        is_whole = scalar_of(first) in ("int", "uint")
        if sign == "/" and is_whole:
            others = (*others, "%")
            yield from _rounded_up(left, right)
        if sign == "*" and is_whole:
            others = ()  # a quotient of whole numbers is 0 where small: that takes a summand away, which any line might
        if not (sign in ("<", ">") and _is_turning(node) and scalar_of(first) == "uint"):
            for other in others:
                said = f"{left.text} {other} {right.text}"
                yield f"({said})" if other == "||" else said  # other operators bind like the one they replace
    is_plain = is_known and not any(is_matrix(types.of(each)) for side in (left, right) for each in _parts(side))
    if is_plain and sign == "+":
        yield from _other_factor(left, right)
    if is_plain and sign in _ADDING:
        yield from _of_the_sum(left, sign, right)
        yield from _under_the_root(left, sign, right)
    if is_plain and sign in ("*", "/", "%"):
        yield from _of_a_summand(left, sign, right)
    is_ordered = is_known and sign in ("-", "/", "%") and (first == second or 1 in (lanes_of(first), lanes_of(second)))
    if is_ordered or (is_matrix(first) != is_matrix(second) and sign == "*"):
        yield f"(({right.text}) {sign} ({left.text}))"


def _rounded_up(left: SyntaxNode, right: SyntaxNode) -> Iterator[str]:
    """Turns a / 4 into (a + 3) / 4, the number of fours rounded up."""
    step = right.text
    if step.isdigit() and int(step) > 1 and isinstance(left, _ALONE):
        yield f"(({left.text} + {int(step) - 1}) / {step})"


def _parts(node: SyntaxNode) -> Sequence[SyntaxNode]:
    """Returns the operands of a sum or product, without the parentheses around it."""
    node = bare(node)
    return node.named_children if isinstance(node, BinaryExpression) else [node]


def _other_factor(left: SyntaxNode, right: SyntaxNode) -> Iterator[str]:
    """Turns a * k + b and b + a * k into sums with the factor at the other summand: rows for columns."""
    for product, other in ((left, right), (right, left)):
        parts = product.named_children
        if isinstance(product, BinaryExpression) and product.operator == "*" and len(parts) == 2:
            alone = other.text if isinstance(other, _ALONE) else f"({other.text})"
            yield f"({alone} * {parts[1].text} + {parts[0].text})"


def _of_the_sum(left: SyntaxNode, sign: str, right: SyntaxNode) -> Iterator[str]:
    """Turns a + b * k into the product of the sum, (a + b) * k."""
    parts = right.named_children
    if isinstance(right, BinaryExpression) and (inner := right.operator) in ("*", "/", "%") and len(parts) == 2:
        yield f"(({left.text} {sign} {parts[0].text}) {inner} {parts[1].text})"


def _under_the_root(left: SyntaxNode, sign: str, right: SyntaxNode) -> Iterator[str]:
    """Turns sqrt(a) + b into the root of the sum, sqrt(a + b)."""
    arguments = left.argument_list if isinstance(left, FunctionCall) else None
    if arguments is not None and function_called(left) == "sqrt":
        given = [each.text for each in arguments.named_children]
        yield f"sqrt({given[0] if given else ''} {sign} {right.text})"


def _of_a_summand(left: SyntaxNode, sign: str, right: SyntaxNode) -> Iterator[str]:
    """Turns (a + b) * k into a sum with the factor at one summand: a + b * k, a * k + b."""
    inner = left.named_children[0] if isinstance(left, Parenthesised) and len(left.named_children) == 1 else None
    if inner is None or not isinstance(inner, BinaryExpression) or (adds := inner.operator) not in _ADDING:
        return
    first, second = inner.named_children[:2]
    yield f"({first.text} {adds} {second.text} {sign} {right.text})"
    alone = first.text if first.operator not in _ADDING else f"({first.text})"
    yield f"({alone} {sign} {right.text} {adds} {second.text})"


def _of_call(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields calls with their arguments in other orders, where types allow."""
    name, given = function_called(node), arguments(node)
    if not 2 <= len(given) <= 4 or not scalar_of(types.of(node)):
        return
    texts, kinds = [each.text for each in given], [types.of(each) for each in given]
    if name == "dot" and all(isinstance(each, FieldAccess) for each in given):
        yield f"dot({', '.join(text.rpartition('.')[0] for text in texts)})"
    if name == "dot" and isinstance(given[0], FieldAccess) and (all_ones := _all_ones(given[1])):
        yield f"dot({texts[0].rpartition('.')[0]}, {all_ones})"
    if re.fullmatch(r"vec[34]", name) and isinstance(given[0], FieldAccess) and isinstance(given[-1], NumberLiteral):
        base, _, letters = texts[0].rpartition(".")
        if len(given) == 2 and name == f"vec{len(letters) + 1}" and letters in ("xyz", "rgb", "xy", "rg"):
            yield f"{base}{'' if name == 'vec4' else '.xyz'}"
    positions = tuple(range(len(given)))
    swapped = (
        tuple({a: b, b: a}.get(each, each) for each in positions) for a, b in itertools.combinations(positions, 2)
    )
    for order in (*swapped, positions[::-1]):
        moved = [kinds[position] for position in order]
        if (all(kinds) or not any(kinds)) and moved == kinds:  # parameters of macros have no types
            yield f"{name}({', '.join(texts[position] for position in order)})"


def _all_ones(node: SyntaxNode) -> str:
    """Returns vec4(1.0) for a vector of ones, the factor that sums lanes; empty for anything else."""
    numbers = arguments(node) if re.fullmatch(r"vec[23]", function_called(node)) else ()
    is_one = len(numbers) == 1 and isinstance(numbers[0], NumberLiteral)
    return f"vec4({numbers[0].text})" if is_one else ""


def _of_bool(node: SyntaxNode, _types: Types) -> Iterator[str]:
    yield "false" if node.text == "true" else "true"


def _added(node: SyntaxNode, types: Types, numbers: tuple[float, ...]) -> Iterator[Numbered]:
    """Yields an expression plus a number, if it is used as a whole; a uniform's value is its owner's."""
    if not isinstance(node, EXPRESSIONS) or isinstance(node, _NEVER_ADDED) or _is_moved(node) or is_target(node):
        return
    if node.parent is not None and isinstance(node.parent, BinaryExpression) and node.parent.operator in _ADDING:
        return  # the sum is the same
    if next(names_in(node), "") in types.uniforms and (isinstance(node, Identifier | FieldAccess)):
        return
    kind = types.of(node)
    scalar, text, lanes = scalar_of(kind), node.text, lanes_of(kind)
    if scalar not in ("int", "float") or is_matrix(kind):
        return
    ones = [1.0, -1.0, *numbers, *(-each for each in numbers), *([0.5, -0.5] if scalar == "float" else [])]
    one = f"{NUMBER}.x" if scalar == "float" else f"int({NUMBER}.x)"
    pair = f"{NUMBER}.xy" if scalar == "float" else f"ivec2({NUMBER}.xy)"
    for each in dict.fromkeys(ones):
        if scalar == "int" and not (each.is_integer() and abs(each) < 1 << 20):
            continue
        number = str(int(each)) if scalar == "int" else repr(each)
        shown = f"{text} - {number[1:]}" if each < 0 else f"{text} + {number}"
        yield shown, f"({text} + {pair if lanes == 2 else one})", (each, each)
    if lanes == 2:
        for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            yield f"{text} + {vector(scalar, 2)}({x}, {y})", f"({text} + {pair})", (float(x), float(y))


def _shown(value: float) -> str:
    """Writes a number as people do, to the digits of float32."""
    text = f"{value:.7g}".replace("e+", "e")
    return text if set(text) & set(".en") else f"{text}.0"


def _is_added(node: SyntaxNode) -> bool:
    """Whether it follows a plus or a minus: another operator gives it the other sign."""
    parent = node.parent
    return parent is not None and isinstance(parent, BinaryExpression) and parent.operator in _ADDING


def _is_turning(node: SyntaxNode) -> bool:
    """Whether the node is, or is in, the condition of a loop."""
    inner = node
    for each in node.ancestors():
        if isinstance(each, LOOPS):
            return each.condition == inner
        inner = each
    return False


def _is_moved(node: SyntaxNode) -> bool:
    """Whether the node alone is a loop's step: other steps are proposed separately."""
    inner = node
    for each in node.ancestors():
        if isinstance(each, ForLoop):
            return each.update == inner
        if isinstance(each, WhileLoop | DoWhileLoop):
            return True
        if isinstance(each, CompoundStatement):
            break
        inner = each
    return False


def _is_summed(node: SyntaxNode) -> bool:
    """Whether a `+=` adds it."""
    parent = node.parent
    if parent is None or not isinstance(parent, Assignment) or parent.right != node:
        return False
    return parent.operator in ("+=", "-=")


def _value(text: str) -> float | int | None:
    try:
        return int(text.rstrip("uU"), 0) if text.lstrip("+-").rstrip("uU").isdigit() else float(text.rstrip("fFlL"))
    except ValueError:
        return None


_Proposing = Callable[[SyntaxNode, Types], Iterator[str]]
_OF_KIND: dict[type[SyntaxNode], _Proposing] = {
    BinaryExpression: _of_binary,
    FieldAccess: of_field,
    FunctionCall: _of_call,
    BooleanLiteral: _of_bool,
}
LOOPS = (ForLoop, WhileLoop, DoWhileLoop)
_ADDING = frozenset({"+", "-"})
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
# Nodes that need no parentheses in a product.
_ALONE = (Identifier, FieldAccess, NumberLiteral, FunctionCall, Parenthesised)
# Nodes around an expression that needs no parentheses.
APART = (ArgumentList, InitDeclarator, Assignment, ReturnStatement, Parenthesised, ForLoop, Subscript)
_NEVER_ADDED = (Parenthesised, NumberLiteral, BooleanLiteral)
_HOLDING = (BinaryExpression, UnaryExpression, FunctionCall)
EXPRESSIONS = (
    *_HOLDING, ConditionalExpression, NumberLiteral, FieldAccess, Identifier, BooleanLiteral, Parenthesised, Subscript,
)  # fmt: skip
