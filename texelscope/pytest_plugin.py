"""The plug-in for pytest: fixtures that check and open targets, their options, and what a failed test shows.

Only pytest is imported here. What runs a target is imported when a test first asks for it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
import weakref
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast, overload

import pytest

if TYPE_CHECKING:
    import onnx

    from texelscope.checking.request import CheckKeywords, RunKeywords
    from texelscope.pipeline.compare.report import Report
    from texelscope.pipeline.debug_session import DebugSession
    from texelscope.pipeline.runs.difference import RunDifference

    Target = str | os.PathLike[str] | onnx.ModelProto

UPDATE, HTML = "--texelscope-update-goldens", "--texelscope-html"
# A test's reports carry these names from a worker of pytest-xdist to the terminal, and into JUnit's XML.
_WROTE_GOLDEN, _WROTE_PAGE = "texelscope_golden", "texelscope_page"
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_]+")
_MOST_LETTERS = 80
# The sessions that fixtures opened, as long as they are there.
_OPENED: pytest.StashKey[list[weakref.ref[DebugSession]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options. Raises UsageError if another plug-in has one of that name."""
    group = parser.getgroup("texelscope", "shaders (texelscope)")
    try:
        group.addoption(
            UPDATE,
            dest="texelscope_update_goldens",
            action="store_true",
            help="write the golden files of texelscope_check anew, in place of comparing with them",
        )
        group.addoption(
            HTML,
            dest="texelscope_html",
            metavar="DIR",
            help="write a page to debug in, and a patch of its repairs, for each failing texelscope_check",
        )
    except (ValueError, argparse.ArgumentError):
        told = f"texelscope: expected that no other plug-in adds {UPDATE} or {HTML}, got one that does."
        raise pytest.UsageError(f"{told} Leave one of the two out, as by -p no:texelscope.") from None


class Checker:
    """Checks targets as `texelscope.check` does, with the options of the command line; a fixture's value.

    Relative paths start at pytest's rootdir.
    """

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._paths = _Paths(item.config.rootpath)
        self._failures = 0

    @overload
    def __call__(self, target: Target, **keywords: Unpack[CheckKeywords]) -> Report: ...

    @overload
    def __call__(
        self,
        target: Target,
        *,
        golden: str | os.PathLike[str],
        **keywords: Unpack[CheckKeywords],
    ) -> RunDifference: ...

    def __call__(
        self,
        target: Target,
        *,
        golden: str | os.PathLike[str] | None = None,
        **keywords: Unpack[CheckKeywords],
    ) -> Report | RunDifference:
        """Compares the target with its oracle, or with the `golden`; see `texelscope.check`."""
        __tracebackhide__ = True
        from texelscope.checking.check import outcome_of_check
        from texelscope.checking.errors import CheckError
        from texelscope.checking.goldens import GoldenPath

        kept = None
        if golden is not None:
            kept = GoldenPath(self._paths.root / golden, f"Run pytest with {UPDATE} to write it.")
        given = cast("CheckKeywords", self._paths.below_root({"html": self._page(), **keywords}))
        update = bool(self._item.config.getoption("texelscope_update_goldens"))
        checked = outcome_of_check(self._paths.below(target), given, kept, update=update)
        if checked.wrote_golden and kept is not None:
            self._tell(_WROTE_GOLDEN, kept.path)
        if isinstance(checked.result, CheckError):
            self._failures += 1
            for path in checked.result.files:
                self._tell(_WROTE_PAGE, path)
            raise checked.result
        return checked.result

    def _page(self) -> Path | None:
        folder = self._item.config.getoption("texelscope_html")
        if folder is None:
            return None
        number = f"-{self._failures + 1}" if self._failures else ""
        name = f"{page_name(self._item.nodeid)}{number}.html"
        return Path(self._item.config.invocation_params.dir, str(folder), name)

    def _tell(self, what: str, path: Path) -> None:
        self._item.user_properties.append((what, _shown(path, self._item.config)))


class SessionOpener:
    """Opens targets and runs them once; the fixture releases every session at the end of its scope."""

    def __init__(self, config: pytest.Config, closing: ExitStack) -> None:
        self._paths = _Paths(config.rootpath)
        self._opened = config.stash.setdefault(_OPENED, [])
        self._closing = closing

    def __call__(self, target: Target, **keywords: Unpack[RunKeywords]) -> DebugSession:
        """Returns a session on the target, which has run; the keywords are those of `texelscope.open`, and `inputs`,
        `shaders` and `inject` as `texelscope.check` has them.
        """
        __tracebackhide__ = True
        from texelscope.checking.check import not_compared, opened_session
        from texelscope.pipeline.errors import TexelscopeError

        given = cast("RunKeywords", self._paths.below_root(dict(keywords)))
        try:
            session = self._closing.enter_context(opened_session(self._paths.below(target), given))
        except TexelscopeError as error:
            failure = not_compared(error)
        else:
            self._opened.append(weakref.ref(session))
            return session
        raise failure


