"""Builds the documentation as a site in out/site, with warnings as errors: python tools/build_site.py

The pages are those of the checkout, where their links lead to each other. What a page links to (a picture, a file of
an example) is copied beside it. `mkdocs.yml` has the navigation and the look.
"""

from __future__ import annotations

import logging
import re
import shutil
import sys
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, MkDocsException

ROOT = Path(__file__).resolve().parent.parent
STAGED = ROOT / "out" / "site-source"
# What the reference shows of the API, by headings. Its text is that of the docstrings.
REFERENCE = {
    "Opening and running": (
        "texelscope.open",
        "texelscope.plan_of",
        "texelscope.pipeline.target.OpenOptions",
        "texelscope.pipeline.debug_session.DebugSession",
        "texelscope.pipeline.gl.frame_session.FrameSession",
        "texelscope.pipeline.gl.session.Session",
    ),
    "Reports": ("texelscope.pipeline.compare.report", "texelscope.pipeline.compare.repairs.Repair"),
    "Reads and traces": (
        "texelscope.pipeline.read_trace.expected.ReadTrace",
        "texelscope.pipeline.step_trace.trace.Trace",
    ),
    "Plans": ("texelscope.pipeline.plan.Plan", "texelscope.pipeline.plan.Pass"),
    "Tensors": ("texelscope.pipeline.tensors",),
    "Errors": ("texelscope.pipeline.errors",),
}
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)<?([^)#\s>]+)")


def first_pages() -> list[Path]:
    """Returns the pages that the site begins with, relative to the checkout."""
    return sorted(
        path.relative_to(ROOT) for folder in ("", "docs", "docs/decisions") for path in (ROOT / folder).glob("*.md")
    )


def stage() -> None:
    """Copies the pages, and what they lead to, into a folder of their own."""
    shutil.rmtree(STAGED, ignore_errors=True)
    pending, known = first_pages(), set[Path]()
    while pending:
        path = pending.pop()
        if path in known or not (ROOT / path).is_file():
            continue
        known.add(path)
        (STAGED / path).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copyfile(ROOT / path, STAGED / path)
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        links = {link: (ROOT / path.parent / link).resolve() for link in _LINK.findall(text)}
        for link, there in links.items():
            if there.is_dir():
                text = text.replace(f"]({link})", f"]({link.rstrip('/')}/index.md)")
                _list(there)
        (STAGED / path).write_text(text, encoding="utf-8")
        pending += [there.relative_to(ROOT) for there in links.values()]
    shown = (f"## {title}\n\n" + "".join(map(_shown, names)) for title, names in REFERENCE.items())
    (STAGED / "reference.md").write_text("# The API\n\n" + "".join(shown), encoding="utf-8")
    # A package as a wheel has it: the parts that lie beside `texelscope` in a checkout lie inside it.
    package = STAGED.with_name("site-package") / "texelscope"
    shutil.rmtree(package.parent, ignore_errors=True)
    shutil.copytree(ROOT / "texelscope", package)
    for part in ("layouts", "pipeline"):
        shutil.copytree(ROOT / part, package / part, ignore=shutil.ignore_patterns("__pycache__"))


def _shown(name: str) -> str:
    """Returns what shows an object. What `texelscope` imports late is found where it is written."""
    written = f"texelscope.pipeline.{name.removeprefix('texelscope.')}" if name.count(".") == 1 else name
    return f"::: {written}\n    options:\n      heading: {name}\n\n"


def _list(folder: Path) -> None:
    """Writes the page of a folder: a list of its pages by their headings."""
    pages = {path.name: path.read_text(encoding="utf-8").split("\n")[0] for path in sorted(folder.glob("*.md"))}
    lines = [f"- [{heading.lstrip('# ')}]({name})" for name, heading in pages.items()]
    place = STAGED / folder.relative_to(ROOT) / "index.md"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"# {folder.name.capitalize()}\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Builds it; 1 with the warnings where there are any."""
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.WARNING)
    stage()
    try:
        build(load_config(str(ROOT / "mkdocs.yml"), strict=True))
    except (Abort, MkDocsException) as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    print(f"site: {ROOT / 'out' / 'site' / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
