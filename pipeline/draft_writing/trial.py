"""Tries layouts for a draft until every pass matches the model."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout, layout, layouts_that_fit
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.draft.document import document
from texelscope.pipeline.draft.drafting import DraftLayouts, DraftRequest, drafted, likely_choice
from texelscope.pipeline.draft.fields import Certainty, DraftFile, Field
from texelscope.pipeline.draft.shaders import DeclaredShader
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import headless_context, limits_of
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.planned_file import plan_file
from texelscope.pipeline.opening import set_inputs
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.target import OpenOptions, Target

if TYPE_CHECKING:
    import moderngl

# Layouts in which people keep what passes compute, weights, and a number a channel; the most usual first.
_ACTIVATIONS = (
    layout("channel_tiles"), layout("channel_tiles_rgba"), layout("row_major_rgba"), layout("linear"),
    layout("channel_tiles_rgba", columns=1), layout("channel_tiles", columns=1), layout("tfjs_unpacked"),
    layout("tfjs_packed"), layout("channel_tiles", columns=8), layout("channel_tiles_rgba", columns=8),
)  # fmt: skip
_WEIGHTS = tuple(
    layout(name)
    for name in ("filter_tiles", "linear", "row_major_rgba", "channel_tiles", "channel_tiles_rgba", "tfjs_unpacked")
)
_VECTORS = tuple(layout(name) for name in ("channel_tiles", "row_major_rgba", "linear"))
# Orders in which engines keep the weights of convolutions in blocks and uniforms.
_ORDERS = tuple(
    layout("ordered", order=order)
    for order in (
        "o/4, i/4, ky, kx, i%4, o%4", "o/4, i/4, ky, kx, o%4, i%4", "o/4, i, ky, kx, o%4", "o/4, ky, kx, i, o%4",
        "o/4, ky, kx, i/4, i%4, o%4", "ky, kx, i, o", "o, ky, kx, i", "i, o, ky, kx",
    )
)  # fmt: skip
# Channels last, as in Keras: rows of channels, and weights with the outputs innermost.
_CHANNELS_LAST = (
    (layout("tfjs_unpacked", order="nhwc"), layout("tfjs_unpacked", order="hwio"), layout("channel_tiles")),
)


# Seconds for all attempts together.
_MOST_SECONDS = 30.0
# Combinations that are tried once the first pass matches: others may suit more of the passes behind it.
_MOST_AFTER_A_MATCH = 24
# The correlation with the model that a wrong pass has in the layouts it was written for; in others it is small.
_LEAST_LIKENESS = 0.5
# So much more like the model are other layouts than more usual ones, if these are not to be taken.
_CLEARLY = 0.1
# Likeness is measured on squares: a read that is one texel off changes little there, and all of noise.
_SMOOTH = "checker:16"


@dataclass(frozen=True)
class _Outcome:
    """What became of a draft: the passes that match, and the likeness of the first one to what it should compute.

    `fitting` is the layout in which the first one's texels hold what it should compute, if it does not match.
    """

    matched: tuple[str, ...] = ()
    likeness: float = 0.0
    fitting: Layout | None = None


@dataclass(frozen=True)
class Fit:
    """The draft after trying layouts: how many combinations were tried, and which passes match the model."""

    draft: DraftFile
    tried: int = 0
    matched: tuple[str, ...] = ()


def fitted(
    shaders: Sequence[DeclaredShader], graph: Graph, request: DraftRequest, place: Path, draft: DraftFile
) -> Fit:
    """Returns the draft in the layouts in which most passes match; `place` is a path in the folder of the shaders.

    The first pass is tried alone, since the others are kept as it is, and then all passes in what fits it. Where the
    first pass is wrong in all of them, the layouts in which it is most like the model's are taken; the draft stays as
    it is if there are none. Nothing is tried if something of it has to be asked.
    """
    if draft.count(Certainty.ASKED):
        return Fit(draft)
    context = headless_context()
    try:
        trials = _Trials(place, context, lambda choice: drafted(shaders, graph, request, choice), draft)
        return trials.run(_choices(likely_choice(shaders), draft))
    finally:
        context.release()


class _Trials:
    """Tries drafts as the file at `place`, which is neither read nor written, on one context.

    `drafted` makes the draft in other layouts.
    """

    def __init__(
        self, place: Path, context: moderngl.Context, drafted: Callable[[DraftLayouts], DraftFile], draft: DraftFile
    ) -> None:
        self._place = place
        self._context = context
        self._drafted = drafted
        self._draft = draft
        self._outcomes: dict[tuple[str, str], _Outcome] = {}
        self._last: Plan | None = None

    def run(self, choices: Iterable[DraftLayouts]) -> Fit:
        """Returns the draft in the best of the choices, within the time for all.

        If the first pass has the right values in other places, its output gets the layout of these.
        """
        names = [each.name for each in self._draft.of_kind("pass")]
        deadline, best = time.monotonic() + _MOST_SECONDS, Fit(self._draft)
        chosen: DraftLayouts | None = None
        left = _MOST_AFTER_A_MATCH
        closest, likeness = self._draft, _LEAST_LIKENESS
        for choice in choices:
            left -= bool(best.matched)
            if time.monotonic() > deadline or not left:
                break
            refined = self._refined(choice, names[0])
            candidate = self._drafted(refined)
            first = candidate.up_to(names[0])
            if not self._outcome(first).matched:
                if not best.matched and (alike := self._outcome(first, _SMOOTH).likeness) > likeness:
                    closest, likeness = candidate, alike + _CLEARLY
                continue
            matched = self._outcome(candidate).matched
            if len(matched) > len(best.matched):
                best, chosen = Fit(candidate, 0, matched), refined
            if len(matched) == len(names):
                break
        if chosen is not None:
            best = self._exchanged(best, chosen, names)
        else:
            best = Fit(closest, 0, self._outcome(closest).matched)
        return dataclasses.replace(best, tried=len({text for text, _ in self._outcomes}))

    def _refined(self, choice: DraftLayouts, first: str) -> DraftLayouts:
        """Returns the choice with the layout in which the first pass has the right values, if there is one.

        It is the layout of whatever passes compute, or of that output alone.
        """
        fitting = self._outcome(self._drafted(choice).up_to(first)).fitting
        if fitting is None:
            return choice
        whole = dataclasses.replace(choice, activations=fitting)
        is_whole = bool(self._outcome(self._drafted(whole).up_to(first)).matched)
        return whole if is_whole else dataclasses.replace(choice, outputs=fitting)

    def _exchanged(self, best: Fit, choice: DraftLayouts, names: Sequence[str]) -> Fit:
        """Returns the fit in which passes that do not match read their inputs in the other order, if that helps."""
        for name in names:
            if name not in best.matched:
                other = dataclasses.replace(choice, exchanged=choice.exchanged | {name})
                candidate = self._drafted(other)
                matched = self._outcome(candidate).matched
                if len(matched) > len(best.matched):
                    best, choice = Fit(candidate, 0, matched), other
        return best

    def _outcome(self, draft: DraftFile, source: str = "") -> _Outcome:
        """Returns what becomes of a draft, which runs once; nothing matches in one that cannot run.

        All inputs get the values of a source, if it is not empty.
        """
        text = document(draft, [])
        if (text, source) not in self._outcomes:
            self._outcomes[text, source] = self._run(text, source)
        return self._outcomes[text, source]

    def _run(self, text: str, source: str) -> _Outcome:
        try:
            # The model is that of the plan before, so that it is read once.
            self._last = plan_file(self._place, OpenOptions(limits=limits_of(self._context)), self._last, text=text)
            with DebugSession(self._last, self._context) as session:
                set_inputs(
                    session,
                    Target(str(self._place), inputs=dict.fromkeys(session.plan.inputs if source else (), source)),
                )
                session.run()
                session.finish()
                comparer, capture = Comparer(session.plan, {}), session.capture()
                report = comparer.compare(capture)
                first = session.plan.passes[0].output
                texels = session.texels(first)
                is_dispatched = session.plan.passes[0].dispatch is not None  # into an image of another size
                matched = tuple(each.name for each in report.passes if each.verdict == "match")
                expected = comparer.isolated_values().get(first)
        except TexelscopeError:  # layouts that do not fit these shapes, or this shader
            return _Outcome()
        if expected is None:
            return _Outcome(matched)
        # On given values likeness alone counts.
        fits = () if matched or is_dispatched or source else layouts_that_fit(expected.value, texels, most=1)
        return _Outcome(matched, _likeness(capture.tensors[first], expected.value), next(iter(fits), None))


def _likeness(got: NDArray[np.float32], expected: NDArray[np.floating]) -> float:
    """Returns the correlation of two tensors: near 1 with a bug in borders, scale or bias, else near 0."""
    a, b = (np.nan_to_num(each.astype(np.float64).ravel(), posinf=0.0, neginf=0.0) for each in (got, expected))
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale > 0.0 else 0.0


def _choices(likely: DraftLayouts, draft: DraftFile) -> Iterator[DraftLayouts]:
    """Yields the likely layouts, then all others, each with the sizes of textures and with those of tiles.

    Weights in blocks and uniforms have orders of their axes instead of layouts of textures.
    """
    keys = [field.key for table in draft.of_kind("pass") for field in table.fields if _is_weight(field)]
    weights = _WEIGHTS if any(key.startswith("textures") for key in keys) or not keys else (_WEIGHTS[1], *_ORDERS)
    vectors = _VECTORS if weights is _WEIGHTS else (_VECTORS[-1],)
    others = itertools.chain(_CHANNELS_LAST, itertools.product(_ACTIVATIONS, weights, vectors))
    for choice in dict.fromkeys((likely, *itertools.starmap(DraftLayouts, others))):
        yield choice
        yield dataclasses.replace(choice, sizes_of_tiles=True)


def _is_weight(field: Field) -> bool:
    return isinstance(field.value, dict) and {"tensor", "layout"} <= field.value.keys()
