"""Logs statements and reads: a statement begins a step, and shows its decision and its end.

A read remains the built-in call that it is, in its own precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from texelscope.pipeline.glsl.semantics.expressions import FunctionCall, Identifier, Parenthesised
from texelscope.pipeline.glsl.semantics.questions import READS, function_around
from texelscope.pipeline.glsl.semantics.statements import (
    BreakStatement,
    CaseLabel,
    CompoundStatement,
    ConditionalDirective,
    ContinueStatement,
    Declaration,
    DoWhileLoop,
    ElifDirective,
    ElseClause,
    ExpressionStatement,
    ForLoop,
    IfStatement,
    Preprocessor,
    ReturnStatement,
    StructSpecifier,
    SwitchStatement,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import Comment, SyntaxNode, Token
from texelscope.pipeline.glsl.semantics.variables import parameters_of, returned_type, variables_of, words_of
from texelscope.pipeline.glsl.source_text import version_of
from texelscope.pipeline.plan import ProgramSource
from texelscope.pipeline.sampler_kinds import SAMPLER_2D, SamplerKind, kind_called
from texelscope.pipeline.step_trace.rewriting.sites import BEFORE, End, TraceSite, WatchExpression
from texelscope.pipeline.step_trace.rewriting.values import ASSIGNING, ValueRecorder

_PRECISIONS = ("lowp", "mediump", "highp")
# For each read the argument that is an offset, -1 where none is, and whether its coordinates are texels.
_FORMS = {
    "texture": (-1, False),
    "texture2D": (-1, False),
    "texture2DLod": (-1, False),
    "textureLod": (-1, False),
    "textureGrad": (-1, False),
    "textureOffset": (2, False),
    "textureLodOffset": (3, False),
    "texelFetch": (-1, True),
    "texelFetchOffset": (3, True),
}
_ENDS: dict[type[SyntaxNode], End] = {
    BreakStatement: "break", ContinueStatement: "continue", ReturnStatement: "return"
}  # fmt: skip
# Loops around, outermost first, by number.
Loops = tuple[int, ...]


class Reads(ValueRecorder):
    """Follows the reads of textures."""

    def _read(self, node: FunctionCall) -> None:
        if node.has_error:
            raise self._unsupported(node, "a read that parses", self._text(node))
        self._followed.add(node.callee.start_byte)
        given = [child for child in node.arguments if not isinstance(child, Comment)]
        sampler, at = given[0], given[1]
        self._without_reads(given[2:])
        offset, is_texel = _FORMS[node.name]
        kind = self._sampler_kind(sampler)
        beside = [] if is_texel and not kind.has_slices else [f"textureSize({self._text(sampler)}, 0)"]
        beside += [self._text(given[offset])] if offset >= 0 else []
        place = f"trace_place_{kind.form}" if kind.has_slices and not is_texel else "trace_place"
        self._wrap(at, f"{place}(", f"{''.join(f', {each}' for each in beside)})")
        opening = f"{self._sampler_number(sampler)}, {self._site(node)}, {self._lanes(node)}, "
        self._wrap(node, f"trace_{self._precision(sampler)}({opening}")

    def _sampler_kind(self, sampler: SyntaxNode) -> SamplerKind:
        """Returns the kind of a sampler, a uniform or a parameter."""
        name, definition = self._text(sampler), function_around(sampler)
        for each in parameters_of(definition) if definition is not None else ():
            if each.name == name and (kind := kind_called(each.type)) is not None:
                return kind
        return self._kinds.get(name, SAMPLER_2D)

    def _is_told_by_caller(self, node: SyntaxNode) -> bool:
        return self._is_generated(node)  # an author's function is stepped through

    def _without_reads(self, given: Sequence[SyntaxNode]) -> None:
        """Refuses reads in the arguments after the coordinates: the logged position would be another's."""
        for each in given:
            for inner in each.of_type(FunctionCall):
                if inner.name in READS or inner.name in self._own:
                    raise self._unsupported(inner, "a read's level and offset without calls", f"'{self._text(inner)}'")

    def _precision(self, sampler: SyntaxNode) -> str:
        """Returns the precision of a sampler: its own, or the text's default; desktop GLSL has only one."""
        version = version_of(self._source.decode())
        if version is None or not version.is_es:
            return "highp"
        name, definition = self._text(sampler), function_around(sampler)
        own = [each for each in (parameters_of(definition) if definition is not None else ()) if each.name == name]
        found = "lowp"
        for node in self._top():
            if not isinstance(node, Declaration):
                continue
            words = words_of(node)
            own += [each for each in variables_of(node) if each.name == name and "uniform" in each.qualifiers]
            if words[:1] == ("precision",) and str(self._sampler_kind(sampler)) in words:
                found = next((word for word in words if word in _PRECISIONS), found)
        return next((word for each in own for word in _PRECISIONS if word in each.qualifiers), found)


