"""Proposes changes of statements: removed, unguarded, assigned by another operator, swapped, reset."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    function_around,
    function_called,
    function_name,
    names_in,
)
from texelscope.pipeline.glsl.semantics.scope import declared
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CompoundStatement,
    ConditionalDirective,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElifDirective,
    ElseClause,
    ElseDirective,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    ReturnStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.glsl.semantics.types import ALPHABETS, Types, lanes_of, scalar_of
from texelscope.pipeline.repair.text.mutation import Mutation, with_texts

_SIMPLE = (ExpressionStatement, IfStatement, ForLoop)
_LEAVING = (ReturnStatement, ContinueStatement, BreakStatement)
_WORDS: dict[type[SyntaxNode], str] = {
    ReturnStatement: "return", ContinueStatement: "continue", BreakStatement: "break"
}  # fmt: skip
STATEMENTS = (*_SIMPLE, *_LEAVING)
_OTHER_SIGNS = {"=": ("+=", "*="), "+=": ("=", "-="), "-=": ("+=", "="), "*=": ("/=", "+=", "="), "/=": ("*=", "=")}
# Operators without an effect of their own, once the assignment is gone.
_EFFECTLESS, _WRITABLE = frozenset("+-*/"), (Identifier, FieldAccess)
# Longer statements are not copied.
_LONGEST = 1200
# Assignments that apply one number to all lanes of a vector.
_WITH_ALL = frozenset({"+=", "-=", "*=", "/="})
_INSIDE = (CompoundStatement, ExpressionStatement)
_LOOPS = (ForLoop, WhileLoop, DoWhileLoop)


def of_statement(node: SyntaxNode, types: Types) -> Iterator[Mutation]:
    """Proposes replacements of one statement, or of it and the next one."""
    if node.has_error or node.end_byte - node.start_byte > _LONGEST or "#" in node.text:
        return
    if not any(each is not None and isinstance(each, _AROUND) for each in (node.parent,)):
        return
    seen: set[str] = set()
    for new in _instead(node, types):
        if new not in seen:
            seen.add(new)
            yield Mutation(node.start_byte, node.end_byte, node.text, new, "statement", new)
    after = node.next_named_sibling
    if (
        after is not None
        and isinstance(node, _SIMPLE)
        and isinstance(after, _SIMPLE)
        and after.end_byte - node.start_byte <= _LONGEST
    ):
        whole = node.parent.text if node.parent is not None else ""
        start = node.parent.start_byte if node.parent is not None else 0
        between = whole.encode()[node.end_byte - start : after.start_byte - start].decode()
        if "#" not in between:
            old = f"{node.text}{between}{after.text}"
            new = f"{after.text}{between}{node.text}"
            yield Mutation(node.start_byte, after.end_byte, old, new, "statement", new)
            body = node.body if isinstance(node, ForLoop) else None
            while body is not None and isinstance(body, ForLoop):
                body = body.body
            if body is not None and isinstance(body, _INSIDE) and isinstance(after, ExpressionStatement):
                loop, is_block = node.text.encode(), isinstance(body, CompoundStatement)
                start, place = body.start_byte - node.start_byte, body.end_byte - is_block - node.start_byte
                before = loop[:place] if is_block else loop[:start] + b"{ " + loop[start:place] + b" "
                new = f"{before.decode()}{after.text} {'}' * (not is_block)}{loop[place:].decode()}"
                yield Mutation(node.start_byte, after.end_byte, old, new, "statement", new)


def _instead(node: SyntaxNode, types: Types) -> Iterator[str]:
    nothing = "" if node.parent is not None and isinstance(node.parent, CompoundStatement) else "{}"
    if isinstance(node, ExpressionStatement):
        yield nothing
        yield from _assigned_otherwise(node, types)
    elif isinstance(node, _LEAVING):
        if not _is_last(node):
            yield nothing
        yield from _left_otherwise(node, types)
    elif isinstance(node, IfStatement):
        yield from _guarded_otherwise(node, nothing)
    elif isinstance(node, ForLoop):
        yield from _begun_anew(node, types)


def _left_otherwise(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields other exits: of one iteration of a loop, of the loop, of a function without a result."""
    function = function_around(node)
    loops = [each for each in node.ancestors() if isinstance(each, _LOOPS)]
    if function is None or not any(each.start_byte > function.start_byte for each in loops):
        return
    others = {"continue": "continue;", "break": "break;"}
    if types.function(function_name(function)) == "void":
        others["return"] = "return;"
    if not isinstance(node, ReturnStatement) or not len(node.named_children):
        yield from (new for word, new in others.items() if word != _WORDS[type(node)])


