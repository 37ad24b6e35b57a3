"""Run the fenced `python` and `sh` snippets of the docs, so that what they show is what happens.

    tools/run_snippets.py README.md docs ...

The snippets of one page run in order, in one scratch folder that shows the checkout's files as its own: a page may
build on earlier snippets, and nothing that it writes at the top lands in the tree. Blocks marked `console` or `text`
are for reading and are not run.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(?P<language>python|sh)[^\n]*\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
SHELL_SECONDS = 120


@dataclass(frozen=True)
class Snippet:
    """Describes one fenced block: its page, the number of its first line there, its language and text."""

    page: Path
    line: int
    language: str
    body: str


def pages(arguments: Iterable[str]) -> Iterator[Path]:
    """Lists the Markdown files among the arguments and below those that are folders, sorted."""
    for argument in arguments:
        path = ROOT / argument
        yield from sorted(path.rglob("*.md")) if path.is_dir() else [path]


def snippets(page: Path) -> list[Snippet]:
    """Returns the runnable blocks of one page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Snippet(page, text.count("\n", 0, found.start("body")) + 1, found["language"], found["body"])
        for found in FENCE.finditer(text)
    ]


def problem_in_python(snippet: Snippet, names: dict[str, Any]) -> str | None:
    """Runs it among the page's names so far; returns the traceback, with the page's own line numbers, or None."""
    padded = "\n" * (snippet.line - 1) + snippet.body
    try:
        exec(compile(padded, str(snippet.page), "exec"), names)
    except Exception:  # noqa: BLE001  # a snippet may raise anything, and all of it is the report
        return traceback.format_exc(limit=-1)
    return None


def problem_in_shell(snippet: Snippet) -> str | None:
    """Runs it with bash; returns its output if it failed, or None."""
    command = ["bash", "-euo", "pipefail", "-c", snippet.body]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SHELL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"still running after {SHELL_SECONDS} s"
    return None if done.returncode == 0 else done.stdout + done.stderr


def problems(page: Path) -> Iterator[str]:
    """Returns one text for each snippet of the page that does not run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(scratch):
        for entry in ROOT.iterdir():
            Path(entry.name).symlink_to(entry)
        for snippet in snippets(page):
            python = snippet.language == "python"
            problem = problem_in_python(snippet, names) if python else problem_in_shell(snippet)
            if problem is not None:
                yield f"{page.relative_to(ROOT)}:{snippet.line}: {problem.strip()}"


def main() -> int:
    """Runs every page named on the command line; the exit status is 1 if a snippet failed."""
    sys.path.insert(0, str(ROOT))
    found = [problem for page in pages(sys.argv[1:]) for problem in problems(page)]
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
