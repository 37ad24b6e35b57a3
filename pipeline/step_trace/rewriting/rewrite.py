"""Rewrites a fragment or compute shader so that it logs its execution, statement by statement.

As `pipeline.read_trace.instrument`, whose edits it has too, by insertions into the parsed text. Evaluated values pass
through `trace_v`, which returns them unchanged: an assignment is an expression of its variable's type, whatever its
right side. A statement after each declaration logs its variables. Text that no author wrote stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import GENERATED
from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall, Subscript
from texelscope.pipeline.glsl.semantics.outputs import BUILT_IN_OUTPUTS, declared_outputs, output_locations
from texelscope.pipeline.glsl.semantics.questions import function_name
from texelscope.pipeline.glsl.semantics.statements import (
    Declaration,
    FunctionDefinition,
    StructSpecifier,
    declarator_in,
)
from texelscope.pipeline.glsl.semantics.tree import ErrorNode, SyntaxNode, Token
from texelscope.pipeline.glsl.semantics.variables import (
    DeclaredVariable,
    members_of,
    parameters_of,
    plain_value,
    returned_type,
    variables_of,
)
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.read_trace.instrument import with_recorder
from texelscope.pipeline.read_trace.recording import ReadSite
from texelscope.pipeline.step_trace.rewriting.sites import BEFORE, BEHIND, MOST_SITES, TYPES, TraceSite, WatchExpression
from texelscope.pipeline.step_trace.rewriting.statements import Statements
from texelscope.pipeline.step_trace.rewriting.values import OwnFunction

_STATE = "step_trace/state.glsl"
# Where the log goes, by whether that is a storage buffer.
_KEEPING = {True: ("step_trace/buffer.glsl",), False: ("read_trace/scan_place.glsl", "step_trace/colours.glsl")}
# Words of buffer.glsl on the fragment that logs, and in their place those on an invocation of a dispatch.
_OF_INVOCATION = {
    "uniform highp ivec2 u_trace_texel;": "uniform highp uvec3 u_trace_invocation;",
    "ivec2(gl_FragCoord.xy) == u_trace_texel": "gl_GlobalInvocationID == u_trace_invocation",
}
_MAINS = {True: "step_trace/main.glsl", False: "step_trace/main_in_colours.glsl"}
_LOG = ("step_trace/log.glsl", "step_trace/values.glsl")
# What an invocation knows of its place.
_INVOCATION = ("gl_GlobalInvocationID", "gl_LocalInvocationID", "gl_WorkGroupID")
# Without and with samplers of other kinds than sampler2D.
_READS = {
    False: ("step_trace/reads.glsl",),
    True: ("read_trace/stacked.glsl", "step_trace/reads.glsl", "step_trace/reads_of_kinds.glsl"),
}


@dataclass(frozen=True)
class TracedShader:
    """A fragment or compute shader that logs its execution. `sites` by number; `samplers` and `reads` as of taps.

    `parts` are by number the members of structs (`.a.b`), from 1 on, `later` those that are not the first of theirs.
    `watched` are the watches that are shown somewhere, `changing` the functions that no watch may call. `constants` are
    the global ones whose value the text itself shows. `is_placed`: it depends on more of its fragment's place than
    `gl_FragCoord` has, so that it must be drawn there. `locations` are the numbers of the outputs' targets, by name.
    """

    fragment: str
    sites: tuple[TraceSite, ...]
    samplers: tuple[str, ...]
    reads: tuple[ReadSite, ...]
    parts: tuple[str, ...]
    later: frozenset[int]
    watched: frozenset[str]
    changing: frozenset[str]
    constants: Mapping[str, tuple[float | int | bool, ...]]
    is_placed: bool = False
    locations: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


def traced(
    program: ProgramSource, who: str, watches: Sequence[WatchExpression] = (), *, buffers: bool = True
) -> TracedShader:
    """Returns the version of `program` that logs its execution.

    The log goes to a storage buffer, for OpenGL 4.3 (GLSL 4.30 or ES 3.10); without `buffers` to colours, for OpenGL
    3.3 (GLSL 3.30 or ES 3.00). `watches` are logged at the beginning of each step where their names are known.

    Raises UnsupportedError where it cannot be followed: see `pipeline.read_trace.instrument`, and text that does not
    parse.
    """
    return _Rewriter(program, who, watches, buffers=buffers).trace()


class _Rewriter(Statements):
    def __init__(self, program: ProgramSource, who: str, watches: Sequence[WatchExpression], *, buffers: bool) -> None:
        super().__init__(program, who, watches, buffers=buffers)
        self._globals: list[str] = []
        self._has_own_vertex = program.vertex is not None
        self._is_dispatched = program.stage == "compute"
        self._constants: dict[str, tuple[float | int | bool, ...]] = {}

    def trace(self) -> TracedShader:
        """Returns the shader that logs its execution."""
        for node in self._top():
            if isinstance(node, FunctionDefinition):
                self._own.setdefault(function_name(node), []).append(
                    OwnFunction(parameters_of(node), *returned_type(node))
                )
        if self._watches:
            top = self._top()
            shared = {each.name for node in top if isinstance(node, Declaration) for each in variables_of(node)}
            self._note_changing([node for node in top if isinstance(node, FunctionDefinition)], shared)
        for node in self._top():
            if isinstance(node, FunctionDefinition):
                self._trace_function(node)
            elif isinstance(node, Declaration | StructSpecifier):
                self._trace_global(node)
        self._follow()
        around = self._around()
        text = self._edits.apply(self._source)
        if len(self._places) >= MOST_SITES or len(self._sites) >= MOST_SITES:
            raise self._unsupported(self._root, f"at most {MOST_SITES} places to write down", str(len(self._places)))
        reads = _READS[any(not kind.is_plain for kind in self._kinds.values())]
        whole = with_recorder(
            text, buffers=self._buffers, log=(_STATE, *_KEEPING[self._buffers], *_LOG, *reads),
            old_outputs=self._old_outputs,
        )  # fmt: skip
        for of_fragment, of_invocation in _OF_INVOCATION.items() if self._is_dispatched else ():
            whole = whole.replace(of_fragment, of_invocation, 1)
        return TracedShader(
            f"{whole}\n\n{around}",
            tuple(self._places),
            tuple(self._samplers),
            tuple(self._sites),
            tuple(self._parts),
            frozenset(self._later),
            frozenset(self.seen),
            frozenset(self._changing),
            dict(self._constants),
            self._is_placed,
            output_locations(self._root) | {BUILT_IN_OUTPUTS[name]: 0 for name in self._old_outputs},
        )

    def _trace_function(self, node: FunctionDefinition) -> None:
        self._function = node.name
        declarator, body = node.declarator, node.body
        if self._function == "main" and self._buffers:
            self._before_name(declarator)
        if self._is_generated(node):
            self._lanes_of_outputs(node)
            return
        for inner in body.walk():
            if isinstance(inner, ErrorNode) or inner.is_missing:
                raise self._unsupported(inner, "statements that parse", f"'{self._said(inner)}'")
            if isinstance(inner, Declaration):
                self._note_arrays(variables_of(inner))
        own = parameters_of(node)
        self._note_arrays(own)
        if self._function != "main":
            self._definition = self._site_of("enter", declarator, name=self._function)
            opening = f" trace_e({self._definition});"
            for each in own:
                if each.name and "sampler" not in each.type and each.qualifiers.isdisjoint({"out"}):
                    opening += " " + self._written(each, declarator)
            closing = f" trace_e({self._site_of('exit', declarator)}); "
            if body.end_byte - 1 == body.start_byte + 1:  # of an empty body both stand at one place
                opening, closing = opening + closing, ""
            self._edits.insert(body.start_byte + 1, opening, (BEFORE, -body.end_byte))
            self._edits.insert(body.end_byte - 1, closing, (BEHIND, 0))
        self._scopes.append({each.name for each in own})
        self._statement(body, ())
        self._scopes.pop()
        self._definition = -1

    def _before_name(self, declarator: SyntaxNode) -> None:
        if (name := declarator_in(declarator)) is not None:
            self._edits.insert(name.start_byte, "trace_")

    def _trace_global(self, node: Declaration | StructSpecifier) -> None:
        struct = node if isinstance(node, StructSpecifier) else node.type
        if isinstance(struct, StructSpecifier):
            name = struct.name
            self._structs[self._text(name) if name is not None else ""] = members_of(struct)
            if name is not None:
                behind = node.next_sibling
                is_ended = isinstance(behind, Token) and behind.kind == ";"
                self._after(behind if behind is not None and is_ended else node, f" {self._struct(self._text(name))}")
        self._function = ""
        found = variables_of(node) if isinstance(node, Declaration) else ()
        for each in found:
            self._scopes[0].add(each.name)
            self._note_arrays((each,))
            kept = each.qualifiers.isdisjoint({"uniform", "in", "out", "varying", "buffer"})
            if each.value and kept and "const" in each.qualifiers:
                self._constant(each, node)
            elif each.value and kept and "const" not in each.qualifiers and not self._is_generated(node):
                self._globals.append(self._written(each, node))

    def _call(self, node: FunctionCall) -> None:
        if self._is_dispatched and node.name == "imageLoad":  # its value is logged where it is assigned
            self._followed.add(node.callee.start_byte)
        else:
            super()._call(node)

    # -- generated text ------------------------------------------------------------------------------------

    def _lanes_of_outputs(self, node: SyntaxNode) -> None:
        """Lets a generated main that computes lane by lane log its lane."""
        for inner in node.of_type(Assignment):
            left, right = inner.left, inner.right
            if isinstance(left, Subscript) and self._happenings(right):
                self._lanes_apart = True
                index = self._text(left.named_children[-1])
                self._wrap(right, f"(trace_lane(int({index})), trace_all(", "))")

    def _assign(self, node: SyntaxNode) -> None:
        """Distinguishes lanes in generated text alone: an author's text is logged whole."""

    def _constant(self, each: DeclaredVariable, node: SyntaxNode) -> None:
        """Takes a constant from its text where that is plain numbers; else the driver logs it."""
        known = plain_value(each)
        if known is not None:
            self._constants[each.name] = known
        elif not each.sizes and each.type in TYPES:
            site = self._site_of("constant", node, name=each.name)
            self._globals.append(f"trace_v({site}, {each.name});")

    def _around(self) -> str:
        """Returns the text before and after the author's main, and what calls it."""
        self._function = ""
        if self._has_own_vertex:  # only it can move a fragment's depth
            site = self._numbered(TraceSite("constant", (GENERATED, 1), "", name="gl_FragCoord"))
            self._globals.append(f"trace_v({site}, {self._place_renamed('gl_FragCoord')});")
        for name in _INVOCATION if self._is_dispatched else ():
            site = self._numbered(TraceSite("constant", (GENERATED, 1), "", name=name))
            self._globals.append(f"trace_v({site}, {name});")
        outputs = []
        for name in self._output_names():
            site = self._numbered(TraceSite("output", (GENERATED, 1), "", name=name))
            own = f"tap_{name}" if name in BUILT_IN_OUTPUTS.values() else name
            outputs.append(f"trace_v({site}, {own});")
        return "\n\n".join(
            [
                f"void trace_globals() {{ {' '.join(self._globals)} }}",
                f"void trace_outputs() {{ {' '.join(outputs)} }}",
                read_shader(_MAINS[self._buffers]),
            ]
        )

    def _output_names(self) -> tuple[str, ...]:
        declared = [each.name for each in declared_outputs(self._root) if not each.sizes]
        return (*declared, *(BUILT_IN_OUTPUTS[name] for name in sorted(self._old_outputs)))
