"""Tests which repairs go into one patch."""

from __future__ import annotations

from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import PassReport, summarise
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.patches.patch import RepairChoice, choose, nothing_wrong_words, patch_words, without


def repair(*after: str, file: str = "conv.frag", line: int = 7) -> Repair:
    return Repair(tuple(LineEdit(file, line + i, "old", text) for i, text in enumerate(after)), "", 1, 1)


def wrong(name: str, *repairs: Repair) -> PassReport:
    return PassReport(name, "Conv", (1,), "linear", "mismatch", repairs=repairs)


def test_a_pass_of_the_same_shader_takes_the_repair_that_is_there() -> None:
    passes = (wrong("a", repair("x")), wrong("b", repair("y"), repair("x")), wrong("c", repair("y", file="c.frag")))
    choice = choose(passes, lambda _edits: True)
    assert [(name, each.edits[0].after) for name, each in choice.repairs] == [("a", "x"), ("b", "x"), ("c", "y")]
    assert len(choice.edits) == 2


def test_what_is_at_odds_has_no_file_or_was_not_found_is_told_apart() -> None:
    passes = (wrong("a", repair("x")), wrong("b", repair("y")), wrong("c"), wrong("d", repair("z", file="generated")))
    choice = choose(passes, lambda edits: edits[0].file != "generated")
    assert [name for name, _ in choice.repairs] == ["a"]
    assert (choice.conflicting, choice.none_found, choice.no_files) == (("b",), ("c",), ("d",))
    left = without(choice, ["a"])
    assert (left.repairs, left.conflicting) == ((), ("b", "a"))


def test_a_line_says_what_a_patch_holds_and_why_something_is_not_in_it() -> None:
    passes = (PassReport("a", "Conv", (1,), "linear", "match"), wrong("b"), wrong("c"), wrong("d"), wrong("e"))
    report = summarise("net", DeviceInfo("driver", "4.5"), passes)
    choice = RepairChoice((("a", repair("x", "y")),), none_found=("b", "c", "d", "e"))
    assert patch_words(choice, report, wrong_count=5, target="p.toml") == (
        "2 lines of 1 file for 1 of 5 wrong passes; with that 1 of 5 passes match. "
        "No repair was found for 'b', 'c', 'd' and 1 more."
    )
    assert patch_words(RepairChoice((), no_files=("b",)), report, wrong_count=1, target="my net.onnx") == (
        "'b' can be fixed, but not in a file of yours: `texelscope eject 'my net.onnx' --to DIR` writes the shaders "
        "as files, DIR/pipeline.toml. The patch is empty."
    )
    stuck = summarise("net", DeviceInfo("driver", "4.5"), (passes[0], PassReport("f", "Conv", (1,), "linear", "error")))
    assert nothing_wrong_words(stuck) == (
        "No pass that ran is wrong; 'f' did not run, which no patch fixes. The patch is empty."
    )
    assert "the report has the repair." in patch_words(
        RepairChoice((), no_files=("b",)), report, wrong_count=1, target="x.comp"
    )
