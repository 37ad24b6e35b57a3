"""Settings for every test, made before any GL library is loaded, and the one GL context that tests share."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    import moderngl

    from tests.gl.watched_contexts import WatchedContexts

# The same driver on every machine. Mesa reads this; set it to 0 to run the tests on the machine's own GPU.
os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")

# What a fault leaves is not to lie among the user's.
_STATE = tempfile.TemporaryDirectory(prefix="texelscope-tests-", ignore_cleanup_errors=True)
os.environ["XDG_STATE_HOME"] = _STATE.name

# No deadline: the first GL call of a process takes as long as a hundred later ones.
# Derandomized: the same commit gives the same result wherever it runs.
settings.register_profile("texelscope", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("texelscope")


# A worker holds thousands of tests, syntax trees and ONNX's cases, which stay: walking them all again and again for
# garbage took a sixth of the time. Tests of what is left behind ask for a collection themselves.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Freezes what was imported and collected: later garbage collections skip it."""
    gc.collect()
    gc.freeze()


# Both fixtures stand here because tests/gl and tests/faults use them. A fixture imported into a second conftest is
# another fixture: two watches would then take errors away from each other. GL is imported only where it is asked for.


@pytest.fixture(scope="session")
def watched_contexts() -> Iterator[WatchedContexts]:
    """Knows every context that a test makes, its own or a session's."""
    from tests.gl.watched_contexts import WatchedContexts

    with WatchedContexts() as watched:
        yield watched


@pytest.fixture(scope="session")
def gl(watched_contexts: WatchedContexts) -> moderngl.Context:
    """The context that tests share. In tests/gl and tests/faults it is current when a test starts."""
    from tests.gl.watched_contexts import off_screen_context

    return off_screen_context()
