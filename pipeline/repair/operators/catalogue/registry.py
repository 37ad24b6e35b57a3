"""Finds the mutation operators: every other module of this folder has one or more of them.

They are tried stage by stage, those of one stage in the order of their modules' names, and in a module as written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType

from texelscope.pipeline.discovery import Plugin, by_name, first_line, gathered, plugins
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.operators import catalogue
from texelscope.pipeline.repair.operators.operator import (
    ExpressionOperator,
    FunctionOperator,
    MutationOperator,
    StatementOperator,
    TextOperator,
    TrialStage,
)

_STAGES = list(TrialStage)


class Catalogue:
    """Keeps the mutation operators in the order of their trials, by what they look at."""

    def __init__(self, operators: Sequence[MutationOperator]) -> None:
        every = self.operators = tuple(sorted(operators, key=lambda each: _STAGES.index(each.stage)))
        self.of_functions = tuple(each for each in every if isinstance(each, FunctionOperator))
        self.of_texts = tuple(each for each in every if isinstance(each, TextOperator))
        self._expressions = tuple(each for each in every if isinstance(each, ExpressionOperator))
        self._statements = tuple(each for each in every if isinstance(each, StatementOperator))
        self._of_expressions: dict[type[SyntaxNode], tuple[ExpressionOperator, ...]] = {}
        self._of_statements: dict[type[SyntaxNode], tuple[StatementOperator, ...]] = {}

    def of_expression(self, node: SyntaxNode) -> tuple[ExpressionOperator, ...]:
        """Returns the operators that look at expressions of a node's class."""
        if type(node) not in self._of_expressions:
            self._of_expressions[type(node)] = tuple(each for each in self._expressions if isinstance(node, each.nodes))
        return self._of_expressions[type(node)]

    def of_statement(self, node: SyntaxNode) -> tuple[StatementOperator, ...]:
        """Returns the operators that look at statements of a node's class."""
        if type(node) not in self._of_statements:
            self._of_statements[type(node)] = tuple(each for each in self._statements if isinstance(node, each.nodes))
        return self._of_statements[type(node)]


@cache
def all_operators() -> Catalogue:
    """Returns every operator. Raises TexelscopeError, naming the file, for a module that defines none or a bad one."""
    return discover(catalogue)


def discover(package: ModuleType) -> Catalogue:
    """Returns the operators in the modules of a package."""
    found = by_name(gathered(plugins(package, without=("registry",)), _operators), "a mutation operator")
    return Catalogue(tuple(found.values()))


def _operators(plugin: Plugin) -> Iterator[tuple[str, Plugin, MutationOperator]]:
    for kind in plugin.subclasses(MutationOperator):
        if not isinstance(kind.stage, TrialStage):
            raise plugin.refuse("a stage", repr(kind.stage), f"Set stage of {kind.__name__} to one of TrialStage.")
        if not kind.examples() and sys.flags.optimize < 2:  # python -OO removes docstrings
            expected = "a docstring that names a mistake, with an example: `before` becomes `after`"
            raise plugin.refuse(expected, first_line(kind) or "none", f"Write it in {kind.__name__}.")
        yield kind.name(), plugin, kind()
