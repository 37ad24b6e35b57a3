"""Statements otherwise: left out, guarded less, another way assigned, put before or behind the next one, begun anew."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    arguments,
    function_around,
    function_called,
    function_name,
    parents,
    text_of,
    walk,
)
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of
from texelscope.pipeline.repair.words.scope import declared
from texelscope.pipeline.repair.words.types import ALPHABETS, Types, lanes_of, scalar_of

_SIMPLE = frozenset({"expression_statement", "if_statement", "for_statement"})
_LEAVING = frozenset({"return_statement", "continue_statement", "break_statement"})
STATEMENTS = _SIMPLE | _LEAVING
_OTHER_SIGNS = {"=": ("+=", "*="), "+=": ("=", "-="), "-=": ("+=", "="), "*=": ("/=", "+=", "="), "/=": ("*=", "=")}
# Without what assigns they are statements that do nothing.
_EFFECTLESS, _WRITABLE = frozenset("+-*/"), frozenset({"identifier", "field_expression"})
# A statement that is written out once more is no longer than this.
_LONGEST = 1200
# What one number does to all lanes of a vector.
_WITH_ALL = frozenset({"+=", "-=", "*=", "/="})
_INSIDE = frozenset({"compound_statement", "expression_statement"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})


def of_statement(node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
    """What may stand in place of one statement, or of it and the next one."""
    if node.has_error or node.end_byte - node.start_byte > _LONGEST or "#" in text_of(node):
        return
    if not any(each is not None and each.type in _AROUND for each in (node.parent,)):
        return
    seen: set[str] = set()
    for new in _instead(node, types):
        if new not in seen:
            seen.add(new)
            yield Mutation(node.start_byte, node.end_byte, text_of(node), new, "statement", new)
    after = node.next_named_sibling
    if after is not None and {node.type, after.type} <= _SIMPLE and after.end_byte - node.start_byte <= _LONGEST:
        whole = (node.parent.text or b"").decode() if node.parent is not None else ""
        start = node.parent.start_byte if node.parent is not None else 0
        between = whole.encode()[node.end_byte - start : after.start_byte - start].decode()
        if "#" not in between:
            old = f"{text_of(node)}{between}{text_of(after)}"
            new = f"{text_of(after)}{between}{text_of(node)}"
            yield Mutation(node.start_byte, after.end_byte, old, new, "statement", new)
            body = node.child_by_field_name("body") if node.type == "for_statement" else None
            while body is not None and body.type == "for_statement":
                body = body.child_by_field_name("body")
            if body is not None and body.type in _INSIDE and after.type == "expression_statement":
                loop, is_block = node.text or b"", body.type == "compound_statement"
                start, place = body.start_byte - node.start_byte, body.end_byte - is_block - node.start_byte
                before = loop[:place] if is_block else loop[:start] + b"{ " + loop[start:place] + b" "
                new = f"{before.decode()}{text_of(after)} {'}' * (not is_block)}{loop[place:].decode()}"
                yield Mutation(node.start_byte, after.end_byte, old, new, "statement", new)


def _instead(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    nothing = "" if node.parent is not None and node.parent.type == "compound_statement" else "{}"
    if node.type == "expression_statement":
        yield nothing
        yield from _assigned_otherwise(node, types)
    elif node.type in _LEAVING:
        if not _is_last(node):
            yield nothing
        yield from _left_otherwise(node, types)
    elif node.type == "if_statement":
        yield from _guarded_otherwise(node, nothing)
    elif node.type == "for_statement":
        yield from _begun_anew(node, types)


def _left_otherwise(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Another way out: of one turn of a loop, of the loop, of a function that returns nothing."""
    function = function_around(node)
    loops = [each for each in parents(node) if each.type in _LOOPS]
    if function is None or not any(each.start_byte > function.start_byte for each in loops):
        return
    others = {"continue": "continue;", "break": "break;"}
    if types.function(function_name(function)) == "void":
        others["return"] = "return;"
    if node.type != "return_statement" or not node.named_child_count:
        yield from (new for word, new in others.items() if not node.type.startswith(word))


