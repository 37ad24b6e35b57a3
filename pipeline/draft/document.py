"""Writes a draft as the text of a pipeline file, with a comment beside what is guessed and what is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.layouts.outside_text import in_comment
from texelscope.pipeline.draft.fields import Certainty, DraftFile, DraftTable, Field
from texelscope.pipeline.toml_text import value_text

# The column at which comments begin, where a line is shorter.
_COMMENT_COLUMN = 48


def document(draft: DraftFile, sources: Sequence[str]) -> str:
    """Returns the whole text; `sources` are the names of the shaders that it was drafted from."""
    named = ", ".join(dict.fromkeys(sources))
    head = [
        in_comment(f"# Drafted from {named}. Check each line marked 'guess'."),
        *(['# A "?" is what nothing says: put a value there.'] if draft.count(Certainty.ASKED) else []),
    ]
    blocks = ["\n".join(head), *("\n".join(_lines(each)) for each in draft.tables)]
    return "\n\n".join(blocks) + "\n"


def _lines(table: DraftTable) -> list[str]:
    title = f"[{table.kind}]" if table.kind == "pipeline" else f"[[{table.kind}]]"
    return [title, *map(_line, table.fields)]


def _line(field: Field) -> str:
    line = f"{field.key} = {value_text(field.value)}"
    if field.certainty is Certainty.STATED:
        return line
    word = "guess" if field.certainty is Certainty.GUESSED else "missing"
    return f"{line:<{_COMMENT_COLUMN}}  # {word}: {in_comment(field.reason)}"
