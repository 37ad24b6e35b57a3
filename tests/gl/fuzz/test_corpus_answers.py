"""The corpus: what once took too much gets its answer or its line."""

from __future__ import annotations

import pytest

from tests.gl.fuzz.fuzzing import breaches


@pytest.mark.timeout(300)
def test_what_once_took_too_much_gets_its_answer_or_its_line() -> None:
    assert breaches("--corpus", "--kind", "answers") == ""
