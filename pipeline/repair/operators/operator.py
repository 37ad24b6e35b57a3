"""Defines mutation operators: what each looks at, when it is tried, and what it makes of a place."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    ConditionalDirective,
    ElifDirective,
    ElseClause,
    ElseDirective,
    ForLoop,
    FunctionDefinition,
    IfStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.place import ExpectedNumbers, Place, Shader
from texelscope.pipeline.repair.text.mutation import EXPRESSIONS, Kind, Mutation, Numbered, Places

# A place's new text, also with numbers that a uniform may change, or a whole mutation.
Made = str | Numbered | Mutation
# What statements stand in.
AROUND = (CompoundStatement, IfStatement, ElseClause, ForLoop, ConditionalDirective, ElseDirective, ElifDirective)
Nodes = tuple[type[SyntaxNode], ...]
_WORD = re.compile(r"[A-Z][a-z]*")
_EXAMPLE = re.compile(r"`([^`]+)`\s+becomes\s+`([^`]+)`")


@dataclass(frozen=True)
class _Looks:
    """What a stage looks at: its longest text, and whether it may be in a target or have comments.

    `is_once`: what two of its operators make is tried once. `are_loose`: what is swapped may bind less than what was
    there. `scalar` is the type of what a statement gets.
    """

    longest: int = 1 << 30  # no limit
    in_targets: bool = False
    with_comments: bool = False
    is_once: bool = False
    are_loose: bool = False
    scalar: str = "float"


class TrialStage(Enum):
    """When an operator is tried at a place, in this order: what changes least comes first.

    Each stage takes expressions of its own; a statement, a function and a whole text have stages too.
    """

    ROWS = "rows", _Looks(LIMITS.wrapped_characters, with_comments=True)
    SINGLE = "single changes", _Looks(LIMITS.changed_characters, in_targets=True, with_comments=True, is_once=True)
    NAMES = "other names", _Looks(LIMITS.wrapped_characters, with_comments=True)
    UNUSED = "unused names", _Looks(LIMITS.wrapped_characters)
    FUNCTIONS = "functions of other parts", _Looks(LIMITS.rewritten_characters, are_loose=True, is_once=True)
    REMOVED = "removed operands", _Looks(LIMITS.rewritten_characters, in_targets=True)
    OPERANDS = "changed operands", _Looks(LIMITS.rewritten_characters, are_loose=True, is_once=True)
    CONDITIONS = "conditions", _Looks(LIMITS.rewritten_characters, is_once=True)
    COMBINED = "other combinations", _Looks(LIMITS.wrapped_characters, with_comments=True)
    LANES = "packed lanes", _Looks(LIMITS.rewritten_characters)
    BOUNDS = "bounds", _Looks(in_targets=True, with_comments=True)
    INSERTED = "inserted terms", _Looks(LIMITS.wrapped_characters, in_targets=True)
    INDEX_TERMS = "terms of indices", _Looks(LIMITS.index_characters, with_comments=True)
    SIZES = "named sizes", _Looks(LIMITS.index_characters)
    REWRITTEN = "two changes at once", _Looks(LIMITS.rewritten_characters, is_once=True)
    FACTORS = "factors", _Looks(LIMITS.rewritten_characters)
    COUNTS = "counts of loops", _Looks(in_targets=True, with_comments=True)
    AXES = "the other axis", _Looks(LIMITS.rewritten_characters, is_once=True)
    INDICES = "indices", _Looks(LIMITS.index_characters, is_once=True)
    STATEMENTS = "statements", _Looks(LIMITS.statement_characters, with_comments=True)
    BORDERS = "borders", _Looks(LIMITS.border_characters, scalar="int")
    STEPS = "steps of loops", _Looks(scalar="int")
    MISSING = "missing statements", _Looks()
    PLACES = "several places", _Looks()
    UNKNOWN = "unknown numbers", _Looks(LIMITS.rewritten_characters, with_comments=True)
    LAST = "last", _Looks(LIMITS.rewritten_characters)

    @property
    def title(self) -> str:
        """Returns the stage's name for readers."""
        return self.value[0]

    @property
    def looks(self) -> _Looks:
        """Returns what the stage looks at."""
        return self.value[1]

    def takes(self, at: Place) -> bool:
        """Whether the operators of the stage are for an expression: it is short enough, and stands where they may."""
        looks = self.looks
        return (
            len(at.text) <= looks.longest
            and "#" not in at.text
            and (looks.with_comments or "//" not in at.text)
            and (looks.in_targets or not at.is_target)
        )


