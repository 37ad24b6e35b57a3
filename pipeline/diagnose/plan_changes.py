"""Names what an edit of a pipeline file changes for one pass, by the two plans: bindings, storage, layout, sampling."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.seen import Seen
from texelscope.pipeline.plan import Pass, Plan


def seen_in_plans(wrong: Plan, mended: Plan, name: str) -> Seen | None:
    """Returns what the pass called `name` has otherwise in the wrong plan; None for nothing that has a name."""
    return next(_changes(wrong, mended, wrong.pass_called(name), mended.pass_called(name)), None)


def _changes(wrong: Plan, mended: Plan, got: Pass, expected: Pass) -> Iterator[Seen]:
    tensors = [
        {uniform: plan.textures[key].tensor for uniform, key in each.bound_reads}
        for plan, each in ((wrong, got), (mended, expected))
    ]
    for uniform in tensors[0].keys() & tensors[1].keys():
        if tensors[0][uniform] != tensors[1][uniform]:
            yield Seen(causes.WRONG_INPUT, f"reads '{tensors[0][uniform]}' by '{uniform}'")
    unset = [{each.key for each in one.unset} for one in (got, expected)]
    for key in sorted(unset[0] - unset[1]):
        yield Seen(causes.UNSET_UNIFORM, f"has 0 for '{key}', which the pipeline file does not set")
    sampled = [{each.uniform: each for each in one.samplers} for one in (got, expected)]
    for uniform in sampled[0].keys() & sampled[1].keys():
        one, other = sampled[0][uniform], sampled[1][uniform]
        if one.wrap != other.wrap:
            yield Seen(causes.PADDING_MODE, f"wraps '{uniform}' by {one.wrap} in place of {other.wrap}")
        if one.filter != other.filter:
            cause = causes.LINEAR_FILTERING if one.filter == "linear" else causes.WRONG_FUNCTION
            yield Seen(cause, f"filters '{uniform}' by {one.filter} in place of {other.filter}")
    for key in dict.fromkeys((*got.outputs, *got.reads)):
        if key not in wrong.textures or key not in mended.textures:
            continue
        stored, right = wrong.textures[key], mended.textures[key]
        if stored.storage != right.storage:
            cause = causes.QUANTIZED_8BIT if stored.storage == "uint8" else causes.HALF_PRECISION
            yield Seen(cause, f"has '{stored.tensor}' stored as {stored.storage} in place of {right.storage}")
        if stored.layout != right.layout:
            yield Seen(causes.WRONG_LAYOUT, f"has '{stored.tensor}' in another layout")
