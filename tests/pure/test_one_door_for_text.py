"""Text from outside has one door, `layouts/outside_text.py`: every place that says something is walked.

What the walk sees: calls by name, and `raise` of a class or of what a function is annotated to return. What it does
not: `raise` of a variable (an error that was raised before), and texts that reach a person by other ways than these.
Names in reports, pages and tables are walked in `tests/gl/commands/test_hostile_names.py`.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of
from texelscope.layouts.errors import LayoutError, TexelscopeError
from texelscope.layouts.outside_text import MOST_LETTERS
from texelscope.pipeline.deadline import DeadlineError
from texelscope.pipeline.debug_adapter.framing import BodyError, FramingError
from texelscope.pipeline.errors import ShaderError, UndeterminedError, UnsupportedError
from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.desktop import NoDesktopMeaningError
from texelscope.pipeline.pipeline_file.table import PipelineFileError, Problem
from texelscope.pipeline.quotas import QuotaError
from texelscope.pipeline.step_trace.drawn_log import TooManyEntriesError
from texelscope.pipeline.untrusted_files.door import OutsideFileError
from texelscope.pipeline.workers.apart import WorkerEndedError

DOOR = "layouts/outside_text.py"
# Who calls these by need, and why what they pass is nobody else's text.
ALLOWED = {
    "print": {
        "texelscope/output.py": "what it prints went through the door",
        "texelscope/diff_modes.py": "a share of a hundred",
        "pipeline/start_marks.py": "its own steps",
        "texelscope/ending.py": "an error's text, which is lines already",
    },
    "write": {
        "texelscope/output.py": "a report, whose writer went through the door",
        "pipeline/bench/timing.py": "a number",
        "texelscope/ending.py": "a traceback that was asked for, printable but for its lines",
    },
    "getLogger": {
        "pipeline/start_marks.py": "its own steps",
        "pipeline/crash_report/recent.py": "listens",
        "pipeline/untrusted_files/pictures.py": "has a library say less",
        "texelscope/commands/window.py": "sets a level",
        "texelscope/command_line.py": "listens to the warnings about plug-ins",
        "texelscope/language_server/one_line_log.py": "has a library say less, each on one line",
    },
    "escape": {},
    "dumps": {
        "pipeline/toml_text.py": "writes TOML",
        "pipeline/export/bundle.py": "read again by this program, to the letter",
        "pipeline/runs/golden_file.py": "read again by this program, to the letter",
        "pipeline/bench/timing.py": "read again by this program, to the letter",
        "pipeline/reduce/written.py": "numbers, in TOML",
        "pipeline/sensitivity/effects.py": "made anew by the door",
        "pipeline/dialects/tfjs/planning.py": "cut and shown in a table of the window",
        "viewer/memory/settings.py": "read again by this program, to the letter",
    },
    "warn": {"texelscope/former_names.py": "one of three names written there"},
}
# Exceptions that are caught where they are meant: nobody reads their texts. Python's own report a mistake of ours.
CAUGHT = {
    "NotUnderstoodError", "NoMeaningError", "DoesNotApplyError", "MacroError", "CancelledError", "_TooLargeError",
    "TooDeepError", "EndedError", "_Returned", "_LoopEnded", "_Stored", "ArgumentTypeError", "Error", "BadZipFile",
    "EndingError", "UnsupportedOperation", "UnknownTextError", "NoFormulaError", "UnclearError", "TooLongError",
    "DiscardedError", "ToolError", "UsageError", "JsonRpcInvalidParams", "JsonRpcRequestCancelled",
}  # fmt: skip

SOURCES = files((".py",), below=("app.py", *LIBRARY))
# Where nothing of this stands there is nothing to walk, and reading a module's syntax takes its time.
RAISES = re.compile(r"\braise \w|-> \w*Error|\bclass \w+Error|\bexcept \(?(?:Base)?Exception")
RAISING = [path for path in SOURCES if RAISES.search(text_of(path))]
HOSTILE = "a\n\x1b[31m\0\u202e\ud800%s{0}" + "x" * 5000


@cache
def statements(path: Path) -> tuple[ast.AST, ...]:
    """All statements and handlers of a module, without walking what is inside expressions."""
    found: list[ast.AST] = list(syntax_of(path).body)
    for node in found:
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            found.extend(getattr(node, part, ()))
    return tuple(found)


@cache
def family() -> frozenset[str]:
    """The names of TexelscopeError and of all classes in the tree that are some."""
    bases: dict[str, set[str]] = {}
    for path in RAISING:
        for node in statements(path):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(base.id for base in node.bases if isinstance(base, ast.Name))
    found = {"TexelscopeError"}
    while more := {name for name, own in bases.items() if own & found} - found:
        found |= more
    return frozenset(found)


@cache
def returned() -> dict[str, set[str]]:
    """Returns by a function's name the annotated return types of functions of that name."""
    found: dict[str, set[str]] = {}
    for path in RAISING:
        for node in statements(path):
            if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name | ast.Constant):
                name = node.returns.id if isinstance(node.returns, ast.Name) else str(node.returns.value)
                found.setdefault(node.name, set()).add(name)
    return found


