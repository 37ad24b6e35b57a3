"""Write docs/causes.md, what each cause looks like, and its pictures, docs/pictures/causes/CAUSE.png.

Everything comes from the planted bugs of tests/faults and from the table of causes: the shader with its bug is run on
letters instead of noise (`lettered_inputs`), compared and diagnosed as the program does it, and what is printed is what
the program said. Meaning and sign are the table's own words. Run it from the repository root, in four minutes:

    .venv/bin/python docs/make_causes.py
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import sys
import textwrap
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `tests.faults` lies beside docs/, whatever folder this is run from
os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")  # the same pictures wherever they are made

import moderngl  # noqa: E402
import numpy as np  # noqa: E402
from cause_pictures import Wrong, draw  # noqa: E402
from lettered_inputs import lettered  # noqa: E402

from tests.faults.fault import Fault  # noqa: E402
from tests.faults.outcome import names, outcome  # noqa: E402
from tests.faults.suite import CAUSES, HALVES  # noqa: E402
from texelscope.pipeline.compare.comparer import Comparer  # noqa: E402
from texelscope.pipeline.compare.report import Finding  # noqa: E402
from texelscope.pipeline.diagnose.hypotheses.registry import all_causes  # noqa: E402
from texelscope.pipeline.diagnose.naming import diagnose  # noqa: E402
from texelscope.pipeline.gl.context import headless_context  # noqa: E402

# What rules may be written against; those kept aside are counted and not shown.
PLANTED = tuple(fault for half, faults in HALVES.items() if half != "held_out" for fault in faults)
PAGE = ROOT / "docs" / "causes.md"
PICTURES = ROOT / "docs" / "pictures" / "causes"
# Named right, and planted, as `make fresh` last measured it.
IN_OTHER_STYLES = 421, 492
FAMILIES = {
    "reading": "Where it reads",
    "computing": "What it computes",
    "storing": "How it stores",
    "numbers": "Numbers",
}


@dataclass(frozen=True)
class Example:
    """A planted bug as it is shown: the wrong tensor and, if it was right, what the program said of it first."""

    fault: Fault
    wrong: Wrong
    finding: Finding | None

    @property
    def order(self) -> tuple[bool, bool, bool, float]:
        """The best to look at comes last: named right, pictures rather than rows of numbers, legible, clear."""
        return (
            self.finding is not None,
            len(self.wrong.stored.shape) == 4,
            self.wrong.is_legible(),
            self.wrong.clarity([value for value in self.fault.subject().inputs.values() if value.ndim == 4]),
        )


@dataclass(frozen=True)
class Told:
    """What one cause has to say: its section, and the place of the right finding for each of its bugs, if any."""

    section: str
    planted: tuple[int | None, ...]
    held_out: tuple[int | None, ...]


def main() -> None:
    """Write the page and all pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    every = [cause for causes in CAUSES.values() for cause in causes]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as workers:
        told = dict(zip(every, workers.map(tell, every), strict=True))
    for old in PICTURES.glob("*.png"):
        if old.stem not in told:
            old.unlink()
    sections = [introduction(list(told.values()))]
    for family, causes in CAUSES.items():
        sections += [f"## {FAMILIES[family]}", *(told[cause].section for cause in causes)]
    PAGE.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)}: {len(every)} causes\n")


def tell(cause: str) -> Told:
    """Plant the bugs of one cause, and draw the one that shows it best."""
    context = _context()
    planted, held_out = (
        tuple(outcome(fault, context).rank for fault in faults if fault.cause == cause)
        for faults in (PLANTED, HALVES["held_out"])
    )
    example = best_example(cause, context)
    draw(example.wrong, PICTURES / f"{cause}.png")
    return Told(section(cause, example, planted), planted, held_out)


@cache
def _context() -> moderngl.Context:
    return headless_context()


def best_example(cause: str, context: moderngl.Context) -> Example:
    """The planted bug that shows the cause best, among those that the program names right; with letters if it can."""
    faults = [fault for fault in PLANTED if fault.cause == cause]
    examples = [example_of(fault, context, with_letters=True) for fault in faults]
    if all(example.finding is None for example in examples):
        examples = [example_of(fault, context, with_letters=False) for fault in faults]
    return max(examples, key=lambda example: example.order)


