"""An isolated interpreter finds the program beside the script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT


def test_the_script_finds_the_program_where_python_looks_for_nothing(tmp_path: Path) -> None:
    # Without its packages either (-S), so that an installed copy does not stand in: then numpy is what is missing.
    words = [sys.executable, "-I", "-S", str(ROOT / "app.py"), "list"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'numpy'"