def _assigned_otherwise(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    inner = node.named_children[0] if node.named_child_count == 1 else None
    if inner is not None and inner.type == "binary_expression" and sign_of(inner) in _EFFECTLESS:
        first, second = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if first is not None and second is not None and first.type in _WRITABLE:
            yield f"{text_of(first)} {sign_of(inner)}= {text_of(second)};"
    if inner is None or inner.type != "assignment_expression":
        return
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None:
        return
    sign = next((text_of(each) for each in inner.children if each.type.endswith("=")), "")
    is_read = not any(text_of(each) in types.written for each in walk(left))
    own, given = types.of(left), types.of(right)
    for other in _OTHER_SIGNS.get(sign, ()) if is_read else ():
        if scalar_of(own) and not (other == "=" and given and given != own):
            yield f"{text_of(left)} {other} {text_of(right)};"
    yield from _gathered_otherwise(left, sign, right, types)
    if sign in _WITH_ALL and given == scalar_of(given) != "":
        yield from (f"{target} {sign} {text_of(right)};" for target in _wider(left, types))
    if left.type == "field_expression" and len(letters := text_of(left).rpartition(".")[2]) == 1:
        base = text_of(left).rpartition(".")[0]
        argument = left.child_by_field_name("argument")
        lanes = lanes_of(types.of(argument)) if argument is not None else 0
        for alphabet in ("xyzw", "rgba"):
            if letters in alphabet:
                others = (letter for letter in alphabet[:lanes] if letter != letters)
                yield from (f"{base}.{letter} {sign} {text_of(right)};" for letter in others)


def _wider(target: tree_sitter.Node, types: Types) -> Iterator[str]:
    """More lanes, or fewer, of a vector that something is done to, those beside one another."""
    base = target.child_by_field_name("argument") if target.type == "field_expression" else None
    if base is None:
        return
    lanes, letters = lanes_of(types.of(base)), text_of(target).rpartition(".")[2]
    alphabet = next((each for each in ALPHABETS if {*letters} <= {*each}), "")[:lanes]
    for run in (alphabet[start:stop] for stop in range(1, len(alphabet) + 1) for start in range(stop)):
        if len(run) != len(letters) and ({*letters} < {*run} or {*run} < {*letters}):
            yield text_of(base) + (f".{run}" if len(run) < lanes else "")


def _gathered_otherwise(left: tree_sitter.Node, sign: str, right: tree_sitter.Node, types: Types) -> Iterator[str]:
    """A sum where the largest or the smallest is kept, and these where there is a sum, or where the last is kept."""
    text = text_of(left)
    is_kept = sign == "=" and left.type == "identifier" and text not in {text_of(each) for each in walk(right)}
    if is_kept and types.of(left) == types.of(right) and scalar_of(types.of(left)) == "float" and _is_in_a_loop(left):
        yield from (f"{text} = {name}({text}, {text_of(right)});" for name in ("max", "min"))
    if sign == "+=" and scalar_of(types.of(left)) == "float":
        yield f"{text} = max({text}, {text_of(right)});"
    if sign == "=" and right.type == "call_expression" and function_called(right) in ("min", "max"):
        given = [text_of(each) for each in arguments(right)]
        if len(given) == 2 and text in given:
            other = given[1 - given.index(text)]
            yield f"{text} += {other};"


def _is_in_a_loop(target: tree_sitter.Node) -> bool:
    """Whether a variable is given something in a loop that it was declared before."""
    loop = next((each for each in parents(target) if each.type in _LOOPS), None)
    return loop is not None and text_of(target) not in _declared_in(loop)


def _declared_in(node: tree_sitter.Node) -> set[str]:
    return {name for each in walk(node) if each.type == "declaration" for name in declared(each)}


def _guarded_otherwise(node: tree_sitter.Node, nothing: str) -> Iterator[str]:
    then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    asked = node.child_by_field_name("condition")
    if then is None or asked is None:
        return
    yield text_of(then)
    if other is None:
        yield nothing
    else:
        inner = next((each for each in other.named_children if each.type != "comment"), None)
        if inner is not None:
            yield text_of(inner)
            yield f"if {text_of(asked)} {text_of(inner)} else {text_of(then)}"
    yield f"if (!{text_of(asked)}) {text_of(then)}" + (f" {text_of(other)}" if other is not None else "")


def _begun_anew(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """The loop behind a sum that starts from nothing, and the loop with its last statement behind it."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    inside = _declared_in(node)
    summed: dict[str, str] = {}
    for each in walk(body):
        if each.type == "assignment_expression" and any(child.type in ("+=", "*=") for child in each.children):
            left = each.child_by_field_name("left")
            if left is not None and left.type == "identifier" and (kind := types.of(left)) and scalar_of(kind):
                summed[text_of(left)] = kind
    for name, kind in summed.items():
        if name in inside:
            continue
        yield f"{name} = {kind}(0); {text_of(node)}"
    inner = (
        [each for each in body.named_children if each.type != "comment"] if body.type == "compound_statement" else []
    )
    whole, start = (node.text or b""), node.start_byte
    if len(inner) > 1 and inner[-1].type in _SIMPLE and not inside & _names(inner[-1]):
        last = inner[-1]
        kept = whole[: last.start_byte - start] + whole[last.end_byte - start :]
        yield f"{kept.decode()} {text_of(last)}"


def _names(node: tree_sitter.Node) -> set[str]:
    return {text_of(each) for each in walk(node) if each.type == "identifier"}


def _is_last(node: tree_sitter.Node) -> bool:
    """Whether a function ends with it."""
    function = function_around(node)
    body = function.child_by_field_name("body") if function is not None else None
    statements = [each for each in body.named_children if each.type != "comment"] if body is not None else []
    return node.type == "return_statement" and bool(statements) and statements[-1] == node


_AROUND = frozenset({"compound_statement", "if_statement", "else_clause", "for_statement"})
_AROUND |= {"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif"}
