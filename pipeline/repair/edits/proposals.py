"""Other things that a shader may have meant to say: a number, a sign, an operand, a swizzle or an order, each alone.

`replaced` says otherwise what is there, or takes it away; `added` puts a number beside it. No proposal has two places.
Other kinds are in `terms` and `statements`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import bare, function_called, parents, text_of, walk
from texelscope.pipeline.repair.indices.lanes import of_field, of_twos
from texelscope.pipeline.repair.words.mutation import NUMBER, Kind, Mutation, Numbered, is_target, sign_of
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of, vector

_SIGNS = {
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",), "<": ("<=",), "<=": ("<",), ">": (">=",),
    ">=": (">",), "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
}  # fmt: skip
# How deep an operand may lie that stands for the whole.
_HOISTED = 3
# The largest number, as one writes it.
_LARGEST = 3.4e38
# An expression is no longer than this; longer ones are tables.
_LONGEST = 300
_SIDE_EFFECTS = frozenset({"assignment_expression", "update_expression"})


def proposals(
    node: tree_sitter.Node, types: Types, numbers: tuple[float, ...], sizes: tuple[float, ...] = ()
) -> Iterator[Mutation]:
    """Of one node of the tree. `numbers` are those that a finding expects somewhere, `sizes` those of what is bound."""
    text = text_of(node)
    if len(text) > _LONGEST or "#" in text or any(each.type in _SIDE_EFFECTS for each in walk(node)):
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


def _binds(node: tree_sitter.Node) -> bool:
    """Whether a sum in place of a node needs parentheses."""
    around = node.parent
    is_read_off = around is not None and around.child_by_field_name("argument") == node
    return around is not None and (is_read_off or (around.type not in APART and sign_of(around) not in _COMPARING))


def _bare(new: str, node: tree_sitter.Node) -> str:
    """An expression without the parentheses around it, where it needs none in place of `node`."""
    if not (new.startswith("(") and new.endswith(")")):
        return new
    inner, depth = new[1:-1], 0
    for letter in inner:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth < 0:
            return new
    is_apart = node.parent is not None and node.parent.type in APART
    return inner if is_apart or re.fullmatch(r"[\w.]+(\([^()]*\))?", inner) else new


def _replaced(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    proposing = _OF_KIND.get(node.type)
    if proposing is not None:
        yield from proposing(node, types)
    if node.type in _HOLDING and not _is_moved(node):
        yield from _operands(node, types)
    if node.type == "unary_expression" and sign_of(node) == "-" and not types.of(node):  # of a macro's parameter
        yield from (text_of(child) for child in node.named_children)
    if _is_summed(node) and (kind := types.of(node)) and scalar_of(kind) and not is_matrix(kind):
        yield f"{kind}(0)"


def _operands(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """What lies within and has the whole's type: the whole without what was done to it."""
    kind = types.of(node)
    if not kind:
        return
    pending = [(child, 1) for child in _expressions_in(node)]
    while pending:
        inner, depth = pending.pop(0)
        if types.of(inner) == kind and is_all_there(node, inner):
            yield f"({text_of(inner)})"
        if depth < _HOISTED:
            pending.extend((child, depth + 1) for child in _expressions_in(inner))


def is_all_there(node: tree_sitter.Node, inner: tree_sitter.Node) -> bool:
    """Whether what is left out beside `inner` mentions no variable that `inner` does not: a number, once too often."""
    kept = {text_of(each) for each in walk(inner) if each.type == "identifier"}
    return all(
        text_of(each) in kept or (each.parent is not None and each.parent.type == "call_expression")
        for each in walk(node)
        if each.type == "identifier"
    )


