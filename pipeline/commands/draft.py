"""Describes a draft that was written, for the command line."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.draft.fields import Certainty
from texelscope.pipeline.draft_writing.writing import WrittenDraft
from texelscope.pipeline.errors import one_line


def described(written: WrittenDraft) -> Iterator[str]:
    """Yields what a person should know: what is guessed, what was tried, and each field that is asked for."""
    draft = written.draft
    passes = len(draft.of_kind("pass"))
    yield one_line(
        f"{written.file}: {passes} {'pass' if passes == 1 else 'passes'}, {draft.count(Certainty.GUESSED)} guesses"
    )
    if written.tried:
        yield one_line(f"{len(written.matched)} of {passes} match the model (layouts tried: {written.tried}).")
    for table in draft.tables:
        for field in table.fields:
            if field.certainty is Certainty.ASKED:
                yield one_line(f"[[{table.kind}]] '{table.name}' {field.key} = \"?\": {field.reason}")
