"""Tests that each quota is documented, settable by name, and reported in one line that says how to raise it."""

from __future__ import annotations

import argparse
import dataclasses
import re
import threading
from pathlib import Path

import pytest

from tests.checkout import ROOT
from texelscope.command_line import all_commands
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.quotas import QuotaError, Quotas, allowing, hold, present, quotas_of

_ROW = re.compile(r"^\| `(\w+)` \| ([\d,]+) \| [^|]{10,} \| [^|]{10,} \|$", re.MULTILINE)


def test_each_limit_has_its_row_with_its_number_and_a_reason() -> None:
    page = Path(ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    rows = [(name, int(number.replace(",", ""))) for name, number in _ROW.findall(page)]
    assert rows == list(dataclasses.asdict(Quotas()).items())


def test_what_is_beyond_is_told_with_how_to_raise_it() -> None:
    with allowing(Quotas(nodes=2)):
        hold("a.onnx", "nodes", 2)
        with pytest.raises(QuotaError) as caught:
            hold("a.onnx", "nodes", 3000)
    assert str(caught.value) == "a.onnx: expected at most 2 nodes, got 3,000. If you trust it: --limit nodes=3000."
    assert caught.value.quota == "nodes"


def test_limits_end_with_what_they_were_for_and_stay_in_their_thread() -> None:
    seen: list[Quotas] = []
    with allowing(Quotas(passes=7)):
        thread = threading.Thread(target=lambda: seen.append(present()))
        thread.start()
        thread.join()
        assert present().passes == 7
    assert [present(), *seen] == [Quotas(), Quotas()]


def test_a_person_sets_some_and_the_others_stay() -> None:
    assert quotas_of([]) == Quotas()
    assert quotas_of(["nodes=5", "memory_bytes=9", "nodes=6"]) == Quotas(nodes=6, memory_bytes=9)
    with allowing(Quotas(passes=7)):
        assert quotas_of(["nodes=5"]) == Quotas(nodes=5, passes=7)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("node=5", r"--limit: expected NAME=NUMBER with the name of a limit, got 'node=5'. Did you mean 'nodes'\?"),
        ("", "--limit: expected NAME=NUMBER with the name of a limit, got ''. Valid: archive_members, .*"),
        *((f"nodes={n}", "--limit nodes: expected a whole number, got '.*'. Write --limit nodes=5000.")
          for n in ("", "0", "-1", "1e6", "²", "5 ", "9" * 30)),
    ],
)  # fmt: skip
def test_what_is_no_limit_is_told(text: str, told: str) -> None:
    with pytest.raises(TexelscopeError, match=f"^{told}$"):
        quotas_of([text])


def test_a_limit_is_a_number_of_64_bits() -> None:
    with pytest.raises(TexelscopeError, match=r"^limit 'nodes': expected a number from 1 to 9223372036854775807, got"):
        Quotas(nodes=0)


def test_what_numpy_and_glsl_cannot_hold_is_not_allowed_by_anybody() -> None:
    with pytest.raises(TexelscopeError, match=r"^limit 'dimensions': expected a number from 1 to 64, got 65\. Use one"):
        quotas_of(["dimensions=65"])
    with pytest.raises(QuotaError, match=r"^a\.onnx: expected at most 64 dimensions, got 70\. No more is possible\.$"):
        hold("a.onnx", "dimensions", 70)


def test_each_command_that_opens_something_takes_limits() -> None:
    parsers = {name: argparse.ArgumentParser() for name in all_commands()}
    for name, plugin in all_commands().items():
        plugin.module.add(parsers[name])
    without = {name for name, parser in parsers.items() if "--limit NAME=NUMBER" not in parser.format_help()}
    assert without == {"doctor", "install-desktop-entry", "list"}
