"""What has changed since the run in the oracle's place, in words for rows and lines."""

from __future__ import annotations

from typing import Literal

from texelscope.pipeline.runs.difference import TensorDifference
from texelscope.viewer.document.document import Document
from texelscope.viewer.runs.changes import Trend, trend
from texelscope.viewer.runs.runs import KeptRuns

# How a change is to be seen: as nothing, as known, as good, as bad, as something to look at.
Tone = Literal["same", "within", "better", "worse", "changed"]

_ALONE = {"only_here": "not there", "other_shape": "other shape"}


def layer_words(runs: KeptRuns, document: Document, name: str, *, chained: bool) -> tuple[str, Tone]:
    """For a layer's row: by how much it differs, and whether it is better or worse against the oracle."""
    found, stored = runs.changes(document), document.stored(name)
    tensor = found.tensors.get(stored.key) if found is not None and stored is not None else None
    if tensor is None:
        return "", "same"
    return words_of(tensor, trend_of(runs, document, name, chained=chained))


def words_of(tensor: TensorDifference, towards: Trend) -> tuple[str, Tone]:
    """For one tensor."""
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
    """Whether a pass is nearer to the oracle now than in the chosen run; of one that is as good, end to end."""
    run, report = runs.run, runs.left_report(document)
    if run is None or report is None:
        return ""
    here, there = report.find(name), run.report.find(name)
    alone = trend(here, there, chained=chained)
    return trend(here, there, chained=True) if alone == "as good" else alone


def summary_words(runs: KeptRuns, document: Document) -> str:
    """One line on all layers."""
    found, run = runs.changes(document), runs.run
    if found is None or run is None:
        return "finding out what differs …"
    if found.problem:
        return found.problem
    changed = found.changed
    text = f"{len(changed)} of {len(found.tensors)} layers differ"
    if changed:
        text += f", the first is {changed[0]}"
    if found.other_inputs:
        text += f"; on another input ({', '.join(found.other_inputs)})"
    if run.left_out:
        text += f"; {len(run.left_out)} tensors were too large to be kept"
    return text
