"""The least time of a pass, from work and peaks that can be checked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pure.models import saved_conv_and_relu
from texelscope import pipeline
from texelscope.pipeline.roofline.peaks import FillRates, Peaks, Rates
from texelscope.pipeline.roofline.work import Limit, OutputTexels, PassWork, limit_of, operations, work_of

RATES = Rates(100.0, 8.0, 1.0, FillRates(2.0, 0.5, 4.0, 1.0))
PEAKS = Peaks(RATES, Rates(1000.0, 80.0, 10.0, FillRates(20.0, 5.0, 40.0, 10.0)))


def test_work_is_a_product_and_a_sum_for_each_weight_of_an_element(tmp_path: Path) -> None:
    plan = pipeline.plan_of(saved_conv_and_relu(tmp_path), layout="channel_tiles")
    conv, act = plan.passes
    assert operations(plan, conv) == 2 * (4 * 6 * 6) * (3 * 3 * 3)
    assert operations(plan, act) is None  # it moves bytes
    # channel_tiles: x 16x16, y 12x12; filter_tiles: 2x2 filters of 6x6.
    work = work_of(plan, conv)
    assert (work.read_bytes, work.write_bytes, work.elements) == (4 * (16 * 16 + 12 * 12), 4 * 12 * 12, 4 * 6 * 6)
    assert work.written == (OutputTexels(12 * 12, 1, "float32"),)
    assert work_of(plan, act).bytes == 4 * (12 * 12 * 2)


def work(operations: int | None, read_bytes: int, *written: OutputTexels) -> PassWork:
    return PassWork(operations, 1, read_bytes, 0, written)


def test_arithmetic_reads_and_writes_go_on_at_the_same_time_so_the_slowest_is_the_limit() -> None:
    texels = OutputTexels(1_000_000, 4, "float32")
    assert limit_of(work(10**9, 16_000_000, texels), PEAKS) == Limit(10.0, 1.0, 2.0)
    assert (Limit(10.0, 1.0, 2.0).ms, Limit(10.0, 1.0, 2.0).by) == (10.0, "compute")
    assert (Limit(0.1, 1.0, 2.0).ms, Limit(0.1, 1.0, 2.0).by) == (2.0, "writes")
    assert (Limit(None, 1.0, 0.5).ms, Limit(None, 1.0, 0.5).by) == (1.0, "reads")


def test_compute_passes_have_the_peak_of_compute_where_there_is_one() -> None:
    much = work(10**9, 0)
    assert limit_of(much, PEAKS, in_compute=True).compute_ms == pytest.approx(1.0)
    assert limit_of(much, Peaks(RATES), in_compute=True).compute_ms == pytest.approx(10.0)
    moving = work(None, 16_000_000, OutputTexels(1_000_000, 4, "float32"))
    in_compute = limit_of(moving, PEAKS, in_compute=True)
    assert in_compute.read_ms == pytest.approx(0.1)
    assert in_compute.write_ms == pytest.approx(0.2)


def test_textures_give_what_memory_or_caches_give_whichever_is_faster() -> None:
    assert RATES.texture_gbytes == 16.0  # a Gtexel/s of four floats
    assert Rates(1.0, 20.0, 1.0, RATES.fill).texture_gbytes == 20.0


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        (OutputTexels(10**6, 1, "float32"), 0.5),
        (OutputTexels(10**6, 4, "float32"), 2.0),
        (OutputTexels(10**6, 1, "float16"), 0.25),
        (OutputTexels(10**6, 4, "float16"), 1.0),
        (OutputTexels(10**6, 4, "uint8"), 1.0),
    ],
)
def test_what_is_written_costs_by_its_format(written: OutputTexels, ms: float) -> None:
    assert limit_of(work(None, 0, written), PEAKS).write_ms == pytest.approx(ms)
