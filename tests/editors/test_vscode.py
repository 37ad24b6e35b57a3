"""Runs the tests of the extension for VS Code in Node: the extension itself, and both servers as processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT

EXTENSION = ROOT / "editors" / "vscode"
HERE = Path(__file__).parent
# What the setting `texelscope.command` is, and so which servers are started.
FIXED_ANSWERS = [sys.executable, str(HERE / "fixed_answers.py")]
PRODUCT = [sys.executable, str(ROOT / "app.py")]
# A process that the extension leaves behind keeps Node from ending.
SECONDS = 280


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None or not (EXTENSION / "node_modules").is_dir():
        pytest.skip("Node or the extension's packages are missing. Run: make editors")
    return found


def run(node: str, command: list[str], *files: str) -> None:
    surroundings = {
        **os.environ,
        "NODE_PATH": str(HERE / "vscode" / "modules"),
        "TEXELSCOPE_COMMAND": json.dumps(command),
    }
    done = subprocess.run(
        [node, "--test", "--test-concurrency=1", *files],
        cwd=HERE / "vscode", env=surroundings, capture_output=True, encoding="utf-8", check=False, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\S+ pass [1-9]", done.stdout, re.MULTILINE)
    assert re.search(r"^\S+ fail 0$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("command", [FIXED_ANSWERS, PRODUCT], ids=["fixed answers", "product"])
def test_the_extension_works_with_its_servers(node: str, command: list[str]) -> None:
    run(node, command, "extension.test.js")


def test_a_program_that_is_no_server_gives_one_message(node: str) -> None:
    run(node, PRODUCT, "unstartable.test.js")
