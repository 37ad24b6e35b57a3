"""Rewrites a fragment shader so that it logs its texture reads.

The shader is parsed (tree-sitter-glsl), never searched with patterns: every call of a built-in read becomes a call of
its wrapper in `shaders/read_trace/reads.glsl`, with the sampler's number, the call's number and the lanes used from the
result. A function that takes a sampler gets the number as one more parameter. It, and every generated accessor, also
gets the site of its caller: a read stands at the author's `X(at)` or `read(image, at)`, which shows what is read, and
not in the function, which serves every texture. All edits are insertions, so line numbers stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import GENERATED, behind_head, line_map
from texelscope.pipeline.glsl.macros import MacroError, MacroUse, expand_reads
from texelscope.pipeline.glsl.semantics.expressions import Assignment, FieldAccess, FunctionCall, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.outputs import BUILT_IN_OUTPUTS
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_restrictions
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    function_around,
    function_name,
    name_around,
)
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    FunctionDeclarator,
    FunctionDefinition,
    MacroBody,
    ParameterDeclaration,
    TypeName,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode, Token
from texelscope.pipeline.glsl.source_text import Edits, renamed_words, version_of, with_directive
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.discards import insertions_for_discards
from texelscope.pipeline.read_trace.kinds import kind_of, wrappers
from texelscope.pipeline.read_trace.recording import ReadSite
from texelscope.pipeline.sampler_kinds import SamplerKind, kind_called

# Least versions of GLSL, and of GLSL ES, by whether storage buffers are used.
_LEAST = {True: (430, 310), False: (330, 300)}
# Files that write the log of reads, likewise.
_LOGS = {
    True: ("read_trace/log.glsl", "read_trace/reads.glsl"),
    False: ("read_trace/scan_place.glsl", "read_trace/scan.glsl", "read_trace/reads.glsl"),
}
# Functions whose result depends on the neighbouring fragments, by their beginnings.
_DERIVATIVES = ("dFdx", "dFdy", "fwidth")
ALL_LANES = 15
# The rank of an insertion behind all others at its place.
BESIDE_THE_WORD = (9,)
# Outputs that need no declaration before GLSL 4.20, which has them no more.
# Names that change in a shader that logs in colours.
_RENAMED = frozenset({"gl_FragCoord", "discard"})

LANE_OF = {letter: lane for letters in ("xyzw", "rgba", "stpq") for lane, letter in enumerate(letters)}


def with_recorder(
    text: str, *, buffers: bool, log: Sequence[str], old_outputs: Collection[str] = (), more: Sequence[str] = ()
) -> str:
    """Returns `text` (rewritten) with the recorder after its version and extensions.

    With `buffers` the log goes to a storage buffer; without, to colours. `log` are the files under `shaders/` that
    write it, and `more` is text behind them. `old_outputs` are built-in ones that the text has with `tap_` before their
    names.
    """
    version, renamed = version_of(text), renamed_words(text, "fragment")
    if version is not None:
        core, es = _LEAST[buffers]
        # GLSL ES 1.00's gl_FragColor is unknown to later versions of ES, but not to desktop GLSL.
        keeps_es = version.is_es and version.number > 100
        wanted = f"{max(version.number, es)} es" if keeps_es else f"{max(version.number, core)} core"
        text = with_directive(text, f"#version {wanted}")
    kind = "out highp vec4" if buffers else "highp vec4"
    declared = [f"{kind} tap_{name}{'' if name == 'gl_FragColor' else '[8]'};" for name in sorted(old_outputs)]
    return behind_head(text, *renamed, *declared, *map(read_shader, log), *more)


@dataclass(frozen=True)
class Instrumented:
    """Holds a recording fragment shader. `samplers` in the order of their numbers, `sites` likewise.

    `lanes_apart`: it computes the lanes of its output one by one, so that their reads can be distinguished.
    `is_placed`: it depends on more of its fragment's place than `gl_FragCoord` has, so that it must be drawn there.
    """

    fragment: str
    samplers: tuple[str, ...]
    sites: tuple[ReadSite, ...]
    lanes_apart: bool
    is_placed: bool = False


def instrument(program: ProgramSource, who: str, *, buffers: bool = True, few_colours: bool = False) -> Instrumented:
    """Returns the recording version of `program`, for OpenGL 4.3 (GLSL 4.30 or ES 3.10), or 3.3 without `buffers`.

    With `few_colours` a fragment that records into colours keeps one read, in three of them, and not three in seven.

    Raises UnsupportedError where a read cannot be followed: in a macro whose value the text does not decide, in text
    that does not parse, through an array of samplers, or by a built-in without a wrapper.
    """
    return ReadsRewriter(program, who, buffers=buffers, few_colours=few_colours).run()


class ReadsRewriter:
    """Follows the reads of one shader; subclasses, which follow more of it, add their edits before all are applied.

    Refusals name `aim` as their subject; macros with words of `expanded`, besides reads, are expanded. `main_prefix` is
    what the author's main gets before its name where the recorder has a main of its own.
    """

    aim = "taps"
    main_prefix = "tap_"
    expanded: frozenset[str] = frozenset()

    def __init__(self, program: ProgramSource, who: str, *, buffers: bool, few_colours: bool = False) -> None:
        self._who = who
        self._buffers = buffers
        self._main = "read_trace/scan_main_narrow.glsl" if few_colours else "read_trace/scan_main.glsl"
        self._lines = line_map(program)
        self._uses, self._source = self._without_macros(program.fragment)
        shown = without_restrictions(self._source) if program.stage == "compute" else self._source
        self._root = parse(constructors_as_calls(shown))
        self._edits = Edits()
        self._sites: list[ReadSite] = []
        self._outputs: set[str] = set()
        self._samplers: dict[str, int] = {}
        self._kinds: dict[str, SamplerKind] = {}
        self._functions: dict[str, tuple[int, ...]] = {}
        self._accessors: set[str] = set()
        self._reading: set[str] = set()
        self._lanes_apart = False
        self._is_placed = program.vertex is not None
        self._followed: set[int] = set()
        self._old_outputs: set[str] = set()

    def run(self) -> Instrumented:
        """Returns the shader that logs its reads."""
        self._follow()
        text = with_recorder(
            self._edits.apply(self._source), buffers=self._buffers, log=_LOGS[self._buffers],
            old_outputs=self._old_outputs, more=wrappers(self._kinds.values()),
        )  # fmt: skip
        main = "" if self._buffers else f"\n\n{read_shader(self._main)}"
        return Instrumented(
            f"{text}{main}", tuple(self._samplers), tuple(self._sites), self._lanes_apart, self._is_placed
        )

    def _follow(self) -> None:
        if not self._buffers:
            for insertion in insertions_for_discards(self._root, self._source):
                self._edits.insert(*insertion)
        for node in self._root.walk():
            if isinstance(node, Declaration):
                self._declare(node)
            elif isinstance(node, FunctionDefinition):
                self._define(node)
        for node in self._root.walk():
            if isinstance(node, FunctionCall):
                self._call(node)
            elif isinstance(node, Assignment):
                self._assign(node)
            elif not node.children:
                self._name(node)
        self._check_all_are_followed()

    def _check_all_are_followed(self) -> None:
        """Checks that no read is lost in text that the parser takes for something else."""
        for node in self._root.walk():
            name = self._text(node) if not node.children else ""
            if name not in READS | OTHER_READS or node.start_byte in self._followed or node.parent is None:
                continue
            is_called = self._source[node.end_byte :].lstrip().startswith(b"(")
            if is_called and not isinstance(node, MacroBody) and not isinstance(node.parent, FunctionDeclarator):
                raise self._unsupported(node, "a read that parses", f"'{name}' in text that does not")

    def _text(self, node: SyntaxNode) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def _declare(self, node: Declaration) -> None:
        """Numbers the sampler uniforms, records the outputs of four lanes."""
        kinds = {child.kind for child in node.children if isinstance(child, Token)}
        if any(self._text(child) == "gl_FragCoord" for child in node.children):
            # The recorder, which stands before it, would find another texel by it.
            raise self._unsupported(node, "gl_FragCoord as the language has it", "a declaration with its own origin")
        self._is_placed = self._is_placed or not kinds.isdisjoint({"in", "varying"})
        if "out" in kinds and not self._buffers and all(self._text(child) != "gl_FragDepth" for child in node.children):
            self._without_output(node)
        types = [self._text(child) for child in node.children if isinstance(child, TypeName)]
        if "out" in kinds and "vec4" in types:
            self._outputs.update(self._text(child) for child in node.children if isinstance(child, Identifier))
        kind = kind_of(node)
        if "uniform" not in kinds or kind is None:
            return
        for child in node.children:
            if isinstance(child, Identifier) and self._text(child) and kind_called(self._text(child)) is None:
                self._samplers.setdefault(self._text(child), len(self._samplers))
                self._kinds[self._text(child)] = kind
            elif isinstance(child, ArrayDeclarator):
                raise self._unsupported(child, "samplers declared one by one", "an array of samplers")

    def _without_output(self, node: Declaration) -> None:
        """Makes an output an ordinary variable, by commenting its words out up to `out`; between comments, if any."""
        opened = None
        for child in node.children:
            if isinstance(child, Comment):
                if opened is not None:
                    self._edits.insert(child.start_byte, " */ ")
                opened = None
                continue
            if opened is None:
                self._edits.insert(child.start_byte, "/* ")
                opened = child
            if isinstance(child, Token) and child.kind == "out":
                self._edits.insert(child.end_byte, " */")
                return

    def _name(self, node: SyntaxNode) -> None:
        """Renames an output that only old versions of GLSL have."""
        name = self._text(node)
        if name in BUILT_IN_OUTPUTS and isinstance(node, Identifier):
            self._edits.insert(node.start_byte, "tap_", BESIDE_THE_WORD)
            self._old_outputs.add(name)
        elif not self._buffers:
            self._rename(node)

    def _rename(self, node: SyntaxNode) -> None:
        """Renames the author's main and gl_FragCoord where the recorder has the main function."""
        name = self._text(node)
        if name == "main" and isinstance(node.parent, FunctionDeclarator):
            self._edits.insert(node.start_byte, self.main_prefix)
        elif name == "gl_FragCoord":
            self._edits.insert(node.start_byte, "tap_", BESIDE_THE_WORD)

    def _define(self, node: FunctionDefinition) -> None:
        """Gives a function one more parameter before each sampler that it takes."""
        name, declarator = node.name, node.declarator
        if not isinstance(declarator, FunctionDeclarator) or not name:
            return
        if self._reads(node):
            self._reading.add(name)
        given = declarator.parameter_list
        parameters = [each for each in given.children if isinstance(each, ParameterDeclaration)]
        samplers = {place: each for place, each in enumerate(parameters) if kind_of(each) is not None}
        if self._is_accessor(node, name) or samplers:
            self._accessors.add(name)
            opening = "highp int tap_site, " if given.named_children else "highp int tap_site"
            self._edits.insert(given.start_byte + 1, opening)
        for parameter in samplers.values():
            self._edits.insert(parameter.start_byte, f"highp int tap_id_{self._parameter_name(parameter)}, ")
        if samplers:
            self._functions[name] = tuple(samplers)

    def _is_accessor(self, node: SyntaxNode, name: str) -> bool:
        """Whether a function is generated text that reads, itself or through an earlier one that does."""
        return name != "main" and self._lines[node.row][0] == GENERATED and self._reads(node)

    def _reads(self, node: SyntaxNode) -> bool:
        """Whether a texture is read within, also by an earlier function that does."""
        return any(call.name in READS | self._reading for call in node.of_type(FunctionCall))

    def _site(self, node: SyntaxNode) -> str:
        """Returns the number of a read's place in the text, as an expression: within an accessor the caller's."""
        if name_around(node) in self._accessors and self._is_told_by_caller(node):
            return "tap_site"
        file, line = self._lines[node.row]
        used = next((use.text for use in self._uses if use.start <= node.start_byte < use.stop), None)
        self._sites.append(ReadSite(file, line, used or self._text(node)))
        return str(len(self._sites) - 1)

    def _is_told_by_caller(self, node: SyntaxNode) -> bool:
        """Whether a read, in a generated function or one that takes a sampler, is attributed to the caller."""
        return True

    def _parameter_name(self, parameter: SyntaxNode) -> str:
        name = self._text([child for child in parameter.children if isinstance(child, Identifier)][-1])
        behind = parameter.next_named_sibling
        # Of `highp sampler2D s` the parser takes the precision for a type and the type for a name.
        return self._text(behind) if kind_called(name) is not None and behind is not None else name

    def _call(self, node: FunctionCall) -> None:
        name = self._text(node.callee)
        self._is_placed = self._is_placed or name.startswith(_DERIVATIVES)
        if name in OTHER_READS:
            raise self._unsupported(node, f"reads by {', '.join(sorted(READS))}", name)
        if name in READS:
            self._read(node)
        elif name in self._accessors:
            handed = self._site(node) + (", " if node.arguments else "")
            self._edits.insert(node.argument_list.start_byte + 1, handed)
        if name in self._functions:
            for position in self._functions[name]:
                argument = node.arguments[position]
                self._edits.insert(argument.start_byte, f"{self._sampler_number(argument)}, ")

    def _assign(self, node: Assignment) -> None:
        """Records the lane of an output while it is computed: reads are then distinguished by lane."""
        left, right = node.left, node.right
        is_part = isinstance(left, Subscript | FieldAccess) and self._text(left.argument) in self._outputs
        if node.has_error or not is_part:
            return
        lane = None
        if isinstance(left, Subscript):
            lane = self._text(left.index)
        elif isinstance(left, FieldAccess) and left.field.text in LANE_OF:
            lane = str(LANE_OF[left.field.text])
        if lane is not None:
            self._lanes_apart = self._lanes_apart or self._reads(right)
            self._edits.insert(right.start_byte, f"(tap_lane = int({lane}), tap_done(")
            self._edits.insert(right.end_byte, "))")

    def _read(self, node: FunctionCall) -> None:
        if node.has_error:
            raise self._unsupported(node, "a read that parses", self._text(node))
        self._followed.add(node.callee.start_byte)
        first = node.arguments[0]
        self._edits.insert(node.callee.start_byte, "tap_", BESIDE_THE_WORD)
        self._edits.insert(
            first.start_byte, f"{self._sampler_number(first)}, {self._site(node)}, {self._lanes(node)}, "
        )

    def _sampler_number(self, argument: SyntaxNode) -> str:
        name = self._text(argument)
        if isinstance(argument, Identifier) and name in self._samplers:
            return str(self._samplers[name])
        if isinstance(argument, Identifier) and self._is_parameter(argument, name):
            return f"tap_id_{name}"
        raise self._unsupported(argument, "a sampler uniform or a sampler parameter", f"'{name}'")

    def _is_parameter(self, node: SyntaxNode, name: str) -> bool:
        definition = function_around(node)
        if definition is None:
            return False
        samplers = (each for each in definition.parameters if kind_of(each) is not None)
        return any(self._parameter_name(each) == name for each in samplers)

    def _lanes(self, node: SyntaxNode) -> str:
        """Returns the lanes of the result in use, as an expression for a mask: by swizzle, by index, or all."""
        parent = node.parent
        if isinstance(parent, FieldAccess) and all(letter in LANE_OF for letter in parent.field.text):
            return str(sum({1 << LANE_OF[letter] for letter in parent.field.text}))
        if isinstance(parent, Subscript):
            return f"1 << ({self._text(parent.index)})"
        return str(ALL_LANES)

    def _without_macros(self, text: str) -> tuple[tuple[MacroUse, ...], bytes]:
        """Returns the text with macros that read expanded, and where they were used."""
        names = {name for node in parse(text.encode()).walk() for name in _readers(node)}
        try:
            expanded = expand_reads(
                text, READS | OTHER_READS | names | self.expanded | (frozenset() if self._buffers else _RENAMED)
            )
        except MacroError as error:
            got = f"reads in macro '{error.name}', which {error.reason}"
            raise self._unsupported_at(error.line, "texture reads that the text shows", got) from error
        return expanded.uses, expanded.text.encode()

    def _unsupported(self, node: SyntaxNode, expected: str, got: str) -> UnsupportedError:
        return self._unsupported_at(node.row, expected, got)

    def _unsupported_at(self, line_number: int, expected: str, got: str) -> UnsupportedError:
        file, line = self._lines[line_number]
        return UnsupportedError(
            f"{self.aim} of '{self._who}' ({file}:{line})",
            expected,
            got,
            "Write the read out; the pass itself runs as it is.",
        )


def _readers(node: SyntaxNode) -> Iterator[str]:
    """Yields names in a definition or declaration for textures: sampler uniforms, functions that take samplers."""
    if isinstance(node, Declaration) and kind_of(node) is not None:
        yield from (child.text for child in node.children if isinstance(child, Identifier) and child.text)
    elif isinstance(node, FunctionDeclarator):
        name = function_name(node)
        if name and any(kind_called(inner.text) is not None for inner in node.walk()):
            yield name
