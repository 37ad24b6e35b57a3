"""Formats the findings of wrong passes for a terminal: the first pass whole, further ones up to a screenful."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from texelscope.layouts.outside_text import in_cell, one_line, printable
from texelscope.pipeline.compare.repairs import Repair, bare_lines
from texelscope.pipeline.compare.report import Finding, PassReport, Report
from texelscope.pipeline.compare.words import (
    cause_words,
    finding_words,
    other_repairs,
    repairs_of,
    surety_words,
    tried_words,
)

# Further passes get so many lines together. More scroll the first wrong pass off the screen.
_SCREENFUL = 40
# Passes beyond these lines that are listed with their causes.
_MOST_NAMES = 8
# Equally good repairs that are printed beside the best one.
_MOST_OTHERS = 3
# Sentences keep this many letters, however narrow the terminal is.
_LEAST_WIDTH = 40
_INDENT = "    "


@dataclass(frozen=True)
class WaysOn:
    """Says how to go on from a report: by default in words of the command line.

    `more_time` is the option that gives the search for causes more time, `all_of_them` where findings and repairs are
    that are not printed, and `step` what records the execution of a texel.
    """

    more_time: str = "--diagnose-seconds 120"
    all_of_them: str = "--json FILE"
    step: str = "step"

    def one_alone(self, name: str) -> str:
        """Returns the sentence that says how to see one pass whole, and all of them."""
        return f"--diagnose {in_cell(shlex.quote(name))} shows one alone; {self.all_of_them} has all of them."

    def to_diagnose(self, name: str) -> str:
        """Returns the sentence that says how to diagnose passes for which there was no time."""
        one = f"--diagnose {in_cell(shlex.quote(name))} diagnoses one without a time limit"
        return f"{one}; --diagnose-seconds 60 gives all of them more time."


@dataclass(frozen=True)
class ScriptWaysOn(WaysOn):
    """Says the same to the writer of a test or a script."""

    more_time: str = "seconds=120"
    all_of_them: str = "the error's `report`"
    step: str = "texelscope step TARGET"

    def one_alone(self, name: str) -> str:
        """Returns the sentence that says where all passes are."""
        return f"{self.all_of_them[:1].upper()}{self.all_of_them[1:]} has all of them."

    def to_diagnose(self, name: str) -> str:
        """Returns the sentence that says what gives all passes more time."""
        return f"{self.more_time} gives them more time."


COMMAND_LINE = WaysOn()


def named_passes(report: Report, width: int | None = None, ways_on: WaysOn = COMMAND_LINE) -> list[str]:
    """Returns the lines about the first wrong pass, then those of all others that have findings or repairs.

    Sentences are wrapped into `width` letters. Lines of shaders are neither wrapped nor cut. `ways_on` are the words
    that say how to go on.
    """
    culprit = report.find(report.culprit) if report.culprit is not None else None
    if culprit is None:
        return []
    is_rounding = culprit.verdict == "precision"
    head = "Only off by storage rounding, first" if is_rounding else "First wrong pass"
    lines = [f"{head}: {in_cell(culprit.name)}", *_found(culprit, width, ways_on)]
    lines += (
        part for sentence in _left_open(culprit, report, ways_on) for part in wrapped(sentence, width, _INDENT[:2])
    )
    others = [each for each in report.passes if each is not culprit and (each.findings or each.repairs)]
    taken = 0
    for position, each in enumerate(others):
        own = [f"Also wrong: {in_cell(each.name)}", *_found(each, width, ways_on)]
        taken += len(own)
        if taken > _SCREENFUL:
            return [*lines, *wrapped(_and_more(others[position:], ways_on), width)]
        lines += own
    return lines


def _and_more(passes: Sequence[PassReport], ways_on: WaysOn) -> str:
    """Names the passes that are left, with their causes, and says how to see one of them whole."""
    names = [in_cell(each.name) for each in passes]
    causes = [f" ({cause_words(each.findings[0])})" if each.findings else "" for each in passes]
    listed = ", ".join(name + cause for name, cause in list(zip(names, causes, strict=True))[:_MOST_NAMES])
    rest = f" and {len(passes) - _MOST_NAMES} others" if len(passes) > _MOST_NAMES else ""
    return f"… and {len(passes)} more: {listed}{rest}. {ways_on.one_alone(passes[0].name)}"


def _found(report: PassReport, width: int | None, ways_on: WaysOn) -> Iterator[str]:
    """Yields what is known about one wrong pass: its findings, each with its repairs."""
    for found in report.findings:
        surety = surety_words(found)
        head = f"{finding_words(found)} explains {found.explained:.1%}, {found.place}{f'; {surety}' if surety else ''}"
        yield from wrapped(head, width, _INDENT[:2])
        for sentence in (found.evidence, found.remedy):
            yield from wrapped(sentence, width, _INDENT)
        yield from _repairs(repairs_of(found, report.repairs), width, found, ways_on)
    yield from _repairs(other_repairs(report.findings, report.repairs), width, None, ways_on)


def _repairs(repairs: Sequence[Repair], width: int | None, found: Finding | None, ways_on: WaysOn) -> Iterator[str]:
    """Yields the best repair and a few others: what each was tried on, and its lines before and after, whole."""
    beside = found.shader if found is not None else ""
    indent = _INDENT if found is not None else _INDENT[:2]
    for number, repair in enumerate(repairs[: _MOST_OTHERS + 1]):
        yield from wrapped(f"{'Or with' if number else 'With'} this change {tried_words(repair)}:", width, indent)
        for edit in repair.in_file:
            place = str(edit.line) if edit.file == beside else f"{printable(edit.file)}:{edit.line}"
            yield from (f"{indent}  {place} {sign} {printable(text)}" for sign, text in bare_lines(edit))
    left = len(repairs) - _MOST_OTHERS - 1
    if left > 0:
        yield from wrapped(
            f"… and {left} more changes that are as good; {ways_on.all_of_them} has them.", width, indent
        )


def _left_open(culprit: PassReport, report: Report, ways_on: WaysOn) -> list[str]:
    """Returns what is to be said where no finding names the first wrong pass's bug, and how to go on."""
    if culprit.verdict in ("error", "not_run"):
        return ["It did not run: its message above says why."]
    if culprit.name in report.undiagnosed and not culprit.findings:
        return ["It was not diagnosed."]
    said = []
    if not culprit.findings and culprit.verdict == "precision":
        said.append("Its errors are no larger than what its storage rounds.")
    elif not culprit.findings:
        repaired = ", though an edit makes it match" if culprit.repairs else ""
        name = in_cell(shlex.quote(culprit.name))
        frame = f"--frame {report.frames.shown} " if report.frames is not None else ""
        said.append(
            f"No known cause explains it{repaired}. "
            f"Follow a wrong texel: {ways_on.step} {frame}--pass {name} --texel X,Y"
        )
    if culprit.was_cut:
        said.append(f"The search for its cause ran out of time: {ways_on.more_time} gives it more.")
    return said


def wrapped(sentence: str, width: int | None, indent: str = "") -> list[str]:
    """Returns a sentence on lines of at most `width` letters, or on one line where the width is unknown."""
    text = one_line(sentence)
    if width is None:
        return [f"{indent}{text}"]
    return textwrap.wrap(
        text,
        max(width, _LEAST_WIDTH),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
