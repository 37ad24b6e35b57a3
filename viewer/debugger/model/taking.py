"""Takes traces of the open session for the debugger: a first one, further windows, and a new one if stale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.viewer.debugger.model.stepping import Stepping
from texelscope.viewer.document.document import Document

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Trace


def begin(stepping: Stepping, document: Document, name: str, element: int) -> None:
    """Goes to the first step of the fragment that makes an element (linear index) of the output of pass `name`.

    Without a trace `stepping.problem` says why.
    """
    stepping.end()
    stepping.of = (name, element)
    _take(stepping, document, None)


def keep_up(stepping: Stepping, document: Document) -> bool:
    """Records between frames what the motion in progress needs, or the fragment again if it may run differently.

    Returns True if anything was recorded. Live runs are not followed: `stepping.is_stale` says so.
    """
    if stepping.of is None:
        return False
    if document.session is None or stepping.made_of is None or stepping.made_of[0] != id(document.session):
        stepping.end()
        return True
    stepping.is_stale = is_stale(stepping, document)
    if stepping.is_stale or stepping.recorded != stepping.expressions:
        if not is_ready(stepping, document):
            return False
        _take(stepping, document, stepping.at)
        return True
    window = stepping.wanted_window()
    if window is None:
        return False
    trace = _traced(stepping, document, window)
    if trace is not None:
        stepping.take_window(trace)
    return True


def is_stale(stepping: Stepping, document: Document) -> bool:
    """Returns whether the fragment might run differently now: its shader or its inputs have changed, or are gone."""
    if stepping.of is None:
        return False
    return stepping.made_of != made_of(document, stepping.of[0])


def made_of(document: Document, name: str) -> tuple[object, ...] | None:
    """Returns the dependencies of a pass's trace: equal ones mean an equal trace. None if the pass cannot run."""
    session = document.session
    found = session.plan.find(name) if session is not None else None
    if session is None or found is None:
        return None
    program = session.program_source(name)
    return id(session), program.fragment, document.revision, *(session.generation(key) for key in found.reads)


def is_ready(stepping: Stepping, document: Document) -> bool:
    """Returns whether the fragment's inputs exist and nothing is running that would change them."""
    session, of = document.session, stepping.of
    found = session.plan.find(of[0]) if session is not None and of is not None else None
    if session is None or found is None or document.run.is_under_way or document.run.continuous:
        return False
    return session.has_run(found.name) or session.shader_error(found.name) is not None


def _take(stepping: Stepping, document: Document, at: int | None) -> None:
    """Takes a trace from the beginning, or around step `at`."""
    index, window = stepping.index, None
    if at is not None and index is not None and not index.is_whole:
        first = max(at - len(index.steps) // 2, 0)
        window = (first, first + len(index.steps))
    trace = _traced(stepping, document, window)
    if trace is not None and not trace.steps and window is not None:  # the run has become shorter
        trace = _traced(stepping, document, None)
    if trace is not None:
        stepping.take(trace, at)


def _traced(stepping: Stepping, document: Document, window: tuple[int, int] | None) -> Trace | None:
    """Returns a trace of that window; without one stepping ends, and says why."""
    assert stepping.of is not None
    (name, element), session = stepping.of, document.session
    made = made_of(document, name)
    if session is None or made is None:
        stepping.end()
        return None
    try:
        _make_inputs(document, session, name)
        trace = session.trace(name, element, watches=stepping.expressions, window=window)
    except TexelscopeError as error:
        of = stepping.of
        stepping.end()
        stepping.problem, stepping.of, stepping.made_of = str(error), of, made
        stepping.recorded = stepping.expressions
        return None
    stepping.made_of, stepping.recorded = made_of(document, name), stepping.expressions
    return trace


def _make_inputs(document: Document, session: DebugSession, name: str) -> None:
    """Computes inputs that a fused run did not store."""
    found = session.plan.find(name)
    if found is not None and document.run.groups is not None:
        for key in found.reads:
            if not session.is_valid(key):
                session.tensor(key)
