"""Writes functions of WGSL in GLSL, statement by statement, each at its row (WGSL, 9 and 11)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.wgsl.expressions import Expressions
from texelscope.pipeline.wgsl.scope import NameMeaning, Scope
from texelscope.pipeline.wgsl.syntax import (
    AssignmentNode,
    BinaryNode,
    BlockNode,
    BracketedNode,
    CallNode,
    CallStatementNode,
    Expression,
    ForNode,
    IfNode,
    JumpNode,
    LoopNode,
    ReturnNode,
    Statement,
    SwitchNode,
    UnaryNode,
    VariableNode,
    WhileNode,
)
from texelscope.pipeline.wgsl.types import (
    BOOL,
    ArrayOf,
    AtomicType,
    MatrixType,
    MemberOf,
    PointerType,
    StructType,
    Type,
    concrete,
    count_of,
    declared,
    glsl,
    is_abstract,
    said,
    scalar_of,
    zero,
)

# An array of more scalars begins at 0 by a loop.
_LISTED = 64
_EXCHANGED = "atomicCompareExchangeWeak"


@dataclass(frozen=True)
class WrittenRow:
    """A row of GLSL, and the 0-based row of the author's text that it says; None for nobody's."""

    text: str
    row: int | None


@dataclass
class FunctionWriter:
    """Writes the statements of one function into `rows`; `result` is the type of what it returns.

    `returned` are the statements that stand for `return value`, with `{}` for the value, where a stage's outputs are
    written instead.
    """

    expressions: Expressions
    result: Type
    returned: str = "return {};"
    rows: list[WrittenRow] = field(default_factory=list)
    _depth: int = 1
    _turns: int = 0

    def block(self, block: BlockNode) -> None:
        """Writes the statements of a block, whose names end with it."""
        outer = self.expressions.scope
        self.expressions.scope = outer.inner()
        for each in block.statements:
            self._statement(each)
        self.expressions.scope = outer

    def add(self, text: str, row: int | None) -> None:
        """Writes one row."""
        self.rows.append(WrittenRow(f"{'    ' * self._depth}{text}", row))

    @property
    def _scope(self) -> Scope:
        return self.expressions.scope

    def _statement(self, node: Statement) -> None:
        match node:
            case VariableNode():
                self._variable(node)
            case AssignmentNode() | CallStatementNode():
                for text in self._changes(node):
                    self.add(f"{text};", node.row)
            case BlockNode():
                self.add("{", node.row)
                self._inner(node)
                self.add("}", node.last_row)
            case IfNode():
                self._if(node, "if")
            case ForNode():
                self._for(node)
            case WhileNode():
                self.add(f"while ({self._condition(node.condition)}) {{", node.row)
                self._inner(node.body)
                self.add("}", node.body.last_row)
            case LoopNode():
                self._loop(node)
            case SwitchNode():
                self._switch(node)
            case ReturnNode():
                self._return(node)
            case JumpNode():
                self.add(f"{node.keyword};", node.row)

    def _inner(self, block: BlockNode) -> None:
        self._depth += 1
        self.block(block)
        self._depth -= 1

    def _condition(self, node: Expression) -> str:
        kind = self.expressions.value_type(node)
        if scalar_of(kind) is None or said(kind) != "bool":
            raise AuthorTextError(node.row, "a condition of bool", said(kind), "Compare it, as in x != 0.")
        text = self.expressions.text(node)
        return text[1:-1] if text.startswith("(") and _closes_at_end(text) else text

    def _if(self, node: IfNode, head: str) -> None:
        self.add(f"{head} ({self._condition(node.condition)}) {{", node.row)
        self._inner(node.then)
        match node.otherwise:
            case IfNode():
                self._if(node.otherwise, "} else if")
                return
            case BlockNode():
                self.add("} else {", node.otherwise.row)
                self._inner(node.otherwise)
                self.add("}", node.otherwise.last_row)
            case _:
                self.add("}", node.then.last_row)

    def _for(self, node: ForNode) -> None:
        outer = self._scope
        self.expressions.scope = outer.inner()
        first = "" if node.first is None else self._in_head(node.first)
        condition = "" if node.condition is None else self._condition(node.condition)
        update = "" if node.update is None else self._in_head(node.update)
        self.add(f"for ({first}; {condition}; {update}) {{", node.row)
        self._inner(node.body)
        self.add("}", node.body.last_row)
        self.expressions.scope = outer

    def _in_head(self, node: Statement) -> str:
        if isinstance(node, VariableNode):
            rows = self._declaration(node)
        elif isinstance(node, AssignmentNode | CallStatementNode):
            rows = self._changes(node)
        else:
            raise AuthorTextError(node.row, "a declaration or an assignment", "another statement", "Move it.")
        if len(rows) != 1:
            raise AuthorTextError(node.row, "one statement in the head of for", f"{len(rows)}", "Move it before.")
        return rows[0].rstrip(";")

    def _loop(self, node: LoopNode) -> None:
        """Writes a loop; what is `continuing` comes first in every turn but the first, where `continue` meets it."""
        if node.continuing is None:
            self.add("while (true) {", node.row)
            self._inner(node.body)
            self.add("}", node.body.last_row)
            return
        has_jumps = _continues(node.body)
        behind = "" if not has_jumps else f"is_later{self._turns or ''}"
        if has_jumps:
            self._turns += 1
            self.add(f"bool {behind} = false;", node.row)
        self.add("while (true) {", node.row)
        self._depth += 1
        outer = self._scope
        if has_jumps:
            self.add(f"if ({behind}) {{", node.continuing.row)
            self._inner(node.continuing)
            self._depth += 1
            self._break_if(node)
            self._depth -= 1
            self.add("}", node.continuing.last_row)
            self.add(f"{behind} = true;", node.row)
            self.block(node.body)
        else:
            # The names of the body are known in what is continuing.
            self.expressions.scope = outer.inner()
            for each in node.body.statements:
                self._statement(each)
            for each in node.continuing.statements:
                self._statement(each)
            self._break_if(node)
            self.expressions.scope = outer
        self._depth -= 1
        self.add("}", node.body.last_row)

    def _break_if(self, node: LoopNode) -> None:
        if node.break_if is not None:
            self.add(f"if ({self._condition(node.break_if)}) break;", node.break_if.row)

    def _switch(self, node: SwitchNode) -> None:
        kind = scalar_of(concrete(self.expressions.value_type(node.value)))
        self.add(f"switch ({self.expressions.text(node.value)}) {{", node.row)
        self._depth += 1
        for case in node.cases:
            labels = [
                "default:" if each is None else f"case {self.expressions.text(each, kind)}:" for each in case.selectors
            ]
            self.add(f"{' '.join(labels)} {{", case.row)
            self._inner(case.body)
            self._depth += 1
            last = case.body.statements[-1] if case.body.statements else None
            if not isinstance(last, ReturnNode | JumpNode):
                self.add("break;", case.body.last_row)
            self._depth -= 1
            self.add("}", case.body.last_row)
        self._depth -= 1
        self.add("}", node.cases[-1].body.last_row)

    def _return(self, node: ReturnNode) -> None:
        if node.value is None:
            self.add("return;", node.row)
            return
        for text in self.returned.format(self.expressions.text(node.value, self.result)).split("\n"):
            self.add(text, node.row)

    def _variable(self, node: VariableNode) -> None:
        for text in self._declaration(node):
            self.add(text, node.row)

    def _declaration(self, node: VariableNode) -> list[str]:
        """Returns the rows that declare a variable, and lets its name mean it."""
        if node.keyword == "let" and (exchanged := self._exchange(node)) is not None:
            return exchanged
        call = node.value
        if isinstance(call, CallNode) and call.callee.name == "workgroupUniformLoad" and len(call.arguments) == 1:
            read = UnaryNode(call.row, "*", call.arguments[0])
            return ["barrier();", *self._declaration(replace(node, value=read)), "barrier();"]
        writer, name = self.expressions, safe_name(node.name)
        kind = writer.named(node.type) if node.type is not None else None
        given = writer.type_of(node.value) if node.value is not None else None
        if isinstance(given, PointerType) and node.value is not None:
            if not writer.is_pure(node.value):
                raise AuthorTextError(
                    node.row, "a pointer to a variable", "one that is computed", "Name its index first."
                )
            self._scope.symbols[node.name] = NameMeaning(given, writer.text(node.value))
            return []
        own = kind if kind is not None else given
        assert own is not None, "a declaration has a type or a value"
        is_constant = node.keyword == "const"
        value = writer.constant(node.value) if is_constant and node.value is not None else None
        is_let = node.keyword == "let" and node.value is not None
        is_size = is_let and node.value is not None and writer.is_size(node.value)
        is_natural = is_let and node.value is not None and writer.is_natural(node.value)
        text = "" if node.value is None else writer.text(node.value, own if not is_abstract(own) else None)
        if not (is_constant and kind is None):
            own = concrete(own)
        self._scope.symbols[node.name] = NameMeaning(own, name, value, is_size, is_natural)
        own = concrete(own)
        if text:
            return [f"{'const ' if is_constant else ''}{declared(own, name)} = {text};"]
        return self._begun(own, name)

    def _begun(self, kind: Type, name: str) -> list[str]:
        """Returns the rows that declare a variable which begins at 0."""
        if not isinstance(kind, ArrayOf) or count_of(kind) <= _LISTED:
            return [f"{declared(kind, name)} = {zero(kind)};"]
        return [f"{declared(kind, name)};", *zeroed(kind, name)]

    def _exchange(self, node: VariableNode) -> list[str] | None:
        """Returns the rows of `let r = atomicCompareExchangeWeak(…)`, whose result is a structure; None for others."""
        call = node.value
        if not isinstance(call, CallNode) or call.callee.name != _EXCHANGED or len(call.arguments) != 3:
            return None
        writer, name = self.expressions, safe_name(node.name)
        kind = writer.value_type(call.arguments[0])
        if not isinstance(kind, AtomicType):
            raise AuthorTextError(node.row, "a pointer to an atomic", said(kind), "Declare it as atomic<u32>.")
        target, before, value = (
            writer.text(each, kind.value if number else None) for number, each in enumerate(call.arguments)
        )
        self._scope.symbols[node.name] = NameMeaning(exchange_result(kind), name, by_member=True)
        return [
            f"{glsl(kind)} {name}_old_value = atomicCompSwap({target}, {before}, {value});",
            f"bool {name}_exchanged = {name}_old_value == {before};",
        ]

    def _changes(self, node: AssignmentNode | CallStatementNode) -> list[str]:
        """Returns what an assignment or a call is in GLSL, without semicolon."""
        writer = self.expressions
        if isinstance(node, CallStatementNode):
            writer.type_of(node.call)
            return [writer.text(node.call)]
        if node.target is None:
            assert node.value is not None, "`_ =` has a value"
            writer.type_of(node.value)
            return [] if writer.is_pure(node.value) else [writer.text(node.value)]
        target, kind = writer.text(node.target), writer.value_type(node.target)
        if node.value is None:
            return [f"{target}{node.operator}"]
        sign = node.operator[:-1]
        if not sign:
            given = writer.value_type(node.value)
            if scalar_of(kind) is not None and type(given) is not type(kind) and not isinstance(kind, AtomicType):
                raise AuthorTextError(node.row, f"a value of {said(kind)}", said(given), "Convert it.")
            return [f"{target} = {writer.text(node.value, kind)}"]
        whole = BinaryNode(node.row, sign, node.target, _as_one(node.value, sign, kind))
        writer.type_of(whole)
        text = writer.text(whole)
        plain = f"{target} {sign} "
        is_plain = text.startswith(plain) and not isinstance(kind, MatrixType)
        return [f"{target} {node.operator} {text.removeprefix(plain)}" if is_plain else f"{target} = {text}"]


def exchange_result(kind: AtomicType) -> StructType:
    """Returns the type of what a comparing exchange gives."""
    return StructType("exchange result", (MemberOf("old_value", kind.value), MemberOf("exchanged", BOOL)))


def zeroed(kind: ArrayOf, name: str) -> list[str]:
    """Returns the rows that set every element of an array to 0."""
    counters: list[str] = []
    sizes: list[str] = []
    inner: Type = kind
    while isinstance(inner, ArrayOf):
        counters.append(f"{name}_{'ijklmn'[len(counters)]}")
        sizes.append(inner.count or "1")
        inner = inner.element
    heads = [f"for (int {each} = 0; {each} < {size}; {each}++)" for each, size in zip(counters, sizes, strict=True)]
    places = "".join(f"[{each}]" for each in counters)
    return [f"{' '.join(heads)} {name}{places} = {zero(inner)};"]


def _as_one(value: Expression, sign: str, kind: Type) -> Expression:
    """Returns the value of `target op= value`, in brackets where GLSL does not write it behind the sign alone."""
    is_alone = sign not in ("<<", ">>") and not isinstance(kind, MatrixType) and scalar_of(kind) != BOOL
    return value if is_alone or not isinstance(value, BinaryNode) else BracketedNode(value.row, value)


def _closes_at_end(text: str) -> bool:
    """Whether the parenthesis that a text begins with closes at its end."""
    depth = 0
    for at, each in enumerate(text):
        depth += (each == "(") - (each == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def _continues(block: BlockNode | None) -> bool:
    """Whether a block continues its loop, not one inside."""
    if block is None:
        return False
    return any(
        (isinstance(each, JumpNode) and each.keyword == "continue")
        or (isinstance(each, BlockNode) and _continues(each))
        or (isinstance(each, IfNode) and _if_continues(each))
        or (isinstance(each, SwitchNode) and any(_continues(case.body) for case in each.cases))
        for each in block.statements
    )


def _if_continues(node: IfNode) -> bool:
    other = node.otherwise
    return _continues(node.then) or (_if_continues(other) if isinstance(other, IfNode) else _continues(other))