def _assigned_otherwise(node: SyntaxNode, types: Types) -> Iterator[str]:
    inner = node.named_children[0] if len(node.named_children) == 1 else None
    has_no_effect = inner is not None and inner.operator in _EFFECTLESS
    if isinstance(inner, BinaryExpression) and has_no_effect and isinstance(inner.left, _WRITABLE):
        yield f"{inner.left.text} {inner.operator}= {inner.right.text};"
    if not isinstance(inner, Assignment):
        return
    left, right = inner.left, inner.right
    sign = inner.operator
    is_read = not any(each.text in types.written for each in left.walk())
    own, given = types.of(left), types.of(right)
    for other in _OTHER_SIGNS.get(sign, ()) if is_read else ():
        if scalar_of(own) and not (other == "=" and given and given != own):
            yield f"{left.text} {other} {right.text};"
    yield from _gathered_otherwise(left, sign, right, types)
    if sign in _WITH_ALL and given == scalar_of(given) != "":
        yield from (f"{target} {sign} {right.text};" for target in _wider(left, types))
    if isinstance(left, FieldAccess) and len(letters := left.text.rpartition(".")[2]) == 1:
        base = left.text.rpartition(".")[0]
        lanes = lanes_of(types.of(left.argument))
        for alphabet in ("xyzw", "rgba"):
            if letters in alphabet:
                others = (letter for letter in alphabet[:lanes] if letter != letters)
                yield from (f"{base}.{letter} {sign} {right.text};" for letter in others)


def _wider(target: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields more, or fewer, adjacent lanes of a vector in an assignment."""
    base = target.argument if isinstance(target, FieldAccess) else None
    if base is None:
        return
    lanes, letters = lanes_of(types.of(base)), target.text.rpartition(".")[2]
    alphabet = next((each for each in ALPHABETS if {*letters} <= {*each}), "")[:lanes]
    for run in (alphabet[start:stop] for stop in range(1, len(alphabet) + 1) for start in range(stop)):
        if len(run) != len(letters) and ({*letters} < {*run} or {*run} < {*letters}):
            yield base.text + (f".{run}" if len(run) < lanes else "")


def _gathered_otherwise(left: SyntaxNode, sign: str, right: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields a sum for a running maximum or minimum, and these for a sum or for the last value."""
    text = left.text
    is_kept = sign == "=" and isinstance(left, Identifier) and text not in {each.text for each in right.walk()}
    if is_kept and types.of(left) == types.of(right) and scalar_of(types.of(left)) == "float" and _is_in_a_loop(left):
        yield from (f"{text} = {name}({text}, {right.text});" for name in ("max", "min"))
    if sign == "+=" and scalar_of(types.of(left)) == "float":
        yield f"{text} = max({text}, {right.text});"
    if sign == "=" and isinstance(right, FunctionCall) and function_called(right) in ("min", "max"):
        given = [each.text for each in arguments(right)]
        if len(given) == 2 and text in given:
            other = given[1 - given.index(text)]
            yield f"{text} += {other};"


def _is_in_a_loop(target: SyntaxNode) -> bool:
    """Whether a loop assigns a variable that was declared before it."""
    loop = target.enclosing(*_LOOPS)
    return loop is not None and target.text not in _declared_in(loop)


def _declared_in(node: SyntaxNode) -> set[str]:
    return {name for each in node.walk() if isinstance(each, Declaration) for name in declared(each)}


def _guarded_otherwise(node: IfStatement, nothing: str) -> Iterator[str]:
    then, other, asked = node.consequence, node.alternative, node.condition
    yield then.text
    if other is None:
        yield nothing
    else:
        inner = next((each for each in other.named_children if not isinstance(each, Comment)), None)
        if inner is not None:
            yield inner.text
            yield f"if {asked.text} {inner.text} else {then.text}"
    yield f"if (!{asked.text}) {then.text}" + (f" {other.text}" if other is not None else "")


def _begun_anew(node: ForLoop, types: Types) -> Iterator[str]:
    """Yields the loop after a sum that starts at zero, and the loop followed by its last statement."""
    body = node.body
    inside = _declared_in(node)
    summed: dict[str, str] = {}
    for each in body.walk():
        left = each.left if isinstance(each, Assignment) and each.operator in ("+=", "*=") else None
        if isinstance(left, Identifier) and scalar_of(kind := types.of(left)):
            summed[left.text] = kind
    for name, kind in summed.items():
        if name in inside:
            continue
        yield f"{name} = {kind}(0); {node.text}"
    inner = (
        [each for each in body.named_children if not isinstance(each, Comment)]
        if isinstance(body, CompoundStatement)
        else []
    )
    if len(inner) > 1 and isinstance(inner[-1], _SIMPLE) and not inside & _names(inner[-1]):
        yield f"{with_texts(node, {inner[-1]: ''})} {inner[-1].text}"


def _names(node: SyntaxNode) -> set[str]:
    return {*names_in(node)}


def _is_last(node: SyntaxNode) -> bool:
    """Whether a function ends with it."""
    function = function_around(node)
    body = function.body if function is not None else None
    statements = [each for each in body.named_children if not isinstance(each, Comment)] if body is not None else []
    return isinstance(node, ReturnStatement) and bool(statements) and statements[-1] == node


_AROUND = (
    CompoundStatement, IfStatement, ElseClause, ForLoop, ConditionalDirective, ElseDirective, ElifDirective,
)  # fmt: skip
