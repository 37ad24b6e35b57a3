"""Runs a target, compares it with the oracle or with a golden, and raises an error that names the bug."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, overload

from texelscope.checking.errors import CheckError, GoldenDiffersError, NotComparedError, WrongPassError
from texelscope.checking.goldens import GoldenPath
from texelscope.checking.option_words import with_keywords
from texelscope.checking.request import CheckKeywords, CheckRequest, RunKeywords, requested
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.commands.diff import FAILED, MATCH, ComparisonExtras, Outcome, diff, exit_code
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.opening import Prepare, open_and_run
from texelscope.pipeline.runs.difference import DIFFERENT, RunDifference
from texelscope.pipeline.target import Target

if TYPE_CHECKING:
    import onnx

    Path_ = str | os.PathLike[str]

_UPDATE = "texelscope.check(…, golden=…, update_golden=True) writes it."


@overload
def check(target: Path_ | onnx.ModelProto, **keywords: Unpack[CheckKeywords]) -> Report: ...


@overload
def check(
    target: Path_ | onnx.ModelProto,
    *,
    golden: Path_,
    update_golden: bool = False,
    **keywords: Unpack[CheckKeywords],
) -> RunDifference: ...


def check(
    target: Path_ | onnx.ModelProto,
    *,
    golden: Path_ | None = None,
    update_golden: bool = False,
    **keywords: Unpack[CheckKeywords],
) -> Report | RunDifference:
    """Runs a target and returns the report of its comparison with the oracle if no pass is wrong.

    The keywords are those of `texelscope.open` and of `texelscope.checking.request.CheckKeywords`. With `golden`, the
    path of a saved run, that is what the run is compared with, on its inputs, and the result is a `RunDifference`;
    `update_golden` saves this run there instead, if it is another one.

    Raises WrongPassError for a wrong pass, GoldenDiffersError for a run that differs from its golden, and
    NotComparedError for a target that could not run or be compared; each is an AssertionError.
    """
    __tracebackhide__ = True
    kept = None if golden is None else GoldenPath(Path(golden), _UPDATE)
    result = outcome_of_check(target, keywords, kept, update=update_golden).result
    if isinstance(result, CheckError):
        raise result
    return result


class Checked:
    """Holds what came of a check: its report or difference, or the error to raise, and whether a golden was written."""

    def __init__(self, result: Report | RunDifference | CheckError, *, wrote_golden: bool = False) -> None:
        self.result = result
        self.wrote_golden = wrote_golden


def outcome_of_check(
    target: Path_ | onnx.ModelProto, keywords: CheckKeywords, golden: GoldenPath | None = None, *, update: bool = False
) -> Checked:
    """Does the work of `check`; returns the error in place of raising it."""
    try:
        with requested(target, keywords) as request:
            if golden is None:
                return Checked(_with_oracle(request))
            if update:
                difference, is_new = golden.written(request)
                return Checked(difference, wrote_golden=is_new)
            return Checked(_with_golden(request, golden))
    except TexelscopeError as error:
        return Checked(not_compared(error))


@contextmanager
def opened_session(target: Path_ | onnx.ModelProto, keywords: RunKeywords) -> Iterator[DebugSession]:
    """Yields a session that has run once with the inputs and shaders of the keywords, and releases it.

    Raises TexelscopeError if the target cannot run.
    """
    with requested(target, keywords) as request, open_and_run(request.target, request.prepare) as session:
        yield session


def not_compared(error: TexelscopeError) -> NotComparedError:
    """Returns the error of a target that cannot run, in the words of a check."""
    return NotComparedError(with_keywords(str(error)))


def _with_oracle(request: CheckRequest) -> Report | CheckError:
    from texelscope.checking.texts import not_compared_text, wrong_text

    outcome = _compared(request, request.target, request.prepare)
    code = exit_code(outcome.report)
    if code == MATCH:
        return outcome.report
    files, problem = _written(request, outcome)
    if code == FAILED:
        return NotComparedError(not_compared_text(outcome.report, request) + problem, outcome.report, files)
    text = wrong_text(outcome, request) + problem
    return WrongPassError(text, outcome.report, _patch(outcome), files)


def _with_golden(request: CheckRequest, golden: GoldenPath) -> RunDifference | CheckError:
    difference = golden.compared(request)
    if difference.sameness not in DIFFERENT:
        return difference
    from texelscope.checking.texts import different_text

    outcome = _compared(request, *golden.on_its_inputs(request))
    files, problem = _written(request, outcome)
    text = different_text(difference, golden, outcome, request) + problem
    return GoldenDiffersError(text, difference, outcome.report, _patch(outcome), files)


def _compared(request: CheckRequest, target: Target, prepare: Prepare) -> Outcome:
    """Compares a run with the oracle; its page is made only if a pass is wrong, its patch if seconds allow one."""
    asked = DiagnosisRequest(seconds=request.seconds, repairs=request.seconds != 0.0, first_takes_all=True)
    extras = ComparisonExtras(
        asked,
        tolerances=request.tolerances,
        frames=request.frames,
        replaced=request.shaders.texts,
        page_if_wrong=True,
    )
    return diff(target, with_page=request.html is not None, prepare=prepare, extras=extras)


def _written(request: CheckRequest, outcome: Outcome) -> tuple[tuple[Path, ...], str]:
    """Writes the page, and the patch beside it; returns the paths of what there is, and a line on what is not."""
    if request.html is None or outcome.page is None:
        return (), ""
    patch = request.html.with_suffix(".patch")
    try:
        request.html.parent.mkdir(parents=True, exist_ok=True)
        patch.unlink(missing_ok=True)  # of an earlier run
        write_text_whole(request.html, outcome.page)
        if _patch(outcome):
            write_text_whole(patch, _patch(outcome))
    except OSError as error:
        reason = error.strerror or str(error)
        return (), f"\n{request.html.parent}: expected a folder for pages, got {reason}. Choose another one."
    except TexelscopeError as error:
        return (), f"\n{error}"
    return (request.html, patch) if _patch(outcome) else (request.html,), ""


def _patch(outcome: Outcome) -> str:
    return outcome.patch.text if outcome.patch is not None else ""
