"""texel_edge: with coordinates moved by a quarter texel the result comes right, to either side."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.control import cures_more
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule


class TexelEdge(Rule):
    """Samples lie on the border between two texels, where rounding decides which one is read."""

    cause = "texel_edge"
    band = Band.DRAWING

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        reads = [tap for taps in case.evidence.taps for tap in taps.reads]
        on_edge = [tap for tap in reads if tap.on_edge]
        filtered = any(read.sampler.filter == "linear" for read in case.evidence.reads)
        if filtered and reads and not on_edge:
            return
        for name, text in (("moved_forth", "+0.25"), ("moved_back", "-0.25")):
            found = case.redrawn(name)
            if found is None or not cures_more(case, name, "unmoved"):
                continue
            seen = f" ({len(on_edge):,} of {len(reads):,} recorded reads lie on a border)" if reads else ""
            yield Hypothesis(
                self.cause,
                f"with every sampled coordinate moved by {text} texels{seen}",
                "Sample texel centres: (number + 0.5) / size.",
                {},
                values=found[0],
                covers=found[1],
                is_cure=True,
                order=2,
                line=lines.read(case.evidence.plan.textures[on_edge[0].key].tensor if on_edge else None),
                weight=1.0 if on_edge or not reads else 1.4,
                observed=bool(on_edge),
            )