def called(node: ast.expr) -> str:
    """Returns `f` of `f(…)` and of `a.b.f(…)`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def calls(name: str) -> Iterator[str]:
    """Returns the modules that call something of that name; `write` of a standard stream, `escape` but for patterns."""
    for path in SOURCES:
        if f"{name}(" not in text_of(path):
            continue
        for node in ast.walk(syntax_of(path)):
            if isinstance(node, ast.Call) and called(node.func) == name:
                of = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
                if of not in ("re", "pickle") and (name != "write" or of in ("sys.stdout", "sys.stderr")):
                    yield path.as_posix()


@pytest.mark.parametrize("name", sorted(ALLOWED))
def test_nothing_is_said_past_the_door(name: str) -> None:
    assert set(calls(name)) - {DOOR, *ALLOWED[name]} == set()


def test_what_is_raised_for_a_person_to_read_goes_through_the_door() -> None:
    raised = [
        (path, node.lineno, called(node.exc.func))
        for path in RAISING
        for node in statements(path)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and called(node.exc.func)
    ]
    assert len(raised) > 600
    known = family() | CAUGHT | set(dir(builtins))
    assert [
        f"{path}:{line} raises {name}"
        for path, line, name in raised
        if not known & (returned().get(name, set()) | {name})
    ] == []


def test_nothing_asks_an_exception_of_any_kind_for_its_text_but_the_door() -> None:
    handlers = [
        (path, node, node.name)
        for path in RAISING
        for node in statements(path)
        if isinstance(node, ast.ExceptHandler) and node.name and caught(node) & {"Exception", "BaseException"}
    ]
    assert handlers
    assert [
        f"{path}:{handler.lineno}"
        for path, handler, name in handlers
        if any(asks_for_text(node, name) for node in ast.walk(handler))
    ] == []


def caught(handler: ast.ExceptHandler) -> set[str]:
    """Returns what a handler catches, by name."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    return {called(kind) for kind in kinds}


def asks_for_text(node: ast.AST, error: str) -> bool:
    """Whether it is `str(error)`, `repr(error)` or an f-string with it."""
    if isinstance(node, ast.Call) and called(node.func) in ("str", "repr"):
        return any(isinstance(argument, ast.Name) and argument.id == error for argument in node.args)
    return isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name) and node.value.id == error


ERRORS = {
    "TexelscopeError": TexelscopeError(HOSTILE, HOSTILE, HOSTILE, HOSTILE),
    "LayoutError": LayoutError(HOSTILE, "b", "c", "d"),
    "ShaderError": ShaderError(HOSTILE, 7, HOSTILE, HOSTILE),
    "UnsupportedError": UnsupportedError("a", HOSTILE, "c", "d"),
    "UndeterminedError": UndeterminedError("a", "b", HOSTILE, "d"),
    "DeadlineError": DeadlineError("a", "b", "c", HOSTILE),
    "NoDesktopMeaningError": NoDesktopMeaningError("fragment", 0, HOSTILE, HOSTILE),
    "AuthorTextError": AuthorTextError(0, HOSTILE, HOSTILE, HOSTILE),
    "QuotaError": QuotaError(HOSTILE, "nodes", 7, 3, HOSTILE),
    "WorkerEndedError": WorkerEndedError("a", HOSTILE, "c", "d"),
    "TooManyEntriesError": TooManyEntriesError(HOSTILE, "b", HOSTILE, "d"),
    "FramingError": FramingError("a", HOSTILE, HOSTILE, "d"),
    "BodyError": BodyError("a", "b", HOSTILE, "d"),
    "OutsideFileError": OutsideFileError(HOSTILE, HOSTILE, HOSTILE),
    "PipelineFileError": PipelineFileError((Problem(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),)),
}


def test_every_kind_of_error_is_tried() -> None:
    assert {name for name in family() if not name.startswith("_")} == set(ERRORS)


@pytest.mark.parametrize("kind", sorted(ERRORS))
def test_an_error_is_one_line_whatever_it_quotes(kind: str) -> None:
    error = ERRORS[kind]
    for text in (str(error), error.who, error.expected, error.got, error.do_next):
        assert len(text) <= MOST_LETTERS
        assert text.isprintable()
