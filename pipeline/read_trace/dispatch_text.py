"""Rewrites a compute shader so that it logs the reads and writes of its invocations.

As `pipeline.read_trace.instrument` does for fragment shaders, by insertions into the parsed text: the index of every
element of a storage block, and of every shared array, passes through `tap_at`, the texel of every image access through
`tap_texel`; reads of textures become calls of their wrappers. `shaders/read_trace/dispatch_log.glsl` describes the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import behind_head, line_map
from texelscope.pipeline.glsl.macros import MacroError, expand_reads
from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    FieldAccess,
    FunctionCall,
    Identifier,
    Subscript,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_restrictions
from texelscope.pipeline.glsl.semantics.questions import OTHER_READS, READS
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    StructMembers,
    TypeName,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.instrument import ALL_LANES, LANE_OF
from texelscope.pipeline.read_trace.recording import ReadSite

READ, WRITE, ATOMIC, BARRIER = 1, 2, 4, 8
BARRIER_NUMBER = 255
_IMAGE_CALLS = {"imageLoad": READ, "imageStore": WRITE}
# Bytes of an element of an array in std430, by type; macros of types are followed.
ELEMENT_BYTES = {
    "float": 4, "int": 4, "uint": 4, "vec2": 8, "ivec2": 8, "uvec2": 8, "vec4": 16, "ivec4": 16, "uvec4": 16,
    "float16_t": 2, "f16vec2": 4, "f16vec4": 8, "mat2": 16, "mat2x2": 16, "mat2x4": 32, "mat4x2": 32, "mat4": 64,
    "mat4x4": 64,
}  # fmt: skip


@dataclass(frozen=True)
class Array:
    """Describes an indexed binding: a storage block's array (its name is `bound`), image, sampler or shared array.

    An element of an array has `bytes`, 0 where it is a texel. A texture of two dimensions `is_sampled`: its reads are
    known by their coordinates.
    """

    name: str
    bound: str
    bytes: int = 0
    is_sampled: bool = False


@dataclass(frozen=True)
class InstrumentedDispatch:
    """A compute shader that records. Numbers count in `arrays` and `sites`.

    `feeds` maps each access within an assignment to a shared array to the site of that assignment, which is logged
    before it.
    """

    text: str
    arrays: tuple[Array, ...]
    sites: tuple[ReadSite, ...]
    has_shared: bool
    feeds: Mapping[int, int]


def instrument_dispatch(program: ProgramSource, who: str, *, follows_reads: bool = True) -> InstrumentedDispatch:
    """Returns the recording version of a compute shader, of its writes alone where it `follows_reads` not.

    Raises UnsupportedError where an access cannot be followed: in a macro whose value the text does not decide, in text
    that does not parse, to an element of a type without a fixed place, by a built-in without a wrapper.
    """
    return _Instrumenter(program, who, follows_reads=follows_reads).run()


class _Instrumenter:
    def __init__(self, program: ProgramSource, who: str, *, follows_reads: bool) -> None:
        self._who, self._follows_reads = who, follows_reads
        self._lines = line_map(program)
        self._types = _type_macros(program.fragment)
        self._edits = Edits()
        self._arrays: dict[str, Array] = {}
        self._flat: set[str] = set()
        self._sites: list[ReadSite] = []
        self._dimensions: dict[str, int] = {}
        self._assigned: dict[tuple[int, int], int] = {}
        self._feeds: dict[int, int] = {}
        self._source = program.fragment.encode()
        for declaration in parse(constructors_as_calls(without_restrictions(self._source))).of_type(Declaration):
            self._declare(declaration)
        self._source = self._without_macros(program.fragment).encode()
        self._root = parse(constructors_as_calls(without_restrictions(self._source)))

    def run(self) -> InstrumentedDispatch:
        for node in self._root.walk():
            if isinstance(node, Subscript):
                self._subscript(node)
            elif isinstance(node, FunctionCall):
                self._call(node)
        parts = [read_shader("read_trace/dispatch_log.glsl"), read_shader("read_trace/reads.glsl")]
        text = behind_head(self._edits.apply(self._source), *parts)
        shared = any(not array.bound for array in self._arrays.values())
        arrays, sites = tuple(self._arrays.values()), tuple(self._sites)
        return InstrumentedDispatch(text, arrays, sites, shared, dict(self._feeds))

    # -- declarations --------------------------------------------------------------------------------------

    def _declare(self, node: Declaration) -> None:
        words = {self._text(child) for child in node.children if not child.named_children}
        fields = next((child for child in node.children if isinstance(child, StructMembers)), None)
        names = [self._text(child) for child in node.children if isinstance(child, Identifier)]
        if fields is not None and "buffer" in words and names:
            # Members of several blocks may share a name, where instances tell them apart.
            self._block(names[0], fields, f"{names[1]}." if len(names) > 1 else "")
            return
        declared = [child for child in node.children if isinstance(child, Identifier | ArrayDeclarator)]
        if "shared" in words:
            for child in declared:
                inner: SyntaxNode = child
                count = 0
                while isinstance(inner, ArrayDeclarator) and inner.named_children:
                    inner, count = inner.named_children[0], count + 1
                if count:
                    self._arrays[self._text(inner)] = Array(self._text(inner), "")
                    self._dimensions[self._text(inner)] = count
        elif "uniform" in words and any("image" in word or "sampler" in word for word in words):
            flat = "sampler2D" in words
            for name in map(self._text, declared):
                self._arrays[name] = Array(name, name, is_sampled=flat)
            self._flat.update(self._text(child) for child in declared if flat)

    def _block(self, block: str, fields: StructMembers, instance: str) -> None:
        for member in fields.lines:
            array = next((child for child in member.children if isinstance(child, ArrayDeclarator)), None)
            kinds = [self._text(child) for child in member.children if isinstance(child, TypeName)]
            if array is None or not array.named_children or not kinds:
                continue
            name = f"{instance}{self._text(array.named_children[0])}"
            size = 0 if len(fields.lines) > 1 else ELEMENT_BYTES.get(self._type(kinds[-1]), 0)
            self._arrays[name] = Array(name, block, size)

    def _type(self, name: str) -> str:
        seen: set[str] = set()
        while name in self._types and name not in seen:
            seen.add(name)
            name = self._types[name]
        return name

    # -- accesses ------------------------------------------------------------------------------------------

    def _subscript(self, node: Subscript) -> None:
        array, index = node.argument, node.index
        name = "".join(self._text(array).split())
        known = self._arrays.get(name)
        if known is None or (not self._follows_reads and (not known.bound or self._done(node)[0] & WRITE == 0)):
            return
        if not known.bound:
            self._shared(node, name)
            return
        if not known.bytes:
            raise self._unsupported(node, "a block of one array of numbers", f"'{self._text(node)}'")
        done, lanes = self._done(node)
        number, site = [*self._arrays].index(name), self._site(node)
        self._edits.insert(index.start_byte, f"tap_at({number}, {site}, {lanes}, {done}, ")
        self._edits.insert(index.end_byte, ")")

    def _shared(self, node: Subscript, name: str) -> None:
        """Replaces a shared array's indices by one number. An assignment is logged before it is made."""
        before, whole, index = "", node, node.named_children[-1]
        for _ in range(self._dimensions[name] - 1):
            if not isinstance(whole.parent, Subscript):
                return
            before = f"({before}int({self._text(index)})) * {MOST_ALONG} + "
            whole = whole.parent
            index = whole.named_children[-1]
        number, (done, lanes) = [*self._arrays].index(name), self._done(whole)
        site = self._site(node)
        right = self._assigned_from(whole) if done & WRITE else None
        if right is not None:
            at = f"{before}int({self._text(index)})"
            self._assigned[right.start_byte, right.end_byte] = site
            self._edits.insert(right.start_byte, f"(tap_at({number}, {site}, {lanes}, {done}, {at}), ")
            self._edits.insert(right.end_byte, ")")
        elif done & WRITE == 0:
            self._edits.insert(index.start_byte, f"tap_behind({number}, {site}, {lanes}, {done}, {before}0, ")
            self._edits.insert(index.end_byte, ")")

    def _assigned_from(self, node: SyntaxNode) -> SyntaxNode | None:
        """Returns the right side of the assignment that has the element on its left."""
        assignment = node.enclosing(Assignment)
        return assignment.right if assignment is not None else None

    def _done(self, node: SyntaxNode) -> tuple[int, int]:
        """Returns what is done to the element, and to which of its lanes as a mask."""
        lanes, inner = ALL_LANES, node
        parent = node.parent
        if isinstance(parent, FieldAccess):
            letters = self._text(parent).rpartition(".")[2]
            if letters and all(letter in LANE_OF for letter in letters):
                lanes = sum({1 << LANE_OF[letter] for letter in letters})
            inner, parent = parent, parent.parent
        elif isinstance(parent, Subscript) and parent.named_children[0] == node:
            inner, parent = parent, parent.parent
        if isinstance(parent, Assignment):
            left = parent.left
            if left.start_byte <= inner.start_byte and inner.end_byte <= left.end_byte:
                return (WRITE if parent.operator == "=" else READ | WRITE), lanes
        if isinstance(parent, UpdateExpression):
            return READ | WRITE, lanes
        call = inner.enclosing(FunctionCall)
        if call is not None and call.name.startswith("atomic"):
            first = call.arguments[0]
            if first.start_byte <= inner.start_byte and inner.end_byte <= first.end_byte:
                return READ | WRITE | ATOMIC, lanes
        return READ, lanes

    def _call(self, node: FunctionCall) -> None:
        name = node.name
        if not self._follows_reads and name != "imageStore":
            return
        if name in _IMAGE_CALLS:
            image, at = node.arguments[:2]
            number = self._number(image)
            opening = f"tap_texel({number}, {self._site(node)}, {_IMAGE_CALLS[name]}, imageSize({self._text(image)}), "
            self._edits.insert(at.start_byte, opening)
            self._edits.insert(at.end_byte, ")")
        elif name.startswith("imageAtomic") or name in OTHER_READS:
            raise self._unsupported(node, "reads that can be followed", name)
        elif name in READS:
            number = self._number(node.arguments[0])
            if self._text(node.arguments[0]) not in self._flat:
                self._fetch(node)
                return
            self._edits.insert(node.callee.start_byte, "tap_")
            self._edits.insert(
                node.argument_list.start_byte + 1, f"{number}, {self._site(node)}, {self._lanes(node)}, "
            )
        elif name == "barrier":
            self._edits.insert(node.start_byte, f"tap_barrier({self._site(node)}); ")

    def _fetch(self, node: FunctionCall) -> None:
        """Rewrites a read of a texture of 1 or 3 dimensions."""
        if node.name != "texelFetch":
            raise self._unsupported(node, "texelFetch of a texture of 1 or 3 dimensions", node.name)
        texture, at = node.arguments[:2]
        size = f"textureSize({self._text(texture)}, 0)"
        opening = f"tap_texel({self._number(texture)}, {self._site(node)}, {READ}, {size}, "
        self._edits.insert(at.start_byte, opening)
        self._edits.insert(at.end_byte, ")")

    def _lanes(self, node: SyntaxNode) -> int:
        parent = node.parent
        letters = self._text(parent).rpartition(".")[2] if isinstance(parent, FieldAccess) else ""
        known = letters and all(letter in LANE_OF for letter in letters)
        return sum({1 << LANE_OF[letter] for letter in letters}) if known else ALL_LANES

    def _number(self, argument: SyntaxNode) -> int:
        name = self._text(argument)
        if name not in self._arrays:
            raise self._unsupported(argument, "a texture or an image by its own name", f"'{name}'")
        return [*self._arrays].index(name)

    def _site(self, node: SyntaxNode) -> int:
        file, line = self._lines[node.row]
        self._sites.append(ReadSite(file, line, " ".join(self._text(node).split())))
        site = len(self._sites) - 1
        for (start, stop), assigned in self._assigned.items():
            if start <= node.start_byte and node.end_byte <= stop:
                self._feeds[site] = assigned
        return site

    def _without_macros(self, text: str) -> str:
        """Expands the macros that access something."""
        own = {name.rpartition(".")[2] for name in self._arrays}
        try:
            return expand_reads(text, {*own, *READS, *OTHER_READS, *_IMAGE_CALLS}, given=frozenset(own)).text
        except MacroError as error:
            got = f"accesses in macro '{error.name}', which {error.reason}"
            raise self._unsupported_at(error.line, "accesses that the text shows", got) from error

    def _text(self, node: SyntaxNode) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def _unsupported(self, node: SyntaxNode, expected: str, got: str) -> UnsupportedError:
        return self._unsupported_at(node.row, expected, got)

    def _unsupported_at(self, line_number: int, expected: str, got: str) -> UnsupportedError:
        file, line = self._lines[line_number]
        who = f"taps of '{self._who}' ({file}:{line})"
        return UnsupportedError(who, expected, got, "Write the access out; the pass itself runs as it is.")


# So many elements along an axis of a shared array are distinguished.
MOST_ALONG = 4096


def _type_macros(text: str) -> dict[str, str]:
    """Returns macros of one word, which may name a type."""
    found = {}
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 3 and words[0] == "#define":
            found[words[1]] = words[2]
    return found