def _expressions_in(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    if node.type == "call_expression":
        arguments = node.child_by_field_name("arguments")
        return list(arguments.named_children) if arguments is not None else []
    return [child for child in node.named_children if child.type in EXPRESSIONS]


def _of_number(
    node: tree_sitter.Node, types: Types, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Numbered]:
    if node.type != "number_literal" or (value := _value(text_of(node))) is None:
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
    if is_in_a_table(node):  # thousands of edits, and no constant any more: here numbers that are expected alone
        near = numbers
    yield from (
        (_shown(each), f"{NUMBER}.x", (float(each), 0.0))
        for each in dict.fromkeys(near)
        if float(each) != value and not (each < 0 and _is_added(node)) and each not in _nothing_more(node)
    )


def _ends(number: tree_sitter.Node) -> tuple[float, ...]:
    """Of what a variable begins with the numbers that are below and above all: of the largest and of the smallest."""
    return (-_LARGEST, _LARGEST) if number.parent is not None and number.parent.type == "init_declarator" else ()


def _nothing_more(number: tree_sitter.Node) -> tuple[float, ...]:
    """Numbers that do nothing as an operand: without it the same is said."""
    sign = sign_of(number.parent) if number.parent is not None and number.parent.type == "binary_expression" else ""
    return (0.0,) if sign in ("+", "-") else (1.0,) if sign in ("*", "/") else ()


def _of_binary(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    left, right, sign = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
    if left is None or right is None or sign is None or not types.of(node):
        return
    first, second = types.of(left), types.of(right)
    is_known = first and second
    if is_known and not is_matrix(first) and not is_matrix(second):
        others: Iterable[str] = _SIGNS.get(sign.type, ())
        is_whole = scalar_of(first) in ("int", "uint")
        if sign.type == "/" and is_whole:
            others = (*others, "%")
            yield from _rounded_up(left, right)
        if sign.type == "*" and is_whole:
            others = ()  # a quotient of whole numbers is 0 where small: that takes a summand away, which any line might
        if not (sign.type in ("<", ">") and _is_turning(node) and scalar_of(first) == "uint"):
            for other in others:
                said = f"{text_of(left)} {other} {text_of(right)}"
                yield f"({said})" if other == "||" else said  # others bind as what they stand for
    is_plain = is_known and not any(is_matrix(types.of(each)) for side in (left, right) for each in _parts(side))
    if is_plain and sign.type == "+":
        yield from _other_factor(left, right)
    if is_plain and sign.type in _ADDING:
        yield from _of_the_sum(left, sign.type, right)
        yield from _under_the_root(left, sign.type, right)
    if is_plain and sign.type in ("*", "/", "%"):
        yield from _of_a_summand(left, sign.type, right)
    is_ordered = (
        is_known and sign.type in ("-", "/", "%") and (first == second or 1 in (lanes_of(first), lanes_of(second)))
    )
    if is_ordered or (is_matrix(first) != is_matrix(second) and sign.type == "*"):
        yield f"(({text_of(right)}) {sign.type} ({text_of(left)}))"


def _rounded_up(left: tree_sitter.Node, right: tree_sitter.Node) -> Iterator[str]:
    """Of a / 4 the number of fours that a does not fill too, (a + 3) / 4."""
    step = text_of(right)
    if step.isdigit() and int(step) > 1 and left.type in _ALONE:
        yield f"(({text_of(left)} + {int(step) - 1}) / {step})"


def _parts(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The operands of a sum or product, without the parentheses around it."""
    node = bare(node)
    return node.named_children if node.type == "binary_expression" else [node]


def _other_factor(left: tree_sitter.Node, right: tree_sitter.Node) -> Iterator[str]:
    """Of a * k + b and b + a * k the sum with the factor at the other summand: rows for columns."""
    for product, other in ((left, right), (right, left)):
        parts = product.named_children
        if product.type == "binary_expression" and sign_of(product) == "*" and len(parts) == 2:
            alone = text_of(other) if other.type in _ALONE else f"({text_of(other)})"
            yield f"({alone} * {text_of(parts[1])} + {text_of(parts[0])})"


def _of_the_sum(left: tree_sitter.Node, sign: str, right: tree_sitter.Node) -> Iterator[str]:
    """Of a + b * k the product of the sum, (a + b) * k."""
    parts = right.named_children
    if right.type == "binary_expression" and (inner := sign_of(right)) in ("*", "/", "%") and len(parts) == 2:
        yield f"(({text_of(left)} {sign} {text_of(parts[0])}) {inner} {text_of(parts[1])})"


def _under_the_root(left: tree_sitter.Node, sign: str, right: tree_sitter.Node) -> Iterator[str]:
    """Of sqrt(a) + b the root of the sum, sqrt(a + b)."""
    arguments = left.child_by_field_name("arguments") if left.type == "call_expression" else None
    if arguments is not None and function_called(left) == "sqrt":
        given = [text_of(each) for each in arguments.named_children]
        yield f"sqrt({given[0] if given else ''} {sign} {text_of(right)})"


def _of_a_summand(left: tree_sitter.Node, sign: str, right: tree_sitter.Node) -> Iterator[str]:
    """Of (a + b) * k the sum with the factor at one summand: a + b * k, a * k + b."""
    inner = left.named_children[0] if left.type == "parenthesized_expression" and left.named_child_count == 1 else None
    if inner is None or inner.type != "binary_expression" or (adds := sign_of(inner)) not in _ADDING:
        return
    first, second = inner.named_children[:2]
    yield f"({text_of(first)} {adds} {text_of(second)} {sign} {text_of(right)})"
    alone = text_of(first) if sign_of(first) not in _ADDING else f"({text_of(first)})"
    yield f"({alone} {sign} {text_of(right)} {adds} {text_of(second)})"


def _of_call(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Its arguments in other orders, where their types allow."""
    arguments = node.child_by_field_name("arguments")
    name = function_called(node)
    given = arguments.named_children if arguments is not None else []
    if not 2 <= len(given) <= 4 or not scalar_of(types.of(node)):
        return
    texts, kinds = [text_of(each) for each in given], [types.of(each) for each in given]
    if name == "dot" and all(each.type == "field_expression" for each in given):
        yield f"dot({', '.join(text.rpartition('.')[0] for text in texts)})"
    if name == "dot" and given[0].type == "field_expression" and (all_ones := _all_ones(given[1])):
        yield f"dot({texts[0].rpartition('.')[0]}, {all_ones})"
    if re.fullmatch(r"vec[34]", name) and given[0].type == "field_expression" and given[-1].type == "number_literal":
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


def _all_ones(node: tree_sitter.Node) -> str:
    """Of a vector of one number, as what sums lanes is multiplied by, that of four lanes; empty of anything else."""
    inner = node.child_by_field_name("arguments") if re.fullmatch(r"vec[23]", function_called(node)) else None
    numbers = inner.named_children if inner is not None else []
    is_one = len(numbers) == 1 and numbers[0].type == "number_literal"
    return f"vec4({text_of(numbers[0])})" if is_one else ""


def _of_bool(node: tree_sitter.Node, _types: Types) -> Iterator[str]:
    yield "false" if node.type == "true" else "true"


def _added(node: tree_sitter.Node, types: Types, numbers: tuple[float, ...]) -> Iterator[Numbered]:
    """The expression and a number, where something is done with it as a whole; a uniform is what its owner says."""
    if node.type not in EXPRESSIONS or node.type in _NEVER_ADDED or _is_moved(node) or is_target(node):
        return
    if node.parent is not None and node.parent.type == "binary_expression" and sign_of(node.parent) in _ADDING:
        return  # the sum is the same
    if next((text_of(each) for each in walk(node) if each.type == "identifier"), "") in types.uniforms and (
        node.type in ("identifier", "field_expression")
    ):
        return
    kind = types.of(node)
    scalar, text, lanes = scalar_of(kind), text_of(node), lanes_of(kind)
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
    """A number as one writes it, to the digits that float32 has."""
    text = f"{value:.7g}".replace("e+", "e")
    return text if set(text) & set(".en") else f"{text}.0"


def _is_added(node: tree_sitter.Node) -> bool:
    """Whether it stands behind a plus or a minus: of the other sign it is said with the other operator."""
    parent = node.parent
    return parent is not None and parent.type == "binary_expression" and sign_of(parent) in _ADDING


def _is_turning(node: tree_sitter.Node) -> bool:
    """Whether the node is the condition of a loop, or in it."""
    inner = node
    for each in parents(node):
        if each.type in LOOPS:
            return each.child_by_field_name("condition") == inner
        inner = each
    return False


def _is_moved(node: tree_sitter.Node) -> bool:
    """Whether a loop goes on by the node, alone: what it says otherwise is a question of its step."""
    inner = node
    for each in parents(node):
        if each.type == "for_statement":
            return each.child_by_field_name("update") == inner
        if each.type in ("while_statement", "do_statement"):
            return True
        if each.type == "compound_statement":
            break
        inner = each
    return False


def _is_summed(node: tree_sitter.Node) -> bool:
    """Whether it is what a `+=` adds."""
    parent = node.parent
    if parent is None or parent.type != "assignment_expression" or parent.child_by_field_name("right") != node:
        return False
    return any(child.type in ("+=", "-=") for child in parent.children)


def _value(text: str) -> float | int | None:
    try:
        return int(text.rstrip("uU"), 0) if text.lstrip("+-").rstrip("uU").isdigit() else float(text.rstrip("fFlL"))
    except ValueError:
        return None


_Proposing = Callable[[tree_sitter.Node, Types], Iterator[str]]
_OF_KIND: dict[str, _Proposing] = {
    "binary_expression": _of_binary,
    "field_expression": of_field,
    "call_expression": _of_call,
    "true": _of_bool,
    "false": _of_bool,
}
LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})
_ADDING = frozenset({"+", "-"})
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
# What is multiplied without parentheses around it.
_ALONE = frozenset({"identifier", "field_expression", "number_literal", "call_expression", "parenthesized_expression"})
# What stands around an expression that needs no parentheses of its own.
APART = frozenset(
    {
        "argument_list",
        "init_declarator",
        "assignment_expression",
        "return_statement",
        "parenthesized_expression",
        "for_statement",
        "subscript_expression",
        "subscript_argument_list",
    }
)
_NEVER_ADDED = frozenset({"parenthesized_expression", "number_literal", "true", "false"})
_HOLDING = frozenset({"binary_expression", "unary_expression", "call_expression"})
EXPRESSIONS = _HOLDING | {
    "conditional_expression",
    "number_literal", "field_expression", "identifier", "true", "false", "parenthesized_expression",
    "subscript_expression",
}  # fmt: skip
