"""Writes a mutant schema's text: what its version of GLSL has, which mutant runs, how often loops turn, and its cost.

A mutant is selected by its number at one place, with few nested conditions: Mesa's software drivers accept eighty
nested conditions, and silently compute wrong values with more. The iterations of loops are limited: a mutation may
make one endless. Drivers inline functions wherever they are called, with their mutations: that is a mutation's cost.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import READS, condition_of, function_name, name_around
from texelscope.pipeline.glsl.semantics.statements import (
    DoWhileLoop,
    ForLoop,
    FunctionDefinition,
    ParameterMacro,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits, Version, version_of, without_comments
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation

# Functions of the schema: whether a mutation is chosen, whether one of several is, and the numbers of one.
IS, AMONG, NUMBER_OF = "texelscope_is", "texelscope_among", "texelscope_number"
# The uniform that limits the iterations of all loops of an invocation.
TURNS = "u_texelscope_turns"
HEAD_OF_TURNS = (f"uniform highp int {TURNS};", "highp int texelscope_turns = 0, texelscope_rounds = 0;")
_TURN = f"++texelscope_turns < {TURNS}"
# Loops with barriers are counted separately: all invocations run them equally often.
_ROUND = f"++texelscope_rounds < {TURNS}"
# Of GLSL 1.30 and of GLSL ES 3.00.
_LATER = frozenset(
    {
        "round", "roundEven", "trunc", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "modf", "isnan", "isinf",
        "uint", "uvec2", "uvec3", "uvec4", "texture", "textureLod", "textureOffset", "textureLodOffset", "textureGrad",
        "texelFetch", "texelFetchOffset", "textureSize",
    }
)  # fmt: skip
# Of GLSL 1.20 as well.
_OF_MATRICES = frozenset({"transpose", "outerProduct"})
# For floats alone before these versions.
_OF_FLOATS = re.compile(r"\b(?:abs|min|max|clamp|sign)\s*\(")
_WORD, _REST = re.compile(r"[A-Za-z_]\w*"), re.compile(r"%")
_FIRST, _FIRST_ES, _FIRST_OF_MATRICES = 130, 300, 120
_CALL, _OPERATOR = re.compile(r"(\w+)\s*\("), re.compile(r"[-+*/%?]")
# A texture read is inlined as this many operations.
_OF_READ = 12
# A loop of an inlined function counts as this many iterations: it may be unrolled, and a driver took minutes for a
# program with thirty calls of a function with one.
_TURNS, _LOOPS = 32, (ForLoop, WhileLoop, DoWhileLoop)
# More copies are not distinguished.
_MOST = 1 << 20


def opened(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """Returns the text before a place at which one of `templates`, by their numbers, may be chosen; see `closed`.

    `every` lists all numbers of the schema; numbers between those of the place split a range test.
    """
    form = "if ({0}) {{ {1} }} else {{ " if is_statement else "({0} ? {1} : "
    return "".join(
        form.format(_asked(run), _one_of(run, templates, is_statement=is_statement)) for run in _runs(templates, every)
    )


def closed(templates: Mapping[int, str], every: Iterable[int], *, is_statement: bool) -> str:
    """Returns the text after it."""
    return (" }" if is_statement else ")") * len(_runs(templates, every))


def _runs(templates: Mapping[int, str], every: Iterable[int]) -> list[list[int]]:
    """Returns the numbers in order, split where others lie between."""
    runs: list[list[int]] = []
    is_open = False
    for number in sorted({*every, *templates}):
        if number not in templates:
            is_open = False
        elif is_open:
            runs[-1].append(number)
        else:
            runs.append([number])
            is_open = True
    return runs


def _asked(numbers: list[int]) -> str:
    return f"{IS}({numbers[0]})" if len(numbers) == 1 else f"{AMONG}({numbers[0]}, {numbers[-1]})"


def _one_of(numbers: list[int], templates: Mapping[int, str], *, is_statement: bool) -> str:
    """Selects one of some numbers by repeated halving."""
    if len(numbers) == 1:
        return _numbered(templates[numbers[0]], numbers[0])
    single_fault_outputs = numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]
    first, second = (_one_of(half, templates, is_statement=is_statement) for half in single_fault_outputs)
    asked = _asked(single_fault_outputs[0])
    return f"if ({asked}) {{ {first} }} else {{ {second} }}" if is_statement else f"({asked} ? {first} : {second})"


def _numbered(template: str, number: int) -> str:
    """Writes its numbers as indices: `.x` would mean something else if a macro has a parameter of that name."""
    of_edit = f"{NUMBER_OF}({number})"
    for lanes, places in ((".xy", ""), (".x", "[0]"), (".y", "[1]")):
        template = template.replace(f"{NUMBER}{lanes}", f"{of_edit}{places}")
    return template.replace(NUMBER, of_edit)


def count(loop: SyntaxNode, shift: int, made: Edits, *, is_round: bool) -> None:
    """Adds the limit to a loop, whose node lies `shift` bytes before its text; `is_round`: it has barriers."""
    condition = condition_of(loop)
    if condition is not None:
        start, stop, is_for = condition.start_byte + shift, condition.end_byte + shift, isinstance(loop, ForLoop)
        made.insert(start, "(" * (not is_for) + f"({_ROUND if is_round else _TURN}) && (", (-1,))
        made.insert(stop, ")" + ")" * (not is_for), (1,))


@lru_cache(maxsize=16)
def with_limited_loops(text: str) -> str:
    """Returns a shader whose loops turn at most as often as the uniform `TURNS` says; rows behind its head stay."""
    source = text.encode()
    root, made = parse(constructors_as_calls(source)), Edits()
    for loop in root.walk():
        if isinstance(loop, _LOOPS):
            has_barrier = any(call.name == "barrier" for call in loop.of_type(FunctionCall))
            count(loop, 0, made, is_round=has_barrier)
    return behind_head(made.apply(source), *HEAD_OF_TURNS) if made.at else text


class Available:
    """The vocabulary of one shader. Whatever it uses anywhere is available: its own functions, and extensions."""

    def __init__(self, source: str) -> None:
        text, lacking = without_comments(source), _lacking(version_of(source))
        self._lacking = lacking - {*_WORD.findall(text)}
        self._has_rest, self._is_old = "%" in text, bool(lacking)

    def said(self, proposals: Iterable[Mutation], scalar: str) -> Iterator[Mutation]:
        """Yields proposals in this version's terms, for a value of a scalar type, without inexpressible ones."""
        for each in proposals:
            if (said := self._said(each, scalar) if self._is_old else each) is not None:
                yield said

    def _said(self, proposal: Mutation, scalar: str) -> Mutation | None:
        new, template = (self._in_version(text) for text in (proposal.new, proposal.template))
        if new is None or template is None:
            return None
        if scalar != "float" and len(_OF_FLOATS.findall(new)) > len(_OF_FLOATS.findall(proposal.old)):
            return None
        return dataclasses.replace(proposal, new=new, template=template)

    def _in_version(self, text: str) -> str | None:
        if "tanh" in self._lacking:
            text = _without_tanh(text)
        if not self._has_rest and _REST.search(text):
            return None
        return None if self._lacking & {*_WORD.findall(text)} else text


def _lacking(version: Version | None) -> frozenset[str]:
    """Returns the names that a version lacks; without one the first GLSL is assumed."""
    if version is not None and version.number >= (_FIRST_ES if version.is_es else _FIRST):
        return frozenset()
    has_matrices = version is not None and not version.is_es and version.number >= _FIRST_OF_MATRICES
    return _LATER if has_matrices else _LATER | _OF_MATRICES


def _without_tanh(text: str) -> str:
    """Writes the hyperbolic tangent with an exponential."""
    while (found := re.search(r"\btanh\s*\(", text)) is not None:
        depth, stop = 1, found.end()
        while depth and stop < len(text):
            depth += {"(": 1, ")": -1}.get(text[stop], 0)
            stop += 1
        if depth:
            return text
        inner = text[found.end() : stop - 1]
        text = f"{text[: found.start()]}(1.0 - 2.0 / (exp(2.0 * ({inner})) + 1.0)){text[stop:]}"
    return text


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
