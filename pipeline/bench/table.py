"""What `bench` shows in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.layouts.outside_text import in_cell
from texelscope.pipeline.bench.figures import Benchmark, FirstResults, PassTime, WayTimes
from texelscope.pipeline.roofline.peaks import Peaks

_MIB = float(1 << 20)


def render(found: Benchmark) -> str:
    """A row a pass, a row a way of running them, then the first result and what the device can do at most."""
    passes = _table(
        ("pass", "operator", "GPU ms", "limit ms", "of limit", "by", "GFLOP/s", "GB/s"),
        [_pass_row(each) for each in found.passes],
        left={0, 1, 5},
    )
    ways = _table(
        (
            "layout",
            "backend",
            "passes",
            "run ms",
            "submit ms",
            "GPU ms",
            "ratio",
            "MiB",
            "MiB alive",
            "held/alive",
            "MiB weights",
            "runs",
        ),
        [_way_row(each) for each in found.ways],
        left={0, 1, 2},
    )
    return "\n".join(
        [
            *passes,
            "",
            *ways,
            "",
            f"{in_cell(found.target)} on {found.device.renderer}, {found.device.version}",
            _first(found.first_ms, found.first),
            f"a run takes {found.frame_ms:.2f} ms (median of {found.ways[0].runs})",
            *_peaks(found.peak),
        ]
    )


def _pass_row(each: PassTime) -> tuple[str, ...]:
    took = each.gpu_ms
    return (
        in_cell(each.name),
        in_cell(each.operator),
        f"{took:.3f}" if took is not None else "",
        f"{each.limit_ms:.3f}",
        f"{each.limit_ms / took:.1%}" if took else "",
        each.limited_by,
        f"{each.gflops:.2f}" if each.gflops is not None else "",
        f"{each.gbytes:.2f}" if each.gbytes is not None else "",
    )


def _way_row(each: WayTimes) -> tuple[str, ...]:
    return (
        in_cell(each.way.layout),
        each.way.backend,
        "fused" if each.way.fused else "unfused",
        f"{each.frame_ms:.2f}",
        f"{each.submit_ms:.2f}",
        f"{each.gpu_ms:.2f}" if each.gpu_ms is not None else "",
        f"{each.ratio:.2f}",
        f"{each.texture_bytes / _MIB:.1f}",
        f"{each.alive_bytes / _MIB:.1f}",
        f"{each.memory_ratio:.2f}",
        f"{each.weight_bytes / _MIB:.1f}",
        str(each.runs),
    )


def _first(first_ms: float, first: FirstResults | None) -> str:
    here = f"first result {first_ms:.0f} ms after the start"
    if first is None:
        return here
    kept = f"{first.cached_bytes / _MIB:.1f} MiB kept" if first.cached_bytes else "this driver keeps no shaders"
    return (
        f"{here}; read back with empty caches {first.cold_ms:.0f} ms, with filled ones {first.warm_ms:.0f} ms ({kept})"
    )


def _peaks(peak: Peaks) -> list[str]:
    """A row for fragments and one for compute."""
    stages = (("fragment", peak.fragment), ("compute", peak.compute))
    rows = [
        (
            name,
            f"{rates.gflops:.1f}",
            f"{rates.read_gbytes:.1f}",
            f"{rates.fetch_gtexels:.2f}",
            *(f"{each:.2f}" for each in (rates.fill.r32f, rates.fill.rgba32f, rates.fill.r16f, rates.fill.rgba16f)),
        )
        for name, rates in stages
        if rates is not None
    ]
    heads = ("measured peaks", "GFLOP/s", "GB/s memory", "Gtexel/s caches", "fill r32f", "rgba32f", "r16f", "rgba16f")
    return _table(heads, rows, left={0})


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Lines of columns two spaces apart; those of `left` begin together, the others end together."""
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    return [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    ]
