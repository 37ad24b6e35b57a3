"""How much of a program an edit is: functions are written out where they are called, and so is what stands in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    READS,
    function_around,
    function_called,
    function_name,
    parents,
    text_of,
    walk,
)

_CALL, _OPERATOR = re.compile(r"(\w+)\s*\("), re.compile(r"[-+*/%?]")
# A read of a texture is written out as so many operations.
_OF_READ = 12
# A loop of a function that is written out once more is as many operations as so many turns: it may be unrolled, and a
# driver took minutes for a program of thirty calls of a function with one.
_TURNS, _LOOPS = 32, frozenset({"for_statement", "while_statement", "do_statement"})
# More copies than this are not told apart.
_MOST = 1 << 20


class CompileCosts:
    """Of a parsed shader: how often each function is written out, and how large it is with all that it calls."""

    def __init__(self, root: tree_sitter.Node) -> None:
        calls: dict[str, Counter[str]] = {}
        own: Counter[str] = Counter()
        for node in walk(root):
            if node.type == "function_definition":
                calls.setdefault(function_name(node), Counter())
            elif node.type == "call_expression":
                calls.setdefault(function_name(function_around(node)), Counter())[function_called(node)] += 1
            if node.type in ("binary_expression", "call_expression"):
                is_read = node.type == "call_expression" and function_called(node) in READS
                loops = sum(each.type in _LOOPS for each in parents(node))
                own[function_name(function_around(node))] += (_OF_READ if is_read else 1) * _TURNS ** min(loops, 2)
            elif node.type == "preproc_function_def" and (body := node.child_by_field_name("value")) is not None:
                name, text = text_of(node.child_by_field_name("name") or node), text_of(body)
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
        # Many edits stand at one node, and many have one template.
        self._around: dict[int, int] = {}
        self._in_text: dict[str, int] = {}

    def size(self, name: str) -> int:
        """Operations of a function with those of what it calls; 0 of a built-in one that is no read."""
        if name in READS:
            return _OF_READ
        if name not in self._sizes:
            self._sizes[name] = 0  # GLSL has no recursion; a text may
            called = self._calls.get(name, Counter())
            inner = sum(count * self.size(each) for each, count in called.items() if each in self._calls)
            self._sizes[name] = min(self._own[name] + inner, _MOST)
        return self._sizes[name]

    def copies(self, name: str) -> int:
        """How often a function is written out in `main`; once what is none of the text's, as a macro's body is."""
        if name in ("main", "") or name not in self._calls:
            return 1
        if name not in self._copies:
            self._copies[name] = 0
            callers = self._callers.get(name, Counter())
            self._copies[name] = min(sum(count * self.copies(each) for each, count in callers.items()), _MOST)
        return self._copies[name]

    def of(self, node: tree_sitter.Node, text: str) -> int:
        """Operations that a text costs the program where it stands beside an expression or a statement."""
        if text not in self._in_text:
            calls = sum(1 + self.size(name) for name in _CALL.findall(text))
            self._in_text[text] = 1 + calls + len(_OPERATOR.findall(text))
        if node.id not in self._around:
            self._around[node.id] = self.copies(function_name(function_around(node)))
        return min(self._around[node.id] * self._in_text[text], _MOST)