class Statements(Reads):
    """Follows the statements of functions."""

    def __init__(self, program: ProgramSource, who: str, watches: Sequence[WatchExpression], *, buffers: bool) -> None:
        super().__init__(program, who, watches, buffers=buffers)
        self._loop_count = 0

    def _statement(self, node: SyntaxNode, loops: Loops) -> None:
        match node:
            case ConditionalDirective() | ElifDirective():
                for child in node.named_children:
                    if child is not node.asked:
                        self._statement(child, loops)
            case Preprocessor():
                self._all_in(node, loops)
            case Comment() | Identifier() | StructSpecifier() | Token():
                pass  # it has no value of its own, or is followed where it stands in something else
            case _:
                self._executed(node, loops)

    def _executed(self, node: SyntaxNode, loops: Loops) -> None:
        match node:
            case ElseClause():
                self._all_in(node, loops)
            case ExpressionStatement():
                self._expression_statement(node, loops)
            case Declaration():
                self._declaration(node, loops)
            case IfStatement():
                self._if(node, loops)
            case CompoundStatement():
                self._block(node, loops)
            case ForLoop() | WhileLoop() | DoWhileLoop():
                self._loop(node, loops)
            case SwitchStatement():
                self._switch(node, loops)
            case CaseLabel():
                self._case(node, loops)
            case BreakStatement() | ContinueStatement() | ReturnStatement():
                self._end(node, loops)
            case _:
                raise self._unsupported(node, "statements that can be followed", f"'{self._said(node)}'")

    def _all_in(self, node: SyntaxNode, loops: Loops) -> None:
        for child in node.named_children:
            self._statement(child, loops)

    def _block(self, node: SyntaxNode, loops: Loops) -> None:
        self._scopes.append(set())
        self._all_in(node, loops)
        self._scopes.pop()

    def _if(self, node: IfStatement, loops: Loops) -> None:
        self._condition(node.condition, loops, "if ")
        for child in (node.consequence, node.alternative):
            if child is not None:
                self._statement(child, loops)

    def _case(self, node: CaseLabel, loops: Loops) -> None:
        for child in node.named_children:
            if child is not node.value:
                self._statement(child, loops)

    def _expression_statement(self, node: SyntaxNode, loops: Loops) -> None:
        inner = next((child for child in node.named_children if not isinstance(child, Comment)), None)
        if inner is None:
            return
        if self._text(inner) == "discard":
            site = self._site_of("step", node, text="discard", loops=loops, end="discard")
            self._before(node, f"{{ {self._line(site)}; trace_end(true); ")
            self._after(node, " }")
        else:
            self._step(inner, loops, self._said(node))
            if arrays := self._whole_arrays(inner):
                self._braced(node)
                self._after(node, arrays)

    def _step(self, node: SyntaxNode, loops: Loops, text: str, *, turns: int | None = None,
              enters: int | None = None) -> None:  # fmt: skip
        """Makes an expression a step."""
        target = node if isinstance(node, ASSIGNING) and self._is_single(node) else None
        if target is not None and not self._happenings(node):
            self._assigned(node, begins=True, text=text, loops=loops, turns=turns, enters=enters)
            return
        site = self._site_of("step", node, text=text, loops=loops, turns=turns, enters=enters)
        self._wrap(node, f"{self._line(site)}, ", "")
        self._inside(node)

    def _condition(self, node: SyntaxNode | None, loops: Loops, word: str = "", *,
                   turns: int | None = None) -> None:  # fmt: skip
        if node is None:
            return
        inner = node
        if isinstance(node, Parenthesised):
            inner = next((child for child in node.named_children if not isinstance(child, Comment)), node)
        self._without_arrays(node)
        text = f"{word}{self._said(node)}"
        if self._happenings(inner, itself=True):
            step = self._site_of("step", node, text=text, loops=loops, turns=turns)
            site = self._site_of("branch", node)
            self._wrap(inner, f"trace_v(({self._line(step)}, {site}), ")
            self._inside(inner)
        else:
            site = self._site_of("branch", node, text=text, loops=loops, turns=turns, begins=True)
            self._wrap(inner, f"trace_v({self._begin(site)}, ")

    def _without_arrays(self, node: SyntaxNode) -> None:
        if self._whole_arrays(node):
            expected = "whole arrays that are assigned by separate statements"
            raise self._unsupported(node, expected, f"'{self._said(node)}'")

    def _loop(self, node: ForLoop | WhileLoop | DoWhileLoop, loops: Loops) -> None:
        self._scopes.append(set())
        self._turns(node, loops)
        self._scopes.pop()

    def _turns(self, node: ForLoop | WhileLoop | DoWhileLoop, loops: Loops) -> None:
        number = self._loop_count
        self._loop_count += 1
        within = (*loops, number)
        condition, body = node.condition, node.body
        initial, update = (node.initializer, node.update) if isinstance(node, ForLoop) else (None, None)
        by_condition = condition is not None and not isinstance(node, DoWhileLoop)
        self._before(node, f"{{ trace_e({self._site_of('mark', node, enters=number)}); ")
        self._after(node, " }")
        if isinstance(initial, Declaration):
            self._hoisted(node, initial, loops)
        elif initial is not None:
            self._step(initial, loops, self._said(initial))
        word = "while " if not isinstance(node, ForLoop) else ""
        self._condition(condition, within, word, turns=number if by_condition else None)
        if update is not None:
            self._without_arrays(update)
            self._step(update, within, self._said(update))
        if not by_condition:
            mark = f"trace_e({self._site_of('mark', node, turns=number)});"
            if isinstance(body, CompoundStatement):
                self._edits.insert(body.start_byte + 1, f" {mark}", (BEFORE, -body.end_byte))
            else:
                self._before(body, f"{{ {mark} ")
                self._after(body, " }")
        self._statement(body, within)

    def _hoisted(self, node: SyntaxNode, initial: SyntaxNode, loops: Loops) -> None:
        """Declares a loop's own variables before it, where a statement can follow that logs them."""
        before, after = self._declared(initial, loops)
        self._before(node, "/* ")
        self._edits.insert(initial.start_byte, f" */ {before}", (BEFORE, 0))
        self._after(initial, f" {after}for (;")

    def _switch(self, node: SwitchStatement, loops: Loops) -> None:
        condition = node.condition
        inner = next((child for child in condition.named_children if not isinstance(child, Comment)), condition)
        site = self._site_of("step", node, text=f"switch {self._said(condition)}", loops=loops)
        self._wrap(inner, f"({self._line(site)}, ")
        self._inside(inner)
        self._statement(node.body, loops)

    def _end(self, node: BreakStatement | ContinueStatement | ReturnStatement, loops: Loops) -> None:
        end, text = _ENDS[type(node)], self._said(node)
        value = next((child for child in node.named_children if not isinstance(child, Comment)), None)
        leaves = end == "return" and self._function != "main"
        if value is not None:
            self._return(node, value, self._step_site(node, text, loops, end))
            return
        leaving = f"trace_e({self._site_of('exit', node)}); " if leaves else ""
        self._before(node, f"{{ {self._line(self._numbered(self._step_site(node, text, loops, end)))}; {leaving}")
        self._after(node, " }")

    def _step_site(self, node: SyntaxNode, text: str, loops: Loops, end: End) -> TraceSite:
        place = self._place(node)
        return TraceSite("step", place, self._function, text, loops=loops, end=end, definition=self._definition)

    def _return(self, node: SyntaxNode, value: SyntaxNode, step: TraceSite) -> None:
        """Ends the call when the returned value is known; `step` is what a return of something is."""
        definition = function_around(node)
        kind, sizes = returned_type(definition) if definition is not None else ("", ())
        self._without_arrays(value)
        happens = self._happenings(value, itself=True)
        if sizes and happens:
            raise self._unsupported(node, "an array that is returned by its name", f"'{step.text}'")
        cast = "" if kind in self._structs else kind
        if not (sizes or happens):
            site = self._numbered(replace(step, what="return", begins=True))
            self._wrap(value, f"trace_v({self._begin(site)}, {cast}(", "))")
            return
        opening = f"{{ {self._line(self._numbered(step))}; "
        if sizes:
            opening += f"trace_e({self._site_of('exit', node)}); "
        else:
            self._wrap(value, f"trace_v({self._site_of('return', node)}, {cast}(", "))")
            self._inside(value)
        self._before(node, opening)
        self._after(node, " }")

    def _declaration(self, node: SyntaxNode, loops: Loops) -> None:
        before, after = self._declared(node, loops)
        after += self._whole_arrays(node)
        if after:
            self._braced(node)
            self._before(node, before)
            self._after(node, f" {after}")

    def _declared(self, node: SyntaxNode, loops: Loops) -> tuple[str, str]:
        """Returns the text before a declaration and after it."""
        declared = variables_of(node)
        found = [each for each in declared if each.value]
        if not found:
            self._scopes[-1].update(each.name for each in declared)
            return "", ""
        text = self._said(node)
        happens = any(self._happenings(child) for child in node.children) or bool(found[0].sizes)
        happens = happens or found[0].type in self._structs or bool(self._watched())
        before = ""
        if happens:
            before = f"{self._line(self._site_of('step', node, text=text, loops=loops))}; "
            self._inside(node)
        after = []
        for number, each in enumerate(found):
            begins = number == 0 and not happens
            after.append(self._written(each, node, begins=begins, text=text if begins else "", loops=loops))
        self._scopes[-1].update(each.name for each in declared)
        return before, " ".join(after) + " "
