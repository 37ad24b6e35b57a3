"""Estimates the compile cost of a mutation: drivers inline functions wherever they are called, with their mutations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall
from texelscope.pipeline.glsl.semantics.questions import READS, function_name, name_around
from texelscope.pipeline.glsl.semantics.statements import (
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    ParameterMacro,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

_CALL, _OPERATOR = re.compile(r"(\w+)\s*\("), re.compile(r"[-+*/%?]")
# A texture read is inlined as this many operations.
_OF_READ = 12
# A loop of an inlined function counts as this many iterations: it may be unrolled, and a driver took minutes for a
# program with thirty calls of a function with one.
_TURNS, _LOOPS = 32, (ForLoop, WhileLoop, DoWhileLoop)
# More copies are not distinguished.
_MOST = 1 << 20


class CompileCosts:
    """For a parsed shader: how often each function is inlined, and its size with all that it calls."""

    def __init__(self, root: SyntaxNode) -> None:
        calls: dict[str, Counter[str]] = {}
        own: Counter[str] = Counter()
        for node in root.walk():
            if isinstance(node, FunctionDefinition):
                calls.setdefault(function_name(node), Counter())
            elif isinstance(node, FunctionCall):
                calls.setdefault(name_around(node), Counter())[node.name] += 1
            if isinstance(node, BinaryExpression | FunctionCall):
                is_read = isinstance(node, FunctionCall) and node.name in READS
                loops = sum(isinstance(each, _LOOPS) for each in node.ancestors())
                own[name_around(node)] += (_OF_READ if is_read else 1) * _TURNS ** min(loops, 2)
            elif isinstance(node, ParameterMacro) and node.body is not None:
                name, text = node.name, node.body.text
                inside = _CALL.findall(text)
                own[name] += len(_OPERATOR.findall(text)) + _OF_READ * sum(each in READS for each in inside)
                calls.setdefault(name, Counter()).update(each for each in inside if each not in READS)
        self._calls: Mapping[str, Counter[str]] = calls
        self._sizes: dict[str, int] = {}
        self._own = own
        self._callers: dict[str, Counter[str]] = {}
        for caller, called in calls.items():
            for name, count in called.items():
                self._callers.setdefault(name, Counter())[caller] += count
        self._copies: dict[str, int] = {}
        # Many mutations share one node, and many share one template.
        self._around: dict[SyntaxNode, int] = {}
        self._in_text: dict[str, int] = {}

    def size(self, name: str) -> int:
        """Returns the operations of a function and all that it calls; 0 for a built-in one that is no read."""
        if name in READS:
            return _OF_READ
        if name not in self._sizes:
            self._sizes[name] = 0  # GLSL has no recursion, but a text may
            called = self._calls.get(name, Counter())
            inner = sum(count * self.size(each) for each, count in called.items() if each in self._calls)
            self._sizes[name] = min(self._own[name] + inner, _MOST)
        return self._sizes[name]

    def copies(self, name: str) -> int:
        """Returns how often a function is inlined in `main`; 1 for others, such as a macro's body."""
        if name in ("main", "") or name not in self._calls:
            return 1
        if name not in self._copies:
            self._copies[name] = 0
            callers = self._callers.get(name, Counter())
            self._copies[name] = min(sum(count * self.copies(each) for each, count in callers.items()), _MOST)
        return self._copies[name]

    def of(self, node: SyntaxNode, text: str) -> int:
        """Returns the operations that a text adds beside an expression or a statement."""
        if text not in self._in_text:
            calls = sum(1 + self.size(name) for name in _CALL.findall(text))
            self._in_text[text] = 1 + calls + len(_OPERATOR.findall(text))
        if node not in self._around:
            self._around[node] = self.copies(name_around(node))
        return min(self._around[node] * self._in_text[text], _MOST)
