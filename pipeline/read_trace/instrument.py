"""Rewrites a fragment shader so that it writes down its texture reads.

The shader is parsed (tree-sitter-glsl), never searched with patterns: every call of a built-in read becomes a
call of its wrapper in `shaders/taps/reads.glsl`, with the sampler's number, the call's number and the lanes
used from the result. A function that takes a sampler gets the number as one more parameter. It, and every
generated accessor, is told by whom it is called: a read stands at the author's `X(at)` or `read(image, at)`, which says
what is read, and not in the function, which serves every texture.
All edits are insertions, so line numbers stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.lines import GENERATED, line_map
from texelscope.pipeline.glsl.macros import MacroError, MacroUse, expand_reads
from texelscope.pipeline.glsl.syntax import (
    OTHER_READS,
    READS,
    Edits,
    constructors_as_calls,
    function_around,
    function_called,
    function_name,
    parse,
    walk,
)
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.recorder_text import with_recorder

ALL_LANES = 15
# The rank of an insertion behind all others at its place.
BESIDE_THE_WORD = (9,)
# Outputs that need no declaration before GLSL 4.20, which has them no more.
_OLD_OUTPUTS = frozenset({"gl_FragColor", "gl_FragData"})
# What has another name in a shader that writes its reads down in colours.
_RENAMED = frozenset({"gl_FragCoord", "discard"})

LANE_OF = {letter: lane for letters in ("xyzw", "rgba", "stpq") for lane, letter in enumerate(letters)}


@dataclass(frozen=True)
class ReadSite:
    """One read in the text: the file and 1-based line where its author finds it."""

    file: str
    line: int
    text: str


@dataclass(frozen=True)
class Instrumented:
    """A fragment shader that records. `samplers` in the order of their numbers, `sites` likewise.

    `lanes_apart`: it works out the lanes of its output one by one, so that their reads can be told apart.
    `interpolates`: it has inputs from the vertex shader, which depend on where a fragment lies.
    """

    fragment: str
    samplers: tuple[str, ...]
    sites: tuple[ReadSite, ...]
    lanes_apart: bool
    interpolates: bool = False


def instrument(program: ProgramSource, who: str, *, buffers: bool = True) -> Instrumented:
    """The recording version of `program`, for OpenGL 4.3 (GLSL 4.30 or ES 3.10), or for 3.3 without storage `buffers`.

    Raises UnsupportedError where a read cannot be followed: in a macro that the text does not decide, in text that does
    not parse, through an array of samplers, or by a built-in without a wrapper.
    """
    return ReadsRewriter(program, who, buffers=buffers).run()


class ReadsRewriter:
    """Follows the reads of one shader; whoever follows more of it adds edits of its own before they are applied.

    `aim` is what a refusal is about, `expanded` are words and signs besides reads that a macro is written out for.
    """

    aim = "taps"
    expanded: frozenset[str] = frozenset()

    def __init__(self, program: ProgramSource, who: str, *, buffers: bool) -> None:
        self._who = who
        self._buffers = buffers
        self._lines = line_map(program)
        self._uses, self._source = self._without_macros(program.fragment)
        self._root = parse(constructors_as_calls(self._source))
        self._edits = Edits()
        self._sites: list[ReadSite] = []
        self._outputs: set[str] = set()
        self._samplers: dict[str, int] = {}
        self._functions: dict[str, tuple[int, ...]] = {}
        self._accessors: set[str] = set()
        self._reading: set[str] = set()
        self._lanes_apart = False
        self._interpolates = False
        self._followed: set[int] = set()
        self._old_outputs: set[str] = set()

    def run(self) -> Instrumented:
        """The shader that writes its reads down."""
        self._follow()
        text = self._edits.apply(self._source)
        return Instrumented(
            with_recorder(text, buffers=self._buffers, old_outputs=self._old_outputs),
            tuple(self._samplers),
            tuple(self._sites),
            self._lanes_apart,
            self._interpolates,
        )

    def _follow(self) -> None:
        for node in walk(self._root):
            if node.type == "declaration":
                self._declare(node)
            elif node.type == "function_definition":
                self._define(node)
        for node in walk(self._root):
            if node.type == "call_expression":
                self._call(node)
            elif node.type == "assignment_expression":
                self._assign(node)
            elif not node.children:
                self._name(node)
        self._check_all_are_followed()

    def _check_all_are_followed(self) -> None:
        """No read may be lost in text that the parser takes for something else."""
        for node in walk(self._root):
            name = self._text(node) if not node.children else ""
            if name not in READS | OTHER_READS or node.start_byte in self._followed or node.parent is None:
                continue
            is_called = self._source[node.end_byte :].lstrip().startswith(b"(")
            if is_called and node.type != "preproc_arg" and node.parent.type != "function_declarator":
                raise self._unsupported(node, "a read that parses", f"'{name}' in text that does not")

    def _text(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def _declare(self, node: tree_sitter.Node) -> None:
        """Numbers the sampler uniforms, notes the outputs of four lanes."""
        kinds = {child.type for child in node.children}
        is_own = all(self._text(child) != "gl_FragCoord" for child in node.children)
        self._interpolates = self._interpolates or ("in" in kinds and is_own)
        if "out" in kinds and not self._buffers:
            keyword = next(child for child in node.children if child.type == "out")
            self._edits.insert(node.start_byte, "/* ")
            self._edits.insert(keyword.end_byte, " */")
        types = [self._text(child) for child in node.children if child.type in ("type_identifier", "primitive_type")]
        if "out" in kinds and "vec4" in types:
            self._outputs.update(self._text(child) for child in node.children if child.type == "identifier")
        if "uniform" not in kinds or "sampler2D" not in types:
            return
        for child in node.children:
            if child.type == "identifier" and self._text(child):
                self._samplers.setdefault(self._text(child), len(self._samplers))
            elif child.type == "array_declarator":
                raise self._unsupported(child, "samplers declared one by one", "an array of samplers")

    def _name(self, node: tree_sitter.Node) -> None:
        """An output that only old versions of GLSL have gets a name of its own."""
        name = self._text(node)
        if name in _OLD_OUTPUTS and node.type == "identifier":
            self._edits.insert(node.start_byte, "tap_", BESIDE_THE_WORD)
            self._old_outputs.add(name)
        elif not self._buffers:
            self._rename(node)

    def _rename(self, node: tree_sitter.Node) -> None:
        """Where the recorder has the main function: the author's, the place of its fragment, and its giving up."""
        name = self._text(node)
        parent = node.parent
        is_main = name == "main" and parent is not None and parent.type == "function_declarator"
        if is_main or name == "gl_FragCoord":
            self._edits.insert(node.start_byte, "tap_")
        elif name == "discard":
            if function_name(function_around(node)) != "main":
                raise self._unsupported(node, "storage buffers (OpenGL 4.3)", "discard in a function")
            self._edits.insert(node.start_byte, "tap_")

    def _define(self, node: tree_sitter.Node) -> None:
        """Gives a function one more parameter before each sampler that it takes."""
        declarator = node.child_by_field_name("declarator")
        parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
        name = function_name(node)
        if parameters is None or not name:
            return
        if self._reads(node):
            self._reading.add(name)
        kinds = [
            "sampler2D" in [self._text(child) for child in parameter.children]
            for parameter in parameters.named_children
            if parameter.type == "parameter_declaration"
        ]
        if self._is_accessor(node, name) or any(kinds):
            self._accessors.add(name)
            opening = "highp int tap_site, " if parameters.named_child_count else "highp int tap_site"
            self._edits.insert(parameters.start_byte + 1, opening)
        positions = []
        for position, parameter in enumerate(
            child for child in parameters.named_children if child.type == "parameter_declaration"
        ):
            if "sampler2D" in [self._text(child) for child in parameter.children]:
                positions.append(position)
                self._edits.insert(parameter.start_byte, f"highp int tap_id_{self._parameter_name(parameter)}, ")
        if positions:
            self._functions[name] = tuple(positions)

    def _is_accessor(self, node: tree_sitter.Node, name: str) -> bool:
        """Whether a function is generated text that reads, itself or through one that does (defined before it)."""
        return name != "main" and self._lines[node.start_point[0]][0] == GENERATED and self._reads(node)

    def _reads(self, node: tree_sitter.Node) -> bool:
        """Whether a texture is read within, by a function that does (defined before) too."""
        calls = (inner for inner in walk(node) if inner.type == "call_expression")
        return any(function_called(call) in READS | self._reading for call in calls)

    def _site(self, node: tree_sitter.Node) -> str:
        """The number of a read's place in the text, as an expression: within an accessor it is the caller's."""
        if function_name(function_around(node)) in self._accessors and self._is_told_by_caller(node):
            return "tap_site"
        file, line = self._lines[node.start_point[0]]
        used = next((use.text for use in self._uses if use.start <= node.start_byte < use.stop), None)
        self._sites.append(ReadSite(file, line, used or self._text(node)))
        return str(len(self._sites) - 1)

    def _is_told_by_caller(self, node: tree_sitter.Node) -> bool:
        """Whether a read in a function that takes a sampler, or that is generated, stands where that is called."""
        return True

    def _parameter_name(self, parameter: tree_sitter.Node) -> str:
        name = self._text([child for child in parameter.children if child.type == "identifier"][-1])
        behind = parameter.next_named_sibling
        # Of `highp sampler2D s` the parser takes the precision for a type and the type for a name.
        return self._text(behind) if name == "sampler2D" and behind is not None else name

    def _call(self, node: tree_sitter.Node) -> None:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        name = self._text(function)
        if name in OTHER_READS:
            raise self._unsupported(node, f"reads by {', '.join(sorted(READS))}", name)
        if name in READS:
            self._read(node, function, arguments)
        elif name in self._accessors:
            self._edits.insert(
                arguments.start_byte + 1, self._site(node) + (", " if arguments.named_child_count else "")
            )
        if name in self._functions:
            for position in self._functions[name]:
                argument = arguments.named_children[position]
                self._edits.insert(argument.start_byte, f"{self._sampler_number(argument)}, ")

    def _assign(self, node: tree_sitter.Node) -> None:
        """Notes, while one lane of an output is computed, which: reads are then told apart by lane."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or node.has_error:
            return
        target = left.child_by_field_name("argument")
        if target is None or self._text(target) not in self._outputs:
            return
        lane = None
        if left.type == "subscript_expression" and (index := left.child_by_field_name("index")) is not None:
            lane = self._text(index)
        elif left.type == "field_expression" and (fields := left.child_by_field_name("field")) is not None:
            lane = str(LANE_OF[self._text(fields)]) if self._text(fields) in LANE_OF else None
        if lane is not None:
            self._lanes_apart = self._lanes_apart or self._reads(right)
            self._edits.insert(right.start_byte, f"(tap_lane = int({lane}), tap_done(")
            self._edits.insert(right.end_byte, "))")

    def _read(self, node: tree_sitter.Node, function: tree_sitter.Node, arguments: tree_sitter.Node) -> None:
        if node.has_error:
            raise self._unsupported(node, "a read that parses", self._text(node))
        self._followed.add(function.start_byte)
        first = arguments.named_children[0]
        self._edits.insert(function.start_byte, "tap_", BESIDE_THE_WORD)
        self._edits.insert(
            first.start_byte, f"{self._sampler_number(first)}, {self._site(node)}, {self._lanes(node)}, "
        )

    def _sampler_number(self, argument: tree_sitter.Node) -> str:
        name = self._text(argument)
        if argument.type == "identifier" and name in self._samplers:
            return str(self._samplers[name])
        if argument.type == "identifier" and self._is_parameter(argument, name):
            return f"tap_id_{name}"
        raise self._unsupported(argument, "a sampler uniform or a sampler parameter", f"'{name}'")

    def _is_parameter(self, node: tree_sitter.Node, name: str) -> bool:
        definition = function_around(node)
        if definition is None:
            return False
        return any(
            "sampler2D" in [self._text(child) for child in parameter.children]
            and self._parameter_name(parameter) == name
            for parameter in walk(definition)
            if parameter.type == "parameter_declaration"
        )

    def _lanes(self, node: tree_sitter.Node) -> str:
        """Which lanes of the result are used, as an expression for a mask: by swizzle, by index, or all."""
        parent = node.parent
        if parent is not None and parent.type == "field_expression":
            fields = parent.child_by_field_name("field")
            letters = self._text(fields) if fields is not None else ""
            if letters and all(letter in LANE_OF for letter in letters):
                return str(sum({1 << LANE_OF[letter] for letter in letters}))
        if parent is not None and parent.type == "subscript_expression":
            index = parent.child_by_field_name("index")
            if index is not None:
                return f"1 << ({self._text(index)})"
        return str(ALL_LANES)

    def _without_macros(self, text: str) -> tuple[tuple[MacroUse, ...], bytes]:
        """The text with macros that read written out, and where they were used."""
        names = {name for node in walk(parse(text.encode())) for name in _readers(node)}
        try:
            expanded = expand_reads(
                text, READS | OTHER_READS | names | self.expanded | (frozenset() if self._buffers else _RENAMED)
            )
        except MacroError as error:
            got = f"reads in macro '{error.name}', which {error.reason}"
            raise self._unsupported_at(error.line, "texture reads that the text tells", got) from error
        return expanded.uses, expanded.text.encode()

    def _unsupported(self, node: tree_sitter.Node, expected: str, got: str) -> UnsupportedError:
        return self._unsupported_at(node.start_point[0], expected, got)

    def _unsupported_at(self, line_number: int, expected: str, got: str) -> UnsupportedError:
        file, line = self._lines[line_number]
        return UnsupportedError(
            f"{self.aim} of '{self._who}' ({file}:{line})",
            expected,
            got,
            "Write the read out; the pass itself runs as it is.",
        )


def _readers(node: tree_sitter.Node) -> Iterator[str]:
    """Names in a definition or declaration that stand for a texture: sampler uniforms, functions that take samplers."""
    if node.type == "declaration" and any(child.text == b"sampler2D" for child in node.children):
        yield from (child.text.decode() for child in node.children if child.type == "identifier" and child.text)
    elif node.type == "function_declarator":
        name = function_name(node)
        if name and any(inner.text == b"sampler2D" for inner in walk(node)):
            yield name
