"""The corpus: what once ended in a traceback gets its answer or its line."""

from __future__ import annotations

import pytest

from tests.gl.fuzz.fuzzing import breaches


@pytest.mark.timeout(300)
def test_what_once_ended_in_a_traceback_gets_its_answer_or_its_line() -> None:
    assert breaches("--corpus", "--kind", "lines", "--kind", "files") == ""
