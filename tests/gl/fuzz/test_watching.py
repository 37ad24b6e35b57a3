"""The fuzzer's watchers see what they are there for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.checkout import ROOT


@pytest.mark.timeout(120)
def test_every_breach_is_told_when_it_is_meant() -> None:
    line = [sys.executable, "-m", "tests.fuzz", "--planted", "--patience", "2"]
    ended = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stdout.count(": told\n") > 10
    assert (ended.returncode, ended.stderr) == (0, "")
