"""Rewrites a shader so that it reports where it leaves an array, a vector or a texture, and which blocks it runs.

By insertions into the parsed text, so that rows stay. Every indexed place, and the beginning of every block of
statements, sets a flag of its own. A fragment shader shows its flags instead of its result, some at a time; a compute
shader sets them in a storage block.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.lines import behind_head
from texelscope.pipeline.glsl.macros import MacroError, expand_reads
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    FunctionCall,
    NumberLiteral,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.outputs import declared_outputs
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import function_around
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CaseLabel,
    CompoundStatement,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElseClause,
    ForLoop,
    FunctionDeclarator,
    FunctionDefinition,
    IfStatement,
    LoopStatement,
    ReturnStatement,
    Statement,
    SwitchStatement,
    WhileLoop,
    declarator_in,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.glsl.semantics.variables import variables_of
from texelscope.pipeline.glsl.source_text import Edits, version_of

# The uniform that says which flags are shown, and the block of flags of a compute shader.
PART, BLOCK = "u_texelscope_part", "TexelscopeFlags"
# Flags shown at once, as the bits of a whole number that half precision holds exactly.
FLAGS_AT_ONCE = 10
# More places than this are not observed: drivers compile long texts slowly.
_MOST = 160
_MAIN = "texelscope_observed_main"
# Reads and writes at texels: the number of the argument that is the place, and how the size is asked for.
_AT_TEXELS = {
    "texelFetch": "textureSize({0}, {2})",
    "imageLoad": "imageSize({0})",
    "imageStore": "imageSize({0})",
}
# The lanes of a place in a flat texture.
_FLAT = 2
# Since these versions arrays know their length, and textures their size.
_LENGTHS, _LENGTHS_ES = 130, 300
_LEAVING = (BreakStatement, ContinueStatement, ReturnStatement)
# Ranks at one offset: what closes (inner first), what stands before a statement, what opens (outer first).
_CLOSES, _BEFORE, _OPENS = -2, 0, 1


ObservedKind = Literal["outside", "runs", "computes"]


@dataclass(frozen=True)
class ObservedPlace:
    """A place that sets a flag: an index or a texel outside of what it indexes, or a block of statements that runs.

    A block that `computes` reads, calls or adds; one that only leaves, or assigns numbers, does not.
    `row` counts the lines of the program's text from 0; `number` counts the places of one kind in that row. `indexed`
    is the text of what is indexed.
    """

    kind: ObservedKind
    row: int
    number: int
    indexed: str = ""


@dataclass(frozen=True)
class ObservedText:
    """A shader that reports its flags, one for each of `places`."""

    text: str
    places: tuple[ObservedPlace, ...]

    @property
    def parts(self) -> int:
        """How many draws show all flags of a fragment shader."""
        return -(-len(self.places) // FLAGS_AT_ONCE)


def observed_text(text: str, *, is_compute: bool) -> ObservedText:
    """Returns the version of a shader that reports its flags.

    Raises UnsupportedError for a text of a version without lengths of arrays, and for one that does not parse.
    """
    version = version_of(text)
    if version is None or version.number < (_LENGTHS_ES if version.is_es else _LENGTHS):
        raise _unsupported("a version with lengths of arrays", "an older one")
    return _Observer(text, is_compute=is_compute).run()


def _unsupported(expected: str, got: str) -> UnsupportedError:
    return UnsupportedError("observing a repair", expected, got, "It is judged by its values alone.")


class _Observer:
    def __init__(self, text: str, *, is_compute: bool) -> None:
        self._is_compute = is_compute
        try:
            expanded = expand_reads(text, {"[", "texelFetch", "imageLoad", "imageStore", "{"})
        except MacroError as error:
            raise _unsupported("macros that the text decides", f"'{error.name}', which {error.reason}") from error
        self._source = expanded.text.encode()
        self._root = parse(constructors_as_calls(self._source))
        self._types = Types(self._root)
        # Shared arrays may only be indexed, so that their indices can be kept inside: their sizes as written.
        self._shared = {
            each.name: each.sizes
            for node in self._root.of_type(Declaration)
            if node.has_word("shared")
            for each in variables_of(node)
        }
        self._edits = Edits()
        self._places: list[ObservedPlace] = []
        self._functions: list[str] = []

    def run(self) -> ObservedText:
        for node in self._root.walk():
            if isinstance(node, Subscript):
                self._index(node)
            elif isinstance(node, FunctionCall):
                self._texel(node)
            elif isinstance(node, FunctionDefinition):
                self._block(node.body)
            elif isinstance(node, IfStatement | ElseClause | SwitchStatement | LoopStatement):
                self._branches(node)
        if self._is_compute:
            head, tail = [f"layout(std430) buffer {BLOCK} {{ uint texelscope_flags[]; }};"], ""
        else:
            head = [f"bool texelscope_flag{number} = false;" for number in range(len(self._places))]
            tail = f"\n{self._shown()}"
        body = self._edits.apply(self._source)
        return ObservedText(behind_head(body, *head, *self._functions) + tail, tuple(self._places))

    # -- places --------------------------------------------------------------------------------------------

    def _flag(self, kind: ObservedKind, node: SyntaxNode, indexed: str = "") -> str:
        """Numbers a place and returns the statement that sets its flag."""
        if len(self._places) == _MOST:
            raise _unsupported(f"at most {_MOST} places", "more")
        count = sum(each.kind == kind and each.row == node.row for each in self._places)
        self._places.append(ObservedPlace(kind, node.row, count, indexed))
        number = len(self._places) - 1
        return f"texelscope_flags[{number}] = 1u;" if self._is_compute else f"texelscope_flag{number} = true;"

    def _index(self, node: Subscript) -> None:
        """Checks an index, unless it is a number, which the compiler checks."""
        if isinstance(node.index, NumberLiteral) or function_around(node) is None or node.has_error:
            return
        kind = self._types.of(node.argument)
        if "sampler" in kind or "image" in kind:
            return
        if kind.endswith("[]"):
            count = self._length(node.argument)
        elif lanes_of(kind) > 1 or is_matrix(kind):
            count = str(lanes_of(kind) or int(kind[3]))
        else:
            return
        if any(isinstance(inner, FunctionCall) for inner in node.argument.walk()):
            return  # it would be called twice
        self._checked(node.argument, node.index, "int", count)

    def _length(self, array: SyntaxNode) -> str:
        """Returns an expression for the number of elements of an array."""
        text = self._text(array)
        sizes = self._shared.get(text.partition("[")[0].strip())
        return f"int({sizes[text.count('[')]})" if sizes else f"int({text}.length())"

    def _texel(self, node: FunctionCall) -> None:
        asked = _AT_TEXELS.get(node.name)
        if asked is None or node.has_error or function_around(node) is None:
            return
        given = node.arguments
        at, names = given[1], [self._text(each) for each in given[:3]]
        lanes, bound = lanes_of(self._types.of(at)), self._types.of(given[0])
        if lanes != _FLAT or not bound.endswith("2D"):
            return
        self._checked(given[0], at, f"ivec{lanes}", asked.format(*names))

    def _checked(self, indexed: SyntaxNode, index: SyntaxNode, kind: str, count: str) -> None:
        """Passes an index of type `kind` through a function that compares it with the size `count`."""
        number, flag = len(self._places), self._flag("outside", index, self._text(indexed))
        name, size_kind = f"texelscope_at{number}", "int" if kind == "int" else "ivec2"
        outside = "i < 0 || i >= n"
        if kind != "int":
            outside = "any(lessThan(i, ivec2(0))) || any(greaterThanEqual(i, n))"
        self._functions.append(
            f"highp {kind} {name}(highp {kind} i, highp {size_kind} n) {{ if ({outside}) {{ {flag} }} return i; }}"
        )
        self._edits.insert(index.start_byte, f"{name}({kind}(", (_OPENS, -index.end_byte))
        self._edits.insert(index.end_byte, f"), {count})", (_CLOSES, -index.start_byte))

    # -- blocks --------------------------------------------------------------------------------------------

    def _branches(self, node: SyntaxNode) -> None:
        """Marks the statements that a condition decides, and those behind a condition that may leave."""
        for body in _bodies(node):
            if isinstance(body, CompoundStatement):
                self._block(body)
            else:
                self._edits.insert(
                    body.start_byte, f"{{ {self._flag(_kind_of([body]), body)} ", (_OPENS, -body.end_byte)
                )
                self._edits.insert(body.end_byte, " }", (_CLOSES, -body.start_byte))
        behind = node.next_named_sibling
        leaving = ReturnStatement if isinstance(node, LoopStatement) else _LEAVING
        leaves = isinstance(node, Statement) and any(isinstance(inner, leaving) for inner in node.walk())
        if leaves and isinstance(node.parent, CompoundStatement) and behind is not None and _may_be_marked(behind):
            rest = [each for each in node.parent.named_children if each.start_byte >= behind.start_byte]
            self._edits.insert(behind.start_byte, f"{self._flag(_kind_of(rest), behind)} ", (_BEFORE, -behind.end_byte))

    def _block(self, body: SyntaxNode) -> None:
        self._edits.insert(body.start_byte + 1, f" {self._flag(_kind_of([body]), body)}", (_BEFORE, -body.end_byte))

    # -- what is shown -------------------------------------------------------------------------------------

    def _shown(self) -> str:
        """Returns a main function that runs the author's and shows some flags in every output."""
        for node in self._root.of_type(FunctionDeclarator):
            name = declarator_in(node)
            if name is not None and self._text(name) == "main":
                self._edits.insert(name.start_byte, "texelscope_observed_")
        terms = [
            f"if ({PART} == {number // FLAGS_AT_ONCE} && texelscope_flag{number}) "
            f"shown += {1 << number % FLAGS_AT_ONCE}.0;"
            for number in range(len(self._places))
        ]
        given = [f"{name} = {kind}(shown);" for name, kind in self._outputs()]
        if not given:
            raise _unsupported("outputs that the text declares", "none")
        return (
            f"uniform highp int {PART};\nvoid main() {{ {_MAIN}(); highp float shown = 0.0; "
            f"{' '.join(terms)} {' '.join(given)} }}\n"
        )

    def _outputs(self) -> Iterator[tuple[str, str]]:
        for each in declared_outputs(self._root):
            if lanes_of(each.type) and not each.sizes:
                yield each.name, each.type

    def _text(self, node: SyntaxNode) -> str:
        return self._source[node.start_byte : node.end_byte].decode()


def _bodies(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields the statements that a branch or a loop runs, or does not."""
    match node:
        case IfStatement():
            yield node.consequence
        case ElseClause():
            yield from (each for each in node.named_children if isinstance(each, Statement))
        case ForLoop() | WhileLoop() | DoWhileLoop():
            yield node.body
        case _:
            return


def _kind_of(statements: Sequence[SyntaxNode]) -> ObservedKind:
    """Returns whether statements compute something or only run."""
    for node in itertools.chain.from_iterable(each.walk() for each in statements):
        if isinstance(node, Subscript | UpdateExpression):
            return "computes"
        if isinstance(node, Assignment) and node.operator != "=":
            return "computes"
        if isinstance(node, FunctionCall) and not scalar_of(node.name.lower()):
            return "computes"
    return "runs"


def _may_be_marked(node: SyntaxNode) -> bool:
    """Whether a statement may stand before a node."""
    return isinstance(node, Statement | Declaration) and not isinstance(node, CaseLabel)
