"""Writes the probe page: one file with everything inside, that uses no network."""

from __future__ import annotations

from pathlib import Path
from string import Template

from texelscope.layouts.outside_text import in_html
from texelscope.pipeline.atomic_files import write_text_whole
from texelscope.pipeline.diagnose.naming import DiagnosisRequest
from texelscope.pipeline.opening import all_inputs, planned_for_inputs
from texelscope.pipeline.probe.at_home import AtHome, Expectation, at_home
from texelscope.pipeline.probe.contents import DEFAULT_MOST_MB, contents
from texelscope.pipeline.target import Target

_TEMPLATES = Path(__file__).parent / "templates"


# A page without causes, for which nothing runs here.
NO_CAUSES = DiagnosisRequest(seconds=0.0)


def probe_page(target: Target, *, most_mb: int = DEFAULT_MOST_MB, asked: DiagnosisRequest | None = None) -> str:
    """Returns the page for a target, with causes of passes that are wrong here too: the first few, or those `asked`.

    Raises TexelscopeError for a target that cannot be opened, that WebGL 2 cannot run, or that takes more than
    `most_mb` megabytes.
    """
    plan = planned_for_inputs(target)
    inputs = all_inputs(plan, target)
    asked = DiagnosisRequest() if asked is None else asked

    def look(expected: Expectation, most_bytes: int) -> AtHome | None:
        return at_home(target, expected, inputs, asked, most_bytes)

    page = Template((_TEMPLATES / "probe.html").read_text(encoding="utf-8"))
    return page.substitute(
        title=in_html(f"Probe: {plan.name}"),
        target=in_html(plan.name),
        script=(_TEMPLATES / "probe.js").read_text(encoding="utf-8"),
        contents=contents(plan, inputs, most_mb=most_mb, look_at_home=None if asked == NO_CAUSES else look),
    )


def write_probe(path: Path, page: str) -> None:
    """Writes the page whole or not at all. Raises TexelscopeError for a file that cannot be written."""
    write_text_whole(path, page)