def example_of(fault: Fault, context: moderngl.Context, *, with_letters: bool) -> Example:
    """The bug run and diagnosed."""
    if with_letters:
        subject = lettered(fault.subject())
        fault = dataclasses.replace(fault, subject=lambda: subject)
    planted = fault.plant(context)
    with planted.session as session:
        comparer, capture = Comparer(session.plan), session.capture()
        comparer.compare(capture)
        found = diagnose(session, comparer, capture, planted.name, repair_seconds=0.0).findings
        is_right = bool(found) and found[0].cause == fault.cause and names(found[0], fault)
        each = session.plan.find(planted.name)
        assert each is not None
        stored = session.plan.textures[each.output]
        expected = np.asarray(comparer.isolated_values()[stored.key].value, dtype=np.float32)
        wrong = Wrong.as_tiles(stored, session.texels(stored.key), stored.layout.encode(expected))
        return Example(fault, wrong, found[0] if is_right else None)


def introduction(told: Sequence[Told]) -> str:
    """What the page is, and how many planted bugs are named."""
    planted = [rank for each in told for rank in each.planted]
    held_out = [rank for each in told for rank in each.held_out]
    return "\n".join(
        [
            "# Causes: what a bug looks like and what it is called",
            "",
            *textwrap.wrap(
                "Every cause that a diagnosis can name, with a shader that has the bug. Each picture shows, from "
                "left to right, the GPU's result, numpy's result in the same colours, and the difference (actual "
                "minus expected) with its own range. The range stands under each picture. Tiles are outlined in "
                "white, texels without an element are grey, NaN is red and infinity green. Channels are shown as "
                "tiles, whatever the texture's layout. The inputs are letters, one for each channel, so that you "
                "can see where things went.",
                116,
            ),
            "",
            *(f"- {FAMILIES[family]}: {_contents(causes)}" for family, causes in CAUSES.items()),
            "",
            *textwrap.wrap(
                "The bugs are planted: edits of correct shaders, and GL state that is left behind. `make causes` "
                "writes this page from them, with the program's own words. In that run:",
                116,
            ),
            "",
            f"- of {len(planted)} bugs that the rules were written against, {_named(planted)}",
            f"- of {len(held_out)} held-out bugs, which test the rules, {_named(held_out)}",
            "",
            *textwrap.wrap(
                f"Another {IN_OTHER_STYLES[1]} bugs, in nine other styles, were planted by people who had not "
                f"read the rules. The first finding names {IN_OTHER_STYLES[0]} of them. `make fresh` measures "
                "that, with repairs, in two hours.",
                116,
            ),
            "",
            "If a diagnosis explains nothing, it says so; it never prints a guess.",
        ]
    )


def _named(ranks: Sequence[int | None]) -> str:
    first, three = (sum(rank is not None and rank <= most for rank in ranks) for most in (1, 3))
    return f"{first} are named by the first finding, {three} by one of the first three"


def _contents(causes: Sequence[str]) -> str:
    return " · ".join(f"[{cause}](#{cause})" for cause in causes)


def section(cause: str, example: Example, ranks: Sequence[int | None]) -> str:
    """A cause: its picture, what it means, what the program says, what to do, how often it is recognised."""
    finding, fault = example.finding, example.fault
    row = all_causes()[cause]
    return "\n".join(
        [
            f"### `{cause}`",
            "",
            _paragraph(f"{row.meaning} Sign: {row.known_by}"),
            "",
            f"![{_one_line(fault.name)}: actual, expected, difference](pictures/causes/{cause}.png)",
            "",
            *_said(fault, finding),
            "",
            _paragraph(f"{len(ranks)} planted bugs have this cause; the first finding names {ranks.count(1)} of them."),
        ]
    )


def _said(fault: Fault, finding: Finding | None) -> list[str]:
    if finding is None:
        return [_paragraph(f"Example: *{_one_line(fault.name)}*. The program does not name this one yet.")]
    line = f", {Path(finding.shader).name}:{finding.line}" if finding.line is not None else ""
    return [
        _paragraph(f"Example: *{_one_line(fault.name)}*{line}. The program says:"),
        "",
        *textwrap.wrap(finding.evidence, 116, initial_indent="> ", subsequent_indent="> "),
        "",
        _paragraph(f"**Remedy:** {finding.remedy}"),
    ]


def _paragraph(text: str) -> str:
    return "\n".join(textwrap.wrap(_one_line(text), 116, break_long_words=False, break_on_hyphens=False))


def _one_line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    main()
