"""Containerfile installs what the program needs and what this repository says that it needs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.container.containerfile import stages
from tests.pure.source_tree import text_of

STAGES = stages(text_of(Path("Containerfile")))
# The GL packages that tools/setup.sh installs; Debian's libegl1 and libgl1 bring the rest of them along.
OF_SETUP = set(re.findall(r'^gl_packages="(.*)"$', text_of(Path("tools/setup.sh")), re.MULTILINE)[0].split())


def packages(lines: list[str]) -> set[str]:
    """Returns the names that the lines give to `apt-get install`."""
    commands = [command for line in lines for command in line.split("&&")]
    words = [shlex.split(command) for command in commands if "apt-get install" in command]
    return {word for command in words for word in command[2:] if not word.startswith("-")}


def test_the_last_stage_has_the_drivers_that_a_checkout_is_set_up_with() -> None:
    drivers = packages(STAGES[-1].runs()) - {"python3"}
    assert drivers <= OF_SETUP
    assert {"libegl1", "libgl1", "libgl1-mesa-dri"} <= drivers


def test_servers_get_the_same_drivers_from_the_pages() -> None:
    drivers = packages(STAGES[-1].runs()) - {"python3"}
    for page in ("docs/install.md", "docs/ci.md"):
        named = [line for line in text_of(Path(page)).splitlines() if "apt-get install" in line and "libegl1" in line]
        assert named, page
        assert all(driver in line for line in named for driver in drivers), page


def test_it_builds_where_packages_have_to_be_compiled() -> None:
    (line,) = (line for line in text_of(Path("docs/install.md")).splitlines() if "apt-get install g++" in line)
    compiler = set(re.findall(r"install ([^`]*)`", line)[0].split())
    assert compiler <= packages(STAGES[0].runs())


def test_what_was_tested_is_what_is_installed() -> None:
    (install,) = (line for line in STAGES[0].runs() if "pip install" in line)
    assert "--constraint /source/constraints.txt" in install
    assert STAGES[-1].list_of("ENTRYPOINT")[0].startswith(str(Path(install.split()[0]).parent))


def test_the_stages_are_of_one_release() -> None:
    assert len({stage.image for stage in STAGES}) == 1
    assert [stage.name for stage in STAGES] == ["build", ""]
