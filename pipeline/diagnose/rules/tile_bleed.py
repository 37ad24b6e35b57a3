"""tile_bleed: the wrong values are those of the layer with reads beyond the tile's border in the texture."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.diagnose.evidence.stored_values import Beyond
from texelscope.pipeline.diagnose.fault_models.enlarged import enlarged_read, resized_beyond
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import Sides
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import window_with

# Sides without a border test, the likeliest first, and their descriptions.
_SIDES = (
    (Sides(), "every side"),
    (Sides(top=False, bottom=False), "the left and right side"),
    (Sides(left=False, right=False), "the top and bottom"),
    (Sides(top=False, bottom=False, left=False), "the right side"),
    (Sides(top=False, bottom=False, right=False), "the left side"),
    (Sides(bottom=False, left=False, right=False), "the top"),
    (Sides(top=False, left=False, right=False), "the bottom"),
    (Sides(top=False, left=False), "the right side and the bottom"),
    (Sides(bottom=False, right=False), "the left side and the top"),
    (Sides(top=False, bottom=False, left=False, reach=1), "the right side, one texel"),
    (Sides(top=False, left=False, right=False, reach=1), "the bottom, one texel"),
    (Sides(top=False, left=False, reach=1), "the right side and the bottom, one texel"),
    (Sides(top=False, bottom=False, right=False, reach=1), "the left side, one texel"),
    (Sides(bottom=False, left=False, right=False, reach=1), "the top, one texel"),
    (Sides(bottom=False, right=False, reach=1), "the left side and the top, one texel"),
    (Sides(reach=1), "every side, one texel"),
)
_BEYOND: tuple[Beyond, Beyond] = ("texel", "fetch")


class TileBleed(Rule):
    """Reads leave their tile and hit the neighbouring one, or whatever else the texture holds there."""

    cause = "tile_bleed"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        edits=(
            "put in",
            "statement",
        ),
        confirmed_by=frozenset({"double_counted", "extra_channels", "padding_mode", "tile_bleed"}),
        denied_by_reads=frozenset({"alike"}),
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes windows on a picture, and on one that is enlarged first; enlargements alone."""
        for window in case.windows():
            enlarged = enlarged_read(case, window)
            read = window.stored or (enlarged.read.values if enlarged is not None else None)
            if read is None or case.reads_rightly(read.stored.tensor):
                continue
            for beyond in _BEYOND:
                for weight, (sides, text) in enumerate(_SIDES):
                    if enlarged is None:
                        change = window_with(window.node, beyond=beyond, sides=sides)
                    else:
                        change = enlarged.beyond(beyond, sides)
                    yield self._window(change, beyond, text, 1.2 + weight / 100.0)
        yield from self._resizes(case)

    def _window(self, change: ModelEdit, beyond: Beyond, sides: str, prior: float) -> Hypothesis:
        past = "" if beyond == "texel" else " (0 past the texture)"
        return Hypothesis(
            self.cause,
            f"reads beyond {sides} of every tile{past}",
            "Test the position against the tile before reading: outside it use the padding's value.",
            {"sides": sides},
            (change,),
            line=lines.read(),
            prior=prior,
            in_pairs=prior == 1.2 and beyond == "texel",
        )

    def _resizes(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes a resize whose reads are not clamped to the picture."""
        for node, change, _beyond in resized_beyond(case, _BEYOND):
            yield Hypothesis(
                self.cause,
                "interpolates with texels beyond the tile's border",
                "Clamp every position to the tile before reading it.",
                {"sides": "every side"},
                (NodeChange(node.name, change),),
                line=lines.read(),
                prior=1.3,
            )
