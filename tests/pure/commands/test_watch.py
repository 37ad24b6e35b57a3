"""The screen of `watch`: it fits into the terminal, and says what is left out."""

from __future__ import annotations

from pathlib import Path

from texelscope.pipeline.commands.watch import WatchRound, screen
from texelscope.pipeline.compare.report import Finding, PassReport, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import TexelscopeError

FINDING = Finding("shift", {"dx": 1, "dy": 0}, 1.0, 0.0, "a.frag", 3, "It reads right.", "Check the offsets.")
PASSES = tuple(PassReport(f"p{number}", "Conv", (1,), "linear", "mismatch", findings=(FINDING,)) for number in range(9))


def of(height: int | None, *, is_searching: bool = False) -> list[str]:
    found = WatchRound((), summarise("net", DeviceInfo("r", "v"), PASSES), is_searching=is_searching, seconds=0.0123)
    return screen(found, "my net/p.toml", 80, height).split("\n")


def test_the_first_wrong_pass_and_its_line_come_first() -> None:
    assert of(None)[:4] == [
        "my net/p.toml: as it is, 12 ms",
        "✗ 9 mismatch of 9",
        "First wrong pass: p0",
        "  shift by (1, 0) explains 100.0%, a.frag:3",
    ]


def test_a_low_terminal_gets_as_many_lines_as_it_has_and_the_way_to_the_others() -> None:
    whole, cut = of(None), of(12)
    assert len(cut) <= 12
    assert cut[:8] == whole[:8]
    assert f"… {len(whole) - 8} more lines: " in cut[8]
    assert "diff 'my net/p.toml' prints all." in " ".join(cut[8:])


def test_names_cannot_steer_the_terminal() -> None:
    error = TexelscopeError("a\x1b[2J", "b", "c\nd", "e")
    text = screen(WatchRound((Path("x\x1b[31m\n.frag"),), None, (error,)), "t\x1b]0;", None, None)
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text.split("\n")) == 3


def test_what_could_not_be_compared_says_why() -> None:
    broken = PassReport(
        "p", "Shader", (1,), "linear", "not_compared", message="oracle.py:3: name 'nowhere' is not defined"
    )
    text = screen(WatchRound((), summarise("net", DeviceInfo("r", "v"), (broken,))), "p.toml", 80, None)
    assert "? p: oracle.py:3: name 'nowhere' is not defined" in text
