"""diff --inject: values in place of what cannot run, and a line about each."""

from __future__ import annotations

from collections.abc import Callable

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.injection.choosing import sources_of
from texelscope.pipeline.injection.inject import inject_missing, run_on, waiting
from texelscope.pipeline.target import Target

Say = Callable[[str], None]


def inject(session: DebugSession, target: Target, say: Say) -> None:
    """Injects what `target` asks for; call after a run. `say` gets a line for each tensor, and one for the rest.

    Raises TexelscopeError for sources that cannot be used at all.
    """
    sources = sources_of(target.inject, session, target.path)
    done = inject_missing(session, sources)
    run_on(session)
    for injection in done:
        say(str(injection))
    if not done:
        say("nothing to inject: everything can run.")
    rest = waiting(session, done)
    if rest:
        say(f"{rest} more {'layer needs' if rest == 1 else 'layers need'} what could not be injected.")
