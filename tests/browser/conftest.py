"""One browser for all tests: its start costs more than what they do in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import Chromium


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Returns the browser."""
    with Chromium(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser
