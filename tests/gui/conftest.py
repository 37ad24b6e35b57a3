"""A virtual display for the tests of each worker, and a fresh user for every module."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window
from tests.gui.virtual_display import VirtualDisplay
from texelscope.viewer.memory.settings import FILE_NAME, Settings

FAILURES = ROOT / "out" / "gui-failures"

Launch = Callable[..., Window]
# Seconds for a program that starts, runs a network and is worked by hand: some twenty, and many more where others want
# the same cores.
SECONDS = 600


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """More time for the tests of this folder than others have."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(SECONDS))


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a running virtual display, one for each worker; DISPLAY holds it as well."""
    with VirtualDisplay() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", server.name)
        patch.delenv("WAYLAND_DISPLAY", raising=False)
        yield server.name


# By how much longer a search may take where others want the same cores. It ends with what it finds.
BUSY = 6


@pytest.fixture(scope="module")
def repair_seconds() -> float:
    """Returns how long this module's user lets repairs be searched; tests of repairs override it.

    A window that looks for them takes a whole core whenever it is left alone, and is not at rest meanwhile.
    """
    return 0.0


@pytest.fixture(scope="module")
def desktop(display: str, tmp_path_factory: pytest.TempPathFactory, repair_seconds: float) -> Desktop:
    """Mouse, keys and screen, for a user who has chosen that alone, and has opened nothing before this module."""
    home = tmp_path_factory.mktemp("home")
    Settings(repair_seconds=repair_seconds).save(home / "config" / "texelscope" / FILE_NAME)
    return Desktop(display, home)


@pytest.fixture(scope="module")
def typed_folder() -> Iterator[Path]:
    """A folder for files whose paths are typed: one key after the other, each of them drawn, so its name is short."""
    with tempfile.TemporaryDirectory(prefix="t") as folder:
        yield Path(folder)


@pytest.fixture
def launch(desktop: Desktop) -> Iterator[Launch]:
    """`desktop.start`, for windows that close when the test ends."""
    windows: list[Window] = []

    def start(*arguments: str | Path, **options: object) -> Window:
        windows.append(desktop.start(*arguments, **options))  # type: ignore[arg-type]
        return windows[-1]

    yield start
    for window in windows:
        window.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test leaves what was on the screen in out/gui-failures/."""
    report = yield
    desktop = getattr(item, "funcargs", {}).get("desktop")
    if report.when == "call" and report.failed and isinstance(desktop, Desktop):
        FAILURES.mkdir(parents=True, exist_ok=True)
        picture = FAILURES / f"{item.name}.png"
        desktop.screenshot().save(picture)
        report.sections.append(("Screen", f"{picture}"))
    return report
