"""Knows the functions that a block defines: which one a call means, what it changes, and what depends on the order.

A call means the visible function whose parameters take its arguments with the fewest conversions. An expression whose
value depends on which of its parts runs first is not read: drivers differ from what GLSL says there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.network.values import NotUnderstoodError
from texelscope.pipeline.dialects.mpv.network.variable_types import VariableType, fit
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    CommaExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import bare, declared_name, sides_of
from texelscope.pipeline.glsl.semantics.statements import (
    Declaration,
    FunctionDeclarator,
    FunctionDefinition,
    ParameterDeclaration,
    declarators_of,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode

# The most functions of a block, and of one name, and the most variables outside that a function may change: a hostile
# text must not take more time than its length.
_MOST_FUNCTIONS, _MOST_ALIKE = 1024, 64
# The most expressions around one that changes a variable.
_DEEPEST_CHANGE = 100


@dataclass(frozen=True)
class FunctionParameter:
    """Describes a parameter: whether a call gives it a value, and whether it gives one back."""

    name: str
    type: VariableType
    is_in: bool
    is_out: bool


@dataclass(frozen=True)
class BlockFunction:
    """Describes one function: its parameters, what it returns (None: nothing), and its definition."""

    parameters: tuple[FunctionParameter, ...]
    result: VariableType | None
    definition: FunctionDefinition


class BlockFunctions:
    """Holds the functions of a block by name; `add` them in the order of the text."""

    def __init__(self, root: SyntaxNode) -> None:
        self._of: dict[str, list[BlockFunction]] = {}
        self._count = 0
        self._seen_from: dict[str, int] = {}
        self._globals: set[str] = set()
        for each in root.children:
            declared = declarators_of(each) if isinstance(each, Declaration) else ()
            for declarator in declared:
                if isinstance(declarator, FunctionDeclarator):
                    self._seen_from.setdefault(declarator.declarator.text, each.start_byte)
                else:
                    self._globals.add(declared_name(declarator) or declarator.text)
        self._written: dict[str, frozenset[str]] = {}
        self._checked: set[int] = set()

    def add(self, name: str, function: BlockFunction) -> None:
        """Adds a function's definition. Raises NotUnderstoodError for more than a person writes."""
        self._count += 1
        overloads = self._of.setdefault(name, [])
        overloads.append(function)
        if self._count > _MOST_FUNCTIONS or len(overloads) > _MOST_ALIKE:
            raise NotUnderstoodError(f"more than {_MOST_FUNCTIONS} functions, or {_MOST_ALIKE} of one name")

    def all(self, name: str) -> Sequence[BlockFunction]:
        """Returns all functions of that name."""
        return self._of.get(name, [])

    def visible(self, name: str, byte: int) -> Sequence[BlockFunction]:
        """Returns the functions of that name that a call at `byte` of the text sees."""
        if self._seen_from.get(name, byte) < byte:
            return self._of.get(name, [])
        return [each for each in self._of.get(name, []) if each.definition.start_byte <= byte]

    def called(
        self, name: str, candidates: Sequence[BlockFunction], arguments: Sequence[VariableType]
    ) -> BlockFunction:
        """Returns the one that takes the arguments with the fewest conversions. Raises NotUnderstoodError."""
        taken: list[tuple[int, BlockFunction]] = []
        for function in candidates:
            if len(function.parameters) != len(arguments):
                continue
            fits = [fit(each.type, given) for each, given in zip(function.parameters, arguments, strict=True)]
            if None not in fits:
                taken.append((sum(each for each in fits if each is not None), function))
        if not taken and len(candidates) == 1 and len(candidates[0].parameters) == len(arguments):
            return candidates[0]  # whose conversion of the argument says what does not fit
        fewest = min((cost for cost, _ in taken), default=0)
        best = [function for cost, function in taken if cost == fewest]
        if len(best) != 1:
            given = ", ".join(each.name for each in arguments)
            raise NotUnderstoodError(f"a call of {name}({given}), which {len(best)} functions take")
        return best[0]

    # -- what changes ------------------------------------------------------------------------------------------

    def changes(self, node: SyntaxNode) -> Iterator[tuple[str, SyntaxNode]]:
        """Yields each variable that a part of the node changes, with that part."""
        for each in node.walk():
            if isinstance(each, Assignment):
                yield root_of(each.left), each
            elif isinstance(each, UpdateExpression):
                yield root_of(each.argument), each
            elif isinstance(each, FunctionCall) and each.name in self._of:
                given = [argument for argument in each.arguments if not isinstance(argument, Comment)]
                for function in self._of[each.name]:
                    for parameter, argument in zip(function.parameters, given, strict=False):
                        if parameter.is_out:
                            yield root_of(argument), each
                for name in self._globals_written(each.name):
                    yield name, each

    def _globals_written(self, name: str) -> frozenset[str]:
        """Returns the variables outside all functions that a call of the function may change."""
        if name not in self._written:
            self._written[name] = frozenset()  # while it is computed: no function of GLSL calls itself
            bodies = [each.definition.body for each in self._of[name]]
            changed = frozenset(
                changed for body in bodies for changed, _ in self.changes(body) if changed in self._globals
            )
            if len(changed) > _MOST_ALIKE:
                raise NotUnderstoodError(f"a function that changes more than {_MOST_ALIKE} variables outside of it")
            self._written[name] = changed
        return self._written[name]

    def check_order(self, node: SyntaxNode) -> None:
        """Raises NotUnderstoodError for an expression that reads a variable and changes it in another part.

        The sides of `,`, `&&`, `||` and `?` run one after the other, so each is looked at alone.
        """
        parts = [node]
        while parts:
            part = bare(parts.pop())
            if part.number in self._checked:
                continue
            self._checked.add(part.number)
            if isinstance(part, ConditionalExpression):
                parts += [part.condition, part.consequence, part.alternative]
            elif isinstance(part, CommaExpression) or part.operator in ("&&", "||"):
                parts += [each for each in sides_of(part) if each is not None]
            else:
                self._check_part(part)

    def _check_part(self, node: SyntaxNode) -> None:
        changes = list(self.changes(node))
        names = {name for name, _ in changes}
        reads: dict[str, list[int]] = {}
        for each in node.of_type(Identifier) if names else ():
            if each.text in names and not _is_only_changed(each):
                reads.setdefault(each.text, []).append(each.number)
        for name, part in changes:
            if name not in reads:
                continue
            behind = _right_of(part, node)
            if reads[name][0] < part.number or (behind is not None and reads[name][-1] >= behind):
                raise NotUnderstoodError(f"an expression that reads '{name}' and changes it too")


def _right_of(part: SyntaxNode, whole: SyntaxNode) -> int | None:
    """Returns the number of the right side of the outermost assignment in `whole` that has the part on its left."""
    found = None
    for depth, each in enumerate(part.ancestors()):
        if each.number < whole.number:
            break
        if depth > _DEEPEST_CHANGE:
            raise NotUnderstoodError("a change of a variable inside an expression nested too deep")
        if isinstance(each, Assignment) and each.left.number <= part.number < each.left.behind:
            found = each.right.number
    return found


def _is_only_changed(name: SyntaxNode) -> bool:
    """Whether a name is what a plain assignment gives a value to, so that its former value is not read."""
    node, parent = name, name.parent
    while isinstance(parent, Parenthesised) or (
        isinstance(parent, FieldAccess | Subscript) and parent.argument is node
    ):
        node, parent = parent, parent.parent
    return isinstance(parent, Assignment) and parent.operator == "=" and parent.left is node


def root_of(target: SyntaxNode) -> str:
    """Returns the name of the variable that an expression is, or is a part of; empty of other expressions."""
    node = bare(target)
    while isinstance(node, FieldAccess | Subscript):
        node = bare(node.argument)
    return node.text if isinstance(node, Identifier) else ""


def qualifiers_of(parameter: ParameterDeclaration) -> frozenset[str]:
    """Returns the words before a parameter's type."""
    kind = parameter.type
    return frozenset(each.text for each in parameter.children if kind is not None and each.number < kind.number)
