"""Numbers the places in a parsed shader that write to the log, and describes their entries; parses watches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.glsl.lines import GENERATED, Line
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    CommaExpression,
    FunctionCall,
    Identifier,
    Parenthesised,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.statements import CaseLabel, CompoundStatement, Preprocessor
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.instrument import ReadsRewriter

End = Literal["", "return", "discard", "break", "continue"]
What = Literal["step", "assign", "branch", "return", "index", "enter", "exit", "mark", "watch", "constant", "output"]

# Types in the order of their numbers, from 1 on, as in shaders/step_trace/values.glsl.
TYPES = (
    "float", "vec2", "vec3", "vec4", "int", "ivec2", "ivec3", "ivec4", "uint", "uvec2", "uvec3", "uvec4",
    "bool", "bvec2", "bvec3", "bvec4", "mat2", "mat3", "mat4", "mat2x3", "mat2x4", "mat3x2",
    "mat3x4", "mat4x2", "mat4x3",
)  # fmt: skip
LANES = (*(n for _ in range(4) for n in range(1, 5)), 4, 9, 16, 6, 8, 6, 12, 8, 12)
READ_TYPE, MORE_TYPE = 62, 63
MOST_SITES = 1 << 16
MOST_PARTS = 1 << 10
# Ranks of insertions at one place: closing ones, inner first; after a statement; before one; opening ones, outer first.
CLOSES, BEHIND, BEFORE, OPENS = -3, -2, -1, 1
# Statements that contain others, in any number.
_HOLDERS = (CompoundStatement, CaseLabel, Preprocessor)
_HEAD = "void f() { x = ("
_CHANGING = (Assignment, UpdateExpression, CommaExpression)


@dataclass(frozen=True)
class TraceSite:
    """One place: what is logged there, and for which variable or statement.

    `begins`: the entry begins a step as well. `name` is a variable's, a function's, or a watch's text; in a variable's
    each `#` stands for an index, which the sites `indices` logged before. `step` adds 1 or -1 where `x++` or `x--` logs
    the value before. `loops` are the loops around in the function; `enters` is one that starts here, `turns` one of
    which a turn does. `definition` is the site where calls of the function begin, -1 in main. A variable that
    `is_shared` is global.
    """

    what: What
    line: Line
    function: str
    text: str = ""
    name: str = ""
    begins: bool = False
    indices: tuple[int, ...] = ()
    step: int = 0
    loops: tuple[int, ...] = ()
    enters: int | None = None
    turns: int | None = None
    end: End = ""
    definition: int = -1
    is_shared: bool = False


class OwnPlaces(ReadsRewriter):
    """Distinguishes a shader's own text from generated text around it, and numbers places in it."""

    aim = "trace"
    main_prefix = "trace_"
    expanded = frozenset({"=", ";", "{", "}", "++", "--"})

    def __init__(self, program: ProgramSource, who: str, *, buffers: bool) -> None:
        super().__init__(program, who, buffers=buffers)
        self._supplied = (program.files[0].path, program.supplied_lines) if program.files else ("", 0)
        self._places: list[TraceSite] = []
        self._function, self._definition = "", -1
        self._wraps = 0

    def _top(self) -> list[SyntaxNode]:
        """Returns declarations and functions, those under conditions too."""
        found, pending = [], list(reversed(self._root.named_children))
        while pending:
            node = pending.pop()
            if isinstance(node, Preprocessor):
                pending.extend(reversed(node.named_children))
            else:
                found.append(node)
        return found

    def _is_generated(self, node: SyntaxNode) -> bool:
        """Whether no author wrote it: generated text, or an engine's text before every shader."""
        file, line = self._lines[node.row]
        return file == GENERATED or (file == self._supplied[0] and line <= self._supplied[1])

    def _place_renamed(self, expression: str) -> str:
        """Returns an expression with the name that gl_FragCoord has in the rewritten text."""
        return expression if self._buffers else re.sub(r"\bgl_FragCoord\b", "tap_gl_FragCoord", expression)

    def _place(self, node: SyntaxNode) -> Line:
        return self._lines[node.row]

    def _said(self, node: SyntaxNode) -> str:
        """Returns a node's text on one line, with macros as their author uses them, without comments."""
        around = next((u for u in self._uses if u.start <= node.start_byte and node.end_byte <= u.stop), None)
        if around is not None:
            return around.text
        parts, at = [], node.start_byte
        for inner in node.walk():
            if isinstance(inner, Comment):
                parts.append(self._source[at : inner.start_byte].decode())
                at = inner.end_byte
        for use in self._uses:
            if at <= use.start and use.stop <= node.end_byte:
                parts.append(self._source[at : use.start].decode() + use.text)
                at = use.stop
        parts.append(self._source[at : node.end_byte].decode())
        return " ".join(" ".join(parts).split()).rstrip("; ")

    def _site_of(self, what: What, node: SyntaxNode, **more: object) -> int:
        return self._numbered(TraceSite(what, self._place(node), self._function, definition=self._definition, **more))  # type: ignore[arg-type]

    def _numbered(self, site: TraceSite) -> int:
        self._places.append(site)
        return len(self._places) - 1

    def _wrap(self, node: SyntaxNode, opening: str, closing: str = ")") -> None:
        self._edits.insert(node.start_byte, opening, (OPENS, -node.end_byte))
        self._wraps += 1  # the same node may be wrapped again, within
        self._edits.insert(node.end_byte, closing, (CLOSES, -node.start_byte, -self._wraps))

    def _before(self, node: SyntaxNode, text: str) -> None:
        self._edits.insert(node.start_byte, text, (BEFORE, -node.end_byte))

    def _after(self, node: SyntaxNode, text: str) -> None:
        self._edits.insert(node.end_byte, text, (BEHIND, -node.start_byte))

    def _braced(self, node: SyntaxNode) -> None:
        """Makes room for statements before and behind one that stands alone."""
        parent = node.parent
        if parent is not None and not isinstance(parent, _HOLDERS):
            self._before(node, "{ ")
            self._after(node, " }")


@dataclass(frozen=True)
class WatchExpression:
    """An expression, the variables and functions that it names; `problem` says why it is none."""

    text: str
    names: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    problem: str = ""


def watch_of(text: str) -> WatchExpression:
    """Parses what a person typed as a watch."""
    if not text.isascii():  # letters that GLSL has in comments alone
        return WatchExpression(text, problem="no expression")
    source = f"{_HEAD}{text}); }}".encode()
    root = parse(constructors_as_calls(source))
    inner = next(root.of_type(Parenthesised), None)
    whole = inner is not None and inner.end_byte == len(source) - len("; }") and not root.has_error
    if inner is None or not whole or "//" in text or "/*" in text or "#" in text:
        return WatchExpression(text, problem="no expression")
    if any(isinstance(node, _CHANGING) for node in inner.walk()):
        return WatchExpression(text, problem="an expression that changes a variable")
    calls = frozenset(node.name for node in inner.of_type(FunctionCall))
    called = {node.callee.start_byte for node in inner.of_type(FunctionCall)}
    names = {node.text for node in inner.of_type(Identifier) if node.start_byte not in called}
    return WatchExpression(text, frozenset(names), calls)