class _Paths:
    """Resolves relative paths from pytest's rootdir, whatever folder it runs in."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def below(self, target: Any) -> Any:
        return self.root / target if isinstance(target, str | os.PathLike) else target

    def below_root(self, keywords: dict[str, Any]) -> dict[str, Any]:
        """Returns keywords with paths of shaders, inputs, the page and the oracle resolved; other words stay."""
        found = dict(keywords)
        for name in ("shaders", "inputs"):
            if name in found:
                found[name] = {key: self._of_word(each) for key, each in found[name].items()}
        if found.get("oracle"):
            found["oracle"] = os.fspath(self._of_word(found["oracle"]))
        if found.get("html") is not None:
            found["html"] = self.root / found["html"]
        return found

    def _of_word(self, word: Any) -> Any:
        """Returns the path of a file below the root; shader text, a pattern's name and an array stay as they are."""
        if isinstance(word, os.PathLike):
            return self.root / word
        if not isinstance(word, str) or "\n" in word:
            return word
        path = self.root / word
        return str(path) if path.is_file() else word


@pytest.fixture
def texelscope_check(request: pytest.FixtureRequest) -> Checker:
    """Checks a shader pipeline or a model as texelscope.check does; its failure names the bug, its line and a patch."""
    return Checker(request.node)


def _sessions(request: pytest.FixtureRequest) -> Iterator[SessionOpener]:
    with ExitStack() as closing:
        yield SessionOpener(request.config, closing)


@pytest.fixture
def texelscope_session(request: pytest.FixtureRequest) -> Iterator[SessionOpener]:
    """Opens a shader pipeline or a model in a session that has run, and releases it after the test."""
    yield from _sessions(request)


@pytest.fixture(scope="class")
def class_texelscope_session(request: pytest.FixtureRequest) -> Iterator[SessionOpener]:
    """Opens sessions as texelscope_session does, and releases them after the class."""
    yield from _sessions(request)


@pytest.fixture(scope="module")
def module_texelscope_session(request: pytest.FixtureRequest) -> Iterator[SessionOpener]:
    """Opens sessions as texelscope_session does, and releases them after the module."""
    yield from _sessions(request)


def page_name(node_id: str) -> str:
    """Returns a name for the files of a test, safe on every system, and another one for every node id."""
    readable = _NOT_IN_A_NAME.sub("-", node_id.replace(".py::", "::")).strip("-")
    digest = hashlib.sha256(node_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{readable[-_MOST_LETTERS:].strip('-')}-{digest}"


def pytest_configure(config: pytest.Config) -> None:
    """Keeps pytest from rewriting the assertions of the whole program, as it does those of a plug-in.

    Otherwise the first import takes twice as long; in an environment that keeps no compiled files, every one.
    """
    marked = getattr(getattr(config.pluginmanager, "rewrite_hook", None), "_must_rewrite", None)
    if isinstance(marked, set):
        marked.discard("texelscope")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Cuts the frames of this program off the traceback of an error that a user can cause, but for --full-trace."""
    errors = sys.modules.get("texelscope.layouts.errors")
    if call.excinfo is None or errors is None or not isinstance(call.excinfo.value, errors.TexelscopeError):
        return
    if item.config.getoption("fulltrace", default=False):
        return
    raw = call.excinfo.tb
    while raw.tb_next is not None and not str(raw.tb_next.tb_frame.f_globals.get("__name__")).startswith("texelscope."):
        raw = raw.tb_next
    raw.tb_next = None
    call.excinfo.traceback = type(call.excinfo.traceback)(call.excinfo.tb)


def pytest_assertrepr_compare(config: pytest.Config, op: str, left: object, right: object) -> list[str] | None:
    """Explains `report == other`, and `session.compare().verdict == "match"` of a session of a fixture."""
    module = sys.modules.get("texelscope.pipeline.compare.report")
    if op != "==" or module is None:
        return None
    if isinstance(left, module.Report) and isinstance(right, module.Report):
        return [f"{left!r} == {right!r}", *_unlike(cast("Report", left), cast("Report", right))]
    if left not in module.SEVERITY or right not in module.SEVERITY:
        return None
    sessions = [session for each in config.stash.get(_OPENED, []) if (session := each()) is not None]
    report = next((each.newest_report for each in reversed(sessions) if _has(each, left, right)), None)
    if report is None:
        return None
    from texelscope.checking.texts import explanation

    return [f"{left!r} == {right!r}", *explanation(report)]


def _has(session: DebugSession, *verdicts: object) -> bool:
    report = session.newest_report
    return report is not None and report.verdict != "match" and report.verdict in verdicts


def _unlike(one: Report, other: Report) -> list[str]:
    """Returns a line for each pass with another verdict."""
    verdicts = {each.name: each.verdict for each in other.passes}
    lines = [
        f"pass '{each.name}': {each.verdict} == {verdicts.get(each.name, 'no such pass')}"
        for each in one.passes
        if verdicts.get(each.name) != each.verdict
    ]
    return lines or ["Each pass has the same verdict in both: figures, times or devices differ."]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Names the goldens and the pages that were written, by this process or by workers."""
    properties = [
        each
        for reports in terminalreporter.stats.values()
        for report in reports
        for each in getattr(report, "user_properties", ())
    ]
    for name, title in ((_WROTE_GOLDEN, "golden written"), (_WROTE_PAGE, "written")):
        for path in dict.fromkeys(path for key, path in properties if key == name):
            from texelscope.layouts.outside_text import one_line

            terminalreporter.write_line(f"texelscope: {title}: {one_line(path)}")


def _shown(path: Path, config: pytest.Config) -> str:
    """Returns a path as a person at the place where pytest was started would type it."""
    try:
        return str(path.relative_to(config.invocation_params.dir))
    except ValueError:
        return str(path)