class MutationOperator(ABC):  # noqa: B024 - what it looks at differs by subclass
    """Undoes one mistake, which the first line of a subclass's docstring names.

    The docstring has examples: expressions, statements, or a function, as it is wrong and as it becomes right. They
    use the names that docs/operators-of-repair.md introduces.
    """

    stage: ClassVar[TrialStage] = TrialStage.LAST
    kind: ClassVar[Kind] = "swapped"
    # The nodes that it looks at; if there are types, or scalar types, a value is of one of these; none is a matrix.
    nodes: ClassVar[Nodes] = EXPRESSIONS
    types: ClassVar[frozenset[str]] = frozenset()
    scalars: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(
        cls,
        *,
        stage: TrialStage | None = None,
        kind: Kind | None = None,
        nodes: Nodes = (),
        types: str = "",
        scalars: str = "",
    ) -> None:
        """Sets when an operator is tried, the kind of its mutations, and what it looks at."""
        cls.stage, cls.kind, cls.nodes = stage or cls.stage, kind or cls.kind, nodes or cls.nodes
        cls.types, cls.scalars = frozenset(types.split()) or cls.types, frozenset(scalars.split()) or cls.scalars

    @classmethod
    def name(cls) -> str:
        """Returns the class's name in words."""
        return " ".join(_WORD.findall(cls.__name__)).lower()

    @classmethod
    def examples(cls) -> tuple[tuple[str, str], ...]:
        """Returns texts before and after: the second is among the mutants of the first. None under `python -OO`."""
        shown = _EXAMPLE.findall(cls.__doc__ or "")
        return tuple((" ".join(before.split()), " ".join(after.split())) for before, after in shown)


class ExpressionOperator(MutationOperator):
    """Changes an expression."""

    @abstractmethod
    def mutants(self, at: Place) -> Iterator[Made]:
        """Yields what may stand in place of an expression."""

    def takes(self, at: Place) -> bool:
        """Whether the operator looks at an expression of these nodes."""
        is_typed = not self.types or at.kind in self.types
        return is_typed and (not self.scalars or (at.scalar in self.scalars and not at.is_matrix))

    def mutation(self, at: Place, made: Made) -> Mutation:
        """Returns the mutation for what `mutants` yields."""
        if isinstance(made, str):
            # What is swapped binds as what was there.
            is_bound = self.kind == "swapped" and not self.stage.looks.are_loose
            return at.mutation(self.kind, made, made if is_bound else f"({made})")
        return made if isinstance(made, Mutation) else at.mutation(self.kind, *made)


class IndexOperator(ExpressionOperator, stage=TrialStage.INDICES, kind="index"):
    """Changes an address, or a part of one."""

    def takes(self, at: Place) -> bool:
        return at.is_index

    def mutation(self, at: Place, made: Made) -> Mutation:
        """Puts the new text in parentheses where it needs them."""
        return made if isinstance(made, Mutation) else self._of_kind(self.kind, at, made)

    def moved(self, at: Place, made: str | Numbered) -> Mutation:
        """Returns one of many mutations of a place: these are tried after those of the kind `index`."""
        return self._of_kind("moved", at, made)

    @staticmethod
    def _of_kind(kind: Kind, at: Place, made: str | Numbered) -> Mutation:
        new, template, values = (made, made, (0.0, 0.0)) if isinstance(made, str) else made
        return at.mutation(kind, at.apart(new), f"({template})", values)


class StatementOperator(MutationOperator, stage=TrialStage.STATEMENTS, kind="statement"):
    """Changes a statement."""

    @abstractmethod
    def mutants(self, at: Place) -> Iterator[str | Mutation]:
        """Yields what may stand in place of a statement."""

    def takes(self, at: Place) -> bool:
        """Whether the statement stands where others may; at a border it stays what it is."""
        return self.stage is not TrialStage.STATEMENTS or isinstance(at.parent, AROUND)

    def mutation(self, at: Place, made: str | Mutation) -> Mutation:
        """Returns the mutation for what `mutants` yields."""
        return at.mutation(self.kind, made) if isinstance(made, str) else made


class FunctionOperator(MutationOperator, stage=TrialStage.MISSING, kind="left out"):
    """Inserts a statement into a function, or changes one that deviates from its siblings."""

    @abstractmethod
    def mutants(self, function: FunctionDefinition, shader: Shader) -> Iterator[tuple[SyntaxNode, str]]:
        """Yields statements with what is inserted behind each, or stands in place of each."""


class TextOperator(MutationOperator, stage=TrialStage.PLACES):
    """Changes several places of a text at once."""

    @abstractmethod
    def mutants(self, shader: Shader, expected: ExpectedNumbers, free: Sequence[SyntaxNode]) -> Iterator[Places]:
        """Yields places with their mutations; `free` are the expressions that may change."""

    def instead(self, node: SyntaxNode, new: str) -> tuple[SyntaxNode, Mutation]:
        """Returns a place with its new text, in parentheses in the schema."""
        return node, Mutation(node.start_byte, node.end_byte, node.text, new, self.kind, f"({new})")
