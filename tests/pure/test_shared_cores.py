"""Tests on several workers, as the Makefile runs them: a worker that dies ends the run with a failure, soon."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT

# Without `--max-worker-restart=0` the run waits for ever. Alone this takes five seconds.
SECONDS = 50
FAILED = 1
DIES = "import os, signal\n\ndef test_that_kills_its_worker():\n    os.kill(os.getpid(), signal.SIGKILL)\n"
LIVES = "def test_that_passes():\n    pass\n"


def shared_cores() -> list[str]:
    """The options by which the Makefile has workers share the cores."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(r"^SHARED_CORES := (.+)$", makefile, re.MULTILINE)
    assert found is not None
    return found[1].split()


@pytest.mark.timeout(SECONDS + 10)
def test_a_worker_that_dies_ends_the_run_with_a_failure(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(DIES)
    for name in "bcdef":
        (tmp_path / f"test_{name}.py").write_text(LIVES)
    plain = ["-p", "no:hypothesispytest", "-p", "no:cacheprovider", "-q", "--rootdir", str(tmp_path)]
    options = [word if word != "auto" else "2" for word in shared_cores()]
    command = [sys.executable, "-m", "pytest", *plain, *options, str(tmp_path)]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}  # the options name a plug-in that lies there
    done = subprocess.run(
        command, cwd=tmp_path, env=surroundings, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    assert done.returncode == FAILED, done.stdout + done.stderr
    assert re.search(r"worker 'gw\d' crashed while running 'test_a.py::test_that_kills_its_worker'", done.stdout)


def test_every_run_on_several_workers_has_these_options() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [line for line in makefile.splitlines() if "-m pytest -n" in line] == []
    assert "--max-worker-restart=0" in shared_cores()
