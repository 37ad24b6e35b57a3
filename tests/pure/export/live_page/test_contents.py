"""The data of a page: what wrong passes need stays exact longest, and every rounding and gap is told."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.models import array, model, node, value
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.errors import CancelledError
from texelscope.pipeline.export.live_page.contents import PageSubject, contents, in_script
from texelscope.pipeline.plan import Tolerance

SHAPE = (1, 4, 32, 32)


@pytest.fixture(scope="module")
def subject() -> PageSubject:
    """Three passes in a row, the last of which is wrong."""
    nodes = [node("Relu", "x", "a", "first"), node("Abs", "a", "b", "second"), node("Neg", "b", "y", "third")]
    plan = pipeline.plan_of(model(nodes, [value("x", SHAPE)], [value("y", SHAPE)]), layout="channel_tiles")
    x = np.abs(array(*SHAPE))
    y = -x
    y[0, 3, 2, 1] = 7.0
    capture = Capture("t", DeviceInfo("d", "4.5"), {"x": x, "a": x, "b": x, "y": y}, {}, {})
    comparer = Comparer(plan)
    return PageSubject(comparer.compare(capture), plan, capture, comparer.isolated_values())


def bits(subject: PageSubject, most_bytes: int) -> dict[str, int | None]:
    """Returns by tensor how many bits its values keep; None for one that is left out."""
    return {each["name"]: each.get("bits") for each in contents(subject, most_bytes)["textures"]}


def size(subject: PageSubject, most_bytes: int) -> int:
    return len(in_script(contents(subject, most_bytes)))


def test_with_room_every_value_is_exact(subject: PageSubject) -> None:
    assert bits(subject, 10**7) == {"y": 23, "b": 23, "a": 23, "x": 23}


def test_with_less_room_the_wrong_pass_and_its_inputs_stay_exact_and_others_are_rounded(subject: PageSubject) -> None:
    whole = size(subject, 10**7)
    kept = bits(subject, int(0.85 * whole))
    assert (kept["y"], kept["b"]) == (23, 23)
    assert None not in kept.values()
    assert min(kept["a"] or 0, kept["x"] or 0) < 23


def test_with_little_room_others_are_left_out_and_say_so(subject: PageSubject) -> None:
    data = contents(subject, 20_000)
    left_out = [each for each in data["textures"] if "actual" not in each]
    assert left_out
    assert {each["missing"] for each in left_out} == {"Its values are left out: the page would be too large."}
    assert len(in_script(data)) < 26_000


def test_a_tolerance_replaces_the_bound(subject: PageSubject) -> None:
    wide = PageSubject(
        subject.report, subject.plan, subject.capture, subject.expected, tolerances={"third": Tolerance(0.0, 0.5)}
    )
    first, second = (contents(each)["textures"][0] for each in (subject, wide))
    assert first["bound"] != second["bound"]
    assert first["actual"] == second["actual"]


def test_every_pass_names_its_textures_by_number_and_its_worst_texel(subject: PageSubject) -> None:
    data = contents(subject)
    names = [each["name"] for each in data["textures"]]
    assert [names[each["output"]] for each in data["passes"]] == ["a", "b", "y"]
    assert [[names[number] for number in each["inputs"]] for each in data["passes"]] == [["x"], ["a"], ["b"]]
    assert [each["worst"] for each in data["passes"]] == [None, None, [33, 34, 0]]


def test_making_it_tells_how_far_it_is_and_can_be_cancelled(subject: PageSubject) -> None:
    told: list[float] = []
    contents(subject, progress=told.append)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)

    def cancel(_share: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        contents(subject, progress=cancel)


def test_nothing_in_it_ends_a_script_element() -> None:
    assert "<" not in in_script({"text": "</script><!--<script>"})
