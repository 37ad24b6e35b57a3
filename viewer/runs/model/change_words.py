"""Describes what has changed since the reference run, for rows and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from texelscope.viewer.document.document import Document
from texelscope.viewer.runs.model.changes import Trend, trend
from texelscope.viewer.runs.model.runs import KeptRuns

if TYPE_CHECKING:
    from texelscope.pipeline.runs.difference import TensorDifference

# How a change is coloured: as none, as known, as good, as bad, as something to look at.
Tone = Literal["same", "within", "better", "worse", "changed"]

_ALONE = {"only_here": "only here", "other_shape": "other shape"}


def layer_words(runs: KeptRuns, document: Document, name: str, *, chained: bool) -> tuple[str, Tone]:
    """Describes a layer's change for its row: its size, and whether it is better or worse against the oracle."""
    found, stored = runs.changes(document), document.stored(name)
    tensor = found.tensors.get(stored.key) if found is not None and stored is not None else None
    if tensor is None:
        return "", "same"
    return words_of(tensor, trend_of(runs, document, name, chained=chained))


def words_of(tensor: TensorDifference, towards: Trend) -> tuple[str, Tone]:
    """Returns the change of one tensor in words."""
    if tensor.max_abs is None:
        return _ALONE.get(tensor.sameness, "not compared"), "changed"
    if not tensor.unequal:
        return "same", "same"
    text = f"Δ {tensor.max_abs:.2g}"
    if towards == "better":
        return f"{text} better", "better"
    if towards == "worse":
        return f"{text} worse", "worse"
    return text, "within" if tensor.sameness == "within" else "changed"


def trend_of(runs: KeptRuns, document: Document, name: str, *, chained: bool) -> Trend:
    """Returns whether a pass is nearer to the oracle than in the reference run; if equal, compares end to end."""
    run, report = runs.run, runs.left_report(document)
    if run is None or report is None:
        return ""
    here, there = report.find(name), run.report.find(name)
    alone = trend(here, there, chained=chained)
    return trend(here, there, chained=True) if alone == "as good" else alone


def summary_words(runs: KeptRuns, document: Document) -> str:
    """Describes the changes of all layers in one line."""
    found, run = runs.changes(document), runs.run
    if found is None or run is None:
        return "comparing the runs …"
    if found.problem:
        return found.problem
    changed = found.changed
    text = f"{len(changed)} of {len(found.tensors)} layers differ"
    if changed:
        text += f", the first is {changed[0]}"
    if found.other_inputs:
        text += f"; on another input ({', '.join(found.other_inputs)})"
    if run.left_out:
        text += f"; {len(run.left_out)} tensors were too large to keep"
    return text
