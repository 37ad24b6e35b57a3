"""Follows the error of one value back to the pass that makes it, and says which operand is the first wrong one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.debugger.model.words import value_words
from texelscope.viewer.document.comparison import Comparison

if TYPE_CHECKING:
    from texelscope.pipeline.read_trace.error_path import ComparedTensors, ErrorStep
    from texelscope.pipeline.step_trace.trace import TexelRead


@dataclass
class Trail:
    """Holds the steps of an error, from the value that was asked about to the one that is made wrong.

    `is_following` says that further steps are looked for, `waits` that the sum of the last one's fragment is. `number`
    is that of the comparison that the steps were judged by. `conclusion` says in a sentence what is behind the last
    step; `operand` is the first wrong read, `lines` what led to its address, a text for each line of the shader.
    """

    steps: list[ErrorStep] = field(default_factory=list)
    number: int = 0
    is_following: bool = False
    waits: bool = False
    conclusion: str = ""
    operand: TexelRead | None = None
    lines: Mapping[Line, str] = field(default_factory=dict)

    @property
    def is_there(self) -> bool:
        """Whether somebody asked about a value."""
        return bool(self.steps)

    @property
    def origin(self) -> ErrorStep | None:
        """The last step, once nothing further is looked for."""
        return self.steps[-1] if self.steps and not self.is_following else None

    def begin(self, session: DebugSession, comparison: Comparison, key: str, element: int) -> None:
        """Begins at an element of the tensor `key`, which was compared."""
        from texelscope.pipeline.read_trace.error_path import element_step

        self.end()
        self.number = comparison.number
        self.steps.append(element_step(session, compared(comparison), key, element))
        self.is_following = True

    def follow(self, session: DebugSession, comparison: Comparison) -> None:
        """Looks for one further step; `is_following` ends with the last one."""
        from texelscope.pipeline.read_trace.error_path import step_behind

        last = self.steps[-1]

        def reads_of(name: str, element: int) -> Mapping[str, frozenset[int]]:
            return session.taps(name, element).read_elements()

        try:
            behind = step_behind(session, compared(comparison), last, reads_of)
        except TexelscopeError as error:
            self.is_following, self.conclusion = False, f"What '{last.name}' reads is not known. {error}"
            return
        if behind is not None:
            self.steps.append(behind)
            return
        self.is_following, self.conclusion = False, _end_words(last)
        self.waits = bool(last.name)

    def conclude(self, stepping: Stepping) -> None:
        """Takes the first wrong operand from the sum of the fragment that makes the last step."""
        from texelscope.pipeline.step_trace.provenance import chain
        from texelscope.pipeline.stepping.sum_words import read_of_value

        self.waits = False
        sums, trace = stepping.sums, stepping.trace
        if sums is None or trace is None or sums.first_wrong is None:
            return
        term = sums.terms[sums.first_wrong]
        self.conclusion = term.text or sums.reason
        self.operand = read_of_value(term) if term.reads else None
        if self.operand is None:
            return
        try:
            links = chain(trace, term.step, self.operand)
        except TexelscopeError:
            return
        self.lines = {link.line: f"{link.name} = {value_words(link.value)}" for link in links if link.step >= 0}

    def end(self) -> None:
        """Forgets everything."""
        self.steps, self.lines = [], {}
        self.is_following = self.waits = False
        self.conclusion, self.operand = "", None


def compared(comparison: Comparison) -> ComparedTensors:
    """Returns the tensors of a comparison beside the oracle's."""
    from texelscope.pipeline.read_trace.error_path import ComparedTensors

    return ComparedTensors(comparison.capture.tensors, comparison.expected, comparison.isolated)


def verdict_words(step: ErrorStep) -> str:
    """Says briefly what the value of a step is, and should be."""
    from texelscope.pipeline.stepping.sum_words import number

    oracle = step.own_oracle if step.is_made_here else step.oracle
    if oracle is None:
        return f"{number(step.actual)}, without an oracle"
    if not step.is_wrong:
        return f"{number(step.actual)}, right"
    return f"{number(step.actual)}, should be {number(oracle)}: {'made here' if step.is_made_here else 'inherited'}"


def step_words(step: ErrorStep) -> tuple[str, ...]:
    """Says in sentences how the way came to a step, and what its own pass has to do with its value."""
    from texelscope.pipeline.stepping.sum_words import number

    came: tuple[str, ...] = ()
    if step.wrong_reads == 1:
        came = ("It is the one wrong element that the step before read.",)
    elif step.wrong_reads:
        came = (f"The step before read {step.wrong_reads:,} wrong elements; this one counts most.",)
    if not step.name:
        return (*came, "No pass of this frame makes it.")
    if step.is_made_here:
        return (*came, f"It is made here: from what was read it should be {number(step.own_oracle, 9)}.")
    if step.is_wrong:
        return (*came, f"It is inherited: what was read was wrong; it should be {number(step.oracle, 9)}.")
    if step.oracle is None and step.own_oracle is None:
        return (*came, "Nothing says what it should be: its pass has no oracle.")
    return (*came, "It is right, within the bound of rounding.")


def _end_words(last: ErrorStep) -> str:
    if last.is_made_here:
        return f"'{in_cell(last.name)}' makes it wrong: what it read was right, or counts for less."
    if last.is_wrong and last.name:
        return "Every value that it read is within its bound: errors of rounding have added up here."
    return step_words(last)[-1]
