"""The documentation becomes a site without a warning: every link leads somewhere, and every page is in the menu."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.checkout import ROOT

SITE = ROOT / "out" / "site"


@pytest.mark.timeout(300)
def test_the_pages_become_a_site_with_the_reference_of_the_api() -> None:
    built = subprocess.run(
        [sys.executable, "tools/build_site.py"], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    reference = (SITE / "reference.html").read_text(encoding="utf-8")
    for name in ("texelscope.open", "texelscope.pipeline.debug_session.DebugSession", "ShaderError"):
        assert re.search(rf"<h\d[^>]*>\s*(<code[^>]*>|<span[^>]*>)*\s*{re.escape(name)}\b", reference), name
    assert "share of wrong elements" in reference, "docstrings are shown"
    assert (SITE / "docs" / "decisions" / "index.html").is_file()
