"""The table that a terminal shows: rows that fit, and what stands below them."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args

import pytest

from texelscope.pipeline.commands.table import render
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.compare.report import SIGNS, EndToEnd, Figures, Finding, PassReport, Verdict, summarise
from texelscope.pipeline.device import DeviceInfo

DEVICE = DeviceInfo("llvmpipe", "4.5")
FIGURES = Figures(1.5e-7, 2e-6, 0.25, 0, 1024)
BLOCK = "Conv+BatchNormalization+Relu+Conv+BatchNormalization+Relu+Conv+BatchNormalization+Add+Relu"
NAME = "/backbone/stage_3/block_11/bottleneck/expansion/convolution_2/with/a/long/name/Conv_output_0"


def row(name: str, operator: str) -> PassReport:
    return PassReport(name, operator, (1, 64, 112, 112), "channel_tiles", "match", FIGURES, FIGURES, gpu_ms=12.5)


REPORT = summarise("net", DEVICE, (row("stem", "Conv"), row(NAME, BLOCK), row("head", "BatchNormalization")))


def table(width: int | None) -> list[str]:
    return render(REPORT, width).split("\n\n")[0].splitlines()


@pytest.mark.parametrize("width", [112, 120, 160])
def test_rows_fit_the_terminal_and_say_how_many_nodes_a_pass_covers(width: int) -> None:
    lines = table(width)
    assert max(map(len, lines)) <= width
    assert "  /back" in lines[2]
    assert "output_0  Conv+" in lines[2]
    assert "(10 nodes)" in lines[2]


def test_figures_are_never_cut_however_narrow_the_terminal() -> None:
    assert all(line.endswith("1.5e-07         0.25     0.25   12.50") for line in table(20)[1:])


def test_a_file_gets_names_whole() -> None:
    assert NAME in table(None)[2]
    assert "Conv+BatchNormalization+Relu+Conv+…+Relu (10 nodes)" in table(None)[2]


def test_the_conclusion_says_what_holds_end_to_end() -> None:
    said = dataclasses.replace(REPORT, end_to_end=EndToEnd((), None, "End to end 'y' is equal."))
    assert render(said).endswith("3 of 3 passes match on llvmpipe.\nEnd to end 'y' is equal.")


def test_a_report_of_no_pass_is_a_heading() -> None:
    assert render(summarise("net", DEVICE, ()), 80).endswith("0 of 0 passes match on llvmpipe.")


WRONG = Figures(1.5, 2.0, 1e5, 8, 1024)
FINDING = Finding("shift", {"dx": 1}, 1.0, 0.0, "a.frag", 4, "It reads right.", "Read left.")


@pytest.mark.parametrize(
    ("changes", "undiagnosed", "below"),
    [
        ({}, (), ["No known cause explains it. Follow a wrong texel: step --pass 'my stem' --texel X,Y"]),
        (
            {"was_cut": True},
            (),
            [
                "No known cause explains it. Follow a wrong texel: step --pass 'my stem' --texel X,Y",
                "The search for its cause ran out of time: --diagnose-seconds 120 gives it more.",
            ],
        ),
        ({}, ("my stem",), ["It was not diagnosed."]),
        ({"verdict": "error"}, (), ["It did not run: its message above says why."]),
        ({"verdict": "precision"}, (), ["Its errors are no larger than what its storage rounds."]),
    ],
)
def test_a_culprit_without_a_finding_has_a_sentence_below_it(
    changes: dict[str, Any], undiagnosed: tuple[str, ...], below: list[str]
) -> None:
    stem = dataclasses.replace(row("my stem", "Conv"), verdict="mismatch", isolated=WRONG)
    stem = dataclasses.replace(stem, **changes)
    report = dataclasses.replace(summarise("net", DEVICE, (stem,)), culprit="my stem", undiagnosed=undiagnosed)
    lines = render(report).splitlines()
    start = next(number for number, line in enumerate(lines) if line.endswith(": my stem")) + 1
    assert [line.strip() for line in lines[start : start + len(below)]] == below


def test_a_culprit_whose_search_was_cut_says_so_below_its_findings() -> None:
    stem = dataclasses.replace(row("stem", "Conv"), verdict="mismatch", isolated=WRONG, findings=(FINDING,))
    said = render(summarise("net", DEVICE, (dataclasses.replace(stem, was_cut=True),)))
    assert "Read left.\n  The search for its cause ran out of time: --diagnose-seconds 120 gives it more." in said
    assert "No known cause" not in said


LONG = "        vec4 sum = " + " + ".join(f"texel(at + vec2({number}.0, 0.0))" for number in range(30)) + ";"
EDIT = LineEdit("a.frag", 4, LONG, LONG.replace("29.0", "28.0"))
REPAIR = Repair((EDIT,), "", 1024, 4)


def wrong(name: str, *, repair: Repair | None = REPAIR) -> PassReport:
    found = dataclasses.replace(FINDING, repair=repair)
    repairs = (repair,) if repair is not None else ()
    return dataclasses.replace(
        row(name, "Conv"), verdict="mismatch", isolated=WRONG, findings=(found,), repairs=repairs
    )


def test_all_passes_with_findings_are_printed_the_first_wrong_one_first() -> None:
    said = render(
        summarise("net", DEVICE, (row("right", "Conv"), wrong("one"), wrong("two", repair=None)))
    ).splitlines()
    assert said[-11:] == [
        "First wrong pass: one",
        "  shift (dx 1) explains 100.0%, a.frag:4",
        "    It reads right.",
        "    Read left.",
        "    With this change all 1,024 elements match, on 4 inputs:",
        f"      4 - {LONG.strip()}",
        f"      4 + {EDIT.after.strip() if EDIT.after else ''}",
        "Also wrong: two",
        "  shift (dx 1) explains 100.0%, a.frag:4",
        "    It reads right.",
        "    Read left.",
    ]


def test_a_narrow_terminal_wraps_sentences_and_never_cuts_the_lines_of_a_repair() -> None:
    report = summarise("net", DEVICE, (wrong("one"),))
    below = render(report, 80).split("\n\n", 1)[1].splitlines()
    code = [line for line in below if "texel(at" in line]
    assert [line.split("4 ", 1)[1] for line in code] == [f"- {LONG.strip()}", f"+ {str(EDIT.after).strip()}"]
    assert max(len(line) for line in below if line not in code) <= 80
    words = " ".join(" ".join(below).split())
    assert "the largest error over its rounding bound, on the pass's own inputs chained:" in words


def test_edits_of_other_files_and_without_a_finding_name_their_file() -> None:
    put, gone = LineEdit("b.glsl", 3, None, "\tif (x) y();"), LineEdit("b.glsl", 9, "z = 0;", None)
    both = dataclasses.replace(REPAIR, edits=(put, gone))
    stem = dataclasses.replace(wrong("one"), findings=(), repairs=(both,))
    said = render(summarise("net", DEVICE, (stem,))).splitlines()
    assert said[-4:-1] == [
        "  With this change all 1,024 elements match, on 4 inputs:",
        "    b.glsl:3 + if (x) y();",
        "    b.glsl:9 - z = 0;",
    ]
    assert said[-1].startswith("  No known cause explains it, though an edit makes it match. Follow a wrong texel: ")


def test_of_many_equally_good_repairs_the_first_ones_are_printed() -> None:
    repairs = tuple(dataclasses.replace(REPAIR, elements=1024 + number) for number in range(6))
    stem = dataclasses.replace(wrong("one"), repairs=repairs)
    said = render(summarise("net", DEVICE, (stem,))).splitlines()
    assert sum("this change all" in line for line in said) == 4
    assert said[-1] == "    … and 2 more changes that are as good; --json FILE has them."


def test_many_wrong_passes_fill_a_screen_and_the_rest_is_named() -> None:
    said = render(summarise("net", DEVICE, tuple(wrong(f"p{number}") for number in range(30)))).splitlines()
    shown = [line for line in said if line.startswith("Also wrong: ")]
    assert shown == [f"Also wrong: p{number}" for number in range(1, 6)]
    listed = ", ".join(f"p{number} (shift)" for number in range(6, 14))
    assert said[-1] == (
        f"… and 24 more: {listed} and 16 others. --diagnose p6 shows one alone; --json FILE has all of them."
    )


def test_the_legend_explains_each_sign_of_the_table_and_no_other() -> None:
    rows = [dataclasses.replace(row(verdict, "Conv"), verdict=verdict) for verdict in get_args(Verdict)]
    for passes in (rows, rows[:1], rows[:4]):
        said = render(summarise("net", DEVICE, tuple(passes))).splitlines()
        (legend,) = (line for line in said if line.startswith("signs: "))
        explained = [part.split()[0] for part in legend.removeprefix("signs: ").split(", ")]
        assert sorted(explained) == sorted({SIGNS[each.verdict] for each in passes})


def test_passes_without_a_diagnosis_have_no_message_each() -> None:
    late = [dataclasses.replace(wrong(name), findings=(), repairs=()) for name in "ab"]
    late = [dataclasses.replace(each, message="Not diagnosed: the passes before it took longer.") for each in late]
    said = render(dataclasses.replace(summarise("net", DEVICE, tuple(late)), undiagnosed=("a", "b")))
    assert "took longer" not in said
    assert "Not diagnosed: 'a' and 1 more." in said
