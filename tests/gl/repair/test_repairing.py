"""A repair is a diff under which the pass was right, on other inputs too; the session is as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import moderngl
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import convolutions, dispatches, elements
from tests.faults.subjects import Subject
from tests.gl.diagnose.small_pipeline import small_pipeline
from tests.pure.models import model, node, value
from tests.work_clock import WorkClock
from texelscope import pipeline
from texelscope.pipeline.repair.harness.harness import Harness
from texelscope.pipeline.repair.model_numbers import sizes_of
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram
from texelscope.pipeline.repair.programs.ordering import SearchHints, programs
from texelscope.pipeline.repair.repairing import Repairing

# Of the clock that counts work: more than any of these searches takes, which says how much it does instead.
SECONDS = 50.0


def repairing(gl: moderngl.Context, subject: Callable[[], Subject], old: str, new: str) -> Repairing:
    """Returns the search behind a line written otherwise, done."""
    planted = Fault("planted here", "", subject, (Edit(old, new),)).plant(gl)
    with planted.session as session:
        before = session.tensor(planted.name)
        found = Repairing(session, planted.name, SearchHints())
        found.run()
        assert np.array_equal(session.tensor(planted.name), before)
    return found


def test_a_line_written_otherwise_comes_back_as_a_diff(gl: moderngl.Context, work: WorkClock) -> None:
    found = repairing(gl, convolutions.conv_relu_fetch, "i < u_x_shape.y; ++i", "i < u_x_shape.y - 1; ++i")
    repair = found.repairs[0]
    assert (repair.line, found.made) == (48, (repair.file, 48))
    written = {(each.edits[0].after or "").strip() for each in found.repairs}
    assert {f"for (int i = 0; i {bound}; ++i) {{" for bound in ("< u_x_shape.y", "<= u_x_shape.y - 1")} <= written
    assert f"+++ b/{repair.file}\n" in repair.diff
    assert repair.inputs_tried == 4
    assert found.progress == 1.0
    assert work.programs <= 30
    assert work.draws <= 2000


def test_two_faults_in_one_pass_are_mended_together(gl: moderngl.Context, work: WorkClock) -> None:
    bugs = Edit("(x - mean)", "(x + mean)"), Edit("scaled + texelFetch(u_shift", "scaled - texelFetch(u_shift")
    planted = Fault("planted here", "", elements.batchnorm_tiles, bugs).plant(gl)
    with planted.session as session:
        repairs = Repairing(session, planted.name, SearchHints(), SECONDS).run()
    assert {edit.line for edit in repairs[0].edits} == {line for _, line in planted.changed}
    assert work.programs <= 40


@dataclass(frozen=True)
class Half:
    """One cause, under which the first output is half of what it is."""

    actual: NDArray[np.float32]

    def values_at(self, elements: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yields values at some elements."""
        yield 0, 0.5 * self.actual.reshape(-1)[elements].astype(np.float64)

    def whole(self, number: int) -> NDArray[np.float64] | None:
        """Returns all of them."""
        return 0.5 * self.actual.reshape(-1).astype(np.float64)


@pytest.mark.usefixtures("compute")
def test_a_cause_that_may_be_left_does_not_end_the_search(gl: moderngl.Context) -> None:
    """An edit that leaves it by chance may have been tried before the one that fixes the pass."""
    bug = Edit("y[at] = max(value, 0.0)", "y[at] = value * 1.0")
    planted = Fault("planted here", "", dispatches.relu_plain, (bug,)).plant(gl)
    with planted.session as session:
        search = Repairing(session, planted.name, SearchHints(partners=Half(session.tensor(planted.name))), SECONDS)
        repairs = search.run()
    assert search.partnered is not None
    assert "max(" in (repairs[0].edits[0].after or "")


@pytest.mark.usefixtures("compute")
def test_two_faults_are_mended_of_which_one_hides_the_other(gl: moderngl.Context) -> None:
    """Nothing is above the bound before the first is fixed, so that the second edit changes nothing alone."""
    bugs = Edit("max(value, 0.0)", "max(value, 0.5)"), Edit("float value = x[at]", "float value = -abs(x[at])")
    planted = Fault("planted here", "", dispatches.relu_plain, bugs).plant(gl)
    with planted.session as session:
        repairs = Repairing(session, planted.name, SearchHints(), SECONDS).run()
    assert {edit.line for edit in repairs[0].edits} == {line for _, line in planted.changed}


@pytest.mark.usefixtures("compute")
def test_a_compute_pass_is_mended_as_well(gl: moderngl.Context) -> None:
    found = repairing(gl, dispatches.relu_plain, "max(value, 0.0)", "min(value, 0.0)")
    assert found.repairs[0].edits[0].after == "    y[at] = max(value, 0.0);"


@pytest.mark.usefixtures("compute")
def test_one_that_shares_memory_too_and_an_index_that_leaves_it_mends_nothing(gl: moderngl.Context) -> None:
    """From 64 on `own + left` is beyond the array, where a driver may have zeros."""
    found = repairing(gl, dispatches.mean_shared, "int left = 32;", "int left = 16;")
    new = {(each.after or "").strip() for repair in found.repairs for each in repair.edits}
    assert "for (int left = 32; left > 0; left /= 2) {" in new
    assert not any("left = 64" in each for each in new)


@pytest.mark.usefixtures("compute")
def test_two_faults_that_are_known_are_mended_one_by_one(gl: moderngl.Context) -> None:
    """Each edit is seen by what the other fault alone makes of the inputs."""
    bugs = Edit("max(value, 0.0)", "min(value, 0.0)"), Edit("float value = x[at]", "float value = 2.0 * x[at]")
    planted = Fault("planted here", "", dispatches.relu_plain, bugs).plant(gl)
    with planted.session as session:
        x = session.tensor(session.plan.inputs[0]).reshape(-1)
        search = Repairing(
            session,
            planted.name,
            SearchHints(single_fault_outputs=(2.0 * np.maximum(x, 0.0), np.minimum(x, 0.0))),
            SECONDS,
        )
        repairs = search.run()
    assert {edit.line for edit in repairs[0].edits} == {line for _, line in planted.changed}


def test_no_edit_is_tried_that_a_driver_does_not_take(gl: moderngl.Context) -> None:
    assert_every_edit_compiles(gl, elements.batchnorm_tiles)


@pytest.mark.usefixtures("compute")
@pytest.mark.parametrize("subject", [dispatches.relu_plain, dispatches.mean_shared])
def test_no_edit_of_a_dispatch_is_tried_that_a_driver_does_not_take(
    gl: moderngl.Context, subject: Callable[[], Subject]
) -> None:
    assert_every_edit_compiles(gl, subject)


def assert_every_edit_compiles(gl: moderngl.Context, subject: Callable[[], Subject]) -> None:
    """Of a program that it refuses every half is compiled, down to the one edit: that takes seconds."""
    planted = Fault("nothing is planted", "", subject, ()).plant(gl)
    with planted.session as session:
        each = session.plan.pass_called(planted.name)
        harness = Harness(session, each)
        text = MutableProgram(harness.program)
        for _, some in programs(text.edits((0.5, 3.0), sizes_of(session.plan, each)), ()):
            harness.variant(text.schemata(some).program.fragment).release()
        harness.release()


# A sample with its channels backwards, less half of the other sample. Sample and channel are both read twice, so that
# no other line makes up for what the two are taken for.
TILES = """#version 330 core
uniform sampler2D t_X;
out float Y;
ivec2 texel_of(int tile, ivec2 at) { return ivec2(tile % 3, tile / 3) * 8 + at; }
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int tile = (p.y / 8) * 3 + p.x / 8;
  int n = tile / 4;
  int o = tile % 4;
  float backwards = texelFetch(t_X, texel_of(n * 4 + 3 - o, p % 8), 0).r;
  float other = texelFetch(t_X, texel_of((1 - n) * 4 + o, p % 8), 0).r;
  Y = max(backwards - 0.5 * other, 0.0);
}
"""
SLIP = (("int n = tile / 4;", "int n = tile % 4;"), ("int o = tile % 4;", "int o = tile / 4;"))


def lines_mended(gl: moderngl.Context, folder: Path, *bugs: tuple[str, str]) -> list[str]:
    """What the first repair writes where `bugs`, each a line and another in its place, are in the shader `TILES`."""
    constants = {"channels": np.array([3, 2, 1, 0]), "samples": np.array([1, 0]), "half": np.full(1, 0.5, np.float32)}
    nodes = [
        node("Gather", "x channels", "backwards", axis=1),
        node("Gather", "x samples", "other", axis=0),
        node("Mul", "other half", "m"),
        node("Sub", "backwards m", "s"),
        node("Relu", "s", "y"),
    ]
    shape = (2, 4, 8, 8)
    made = model(nodes, [value("x", shape)], [value("y", shape)], weights=constants)
    text = TILES
    for right, wrong in bugs:
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    passes = '[[pass]]\nname = "y"\nshader = "y.frag"\noutput = { {tensor} }\ntextures.t_X = "x"\n'
    path = small_pipeline(folder, made, {"y.frag": text}, "channel_tiles", passes)
    path.write_text(path.read_text(encoding="utf-8").replace("[1, 3, 8, 8]", str([*shape])), encoding="utf-8")
    with pipeline.open(path, context=gl) as session:
        session.run()
        repairs = Repairing(session, "y", SearchHints(), SECONDS).run()
    return [(edit.after or "").strip() for edit in repairs[0].edits]


def test_a_slip_of_two_places_is_mended_at_both(gl: moderngl.Context, tmp_path: Path, work: WorkClock) -> None:
    """Neither line alone makes anything right."""
    assert lines_mended(gl, tmp_path, *SLIP) == [right for right, _ in SLIP]
    assert work.programs <= 64


def test_a_slip_of_two_places_is_mended_beside_another_fault(
    gl: moderngl.Context, tmp_path: Path, work: WorkClock
) -> None:
    """Of three lines two are wrong together, and neither of these helps alone."""
    lines = lines_mended(gl, tmp_path, *SLIP, ("other, 0.0)", "other, 0.5)"))
    assert lines[:2] == [right for right, _ in SLIP]
    assert lines[2].startswith("Y = ")
    assert work.programs <= 130


def test_a_summand_behind_an_activation_is_put_before_it(gl: moderngl.Context) -> None:
    shift = "texelFetch(u_shift, c, 0).r"
    bugs = (
        Edit(f"scaled + {shift}", "scaled"),
        Edit(
            "y = shifted < 0.0 ? shifted * u_slope : shifted;",
            f"y = (shifted < 0.0 ? shifted * u_slope : shifted) + {shift};",
        ),
    )
    planted = Fault("planted here", "", elements.batchnorm_tiles, bugs).plant(gl)
    with planted.session as session:
        repairs = Repairing(session, planted.name, SearchHints(), SECONDS).run()
    after = {tuple((edit.after or "").strip() for edit in repair.edits) for repair in repairs}
    assert (f"float shifted = scaled + {shift};", "y = shifted < 0.0 ? shifted * u_slope : shifted;") in after


@pytest.mark.usefixtures("compute")
def test_fewer_work_groups_make_a_part_of_what_all_of_them_make(gl: moderngl.Context) -> None:
    planted = Fault("nothing is planted", "", dispatches.relu_plain, ()).plant(gl)
    with planted.session as session:
        harness = Harness(session, session.plan.pass_called(planted.name))
        variant = harness.variant(harness.program.fragment)
        key, area = harness.shader_pass.output, {harness.shader_pass.output: (0, 0, 0, 0)}
        every, few = (variant.run({}, area, groups)[key] for groups in (None, (1, 1, 1)))
        variant.release()
        harness.release()
    made = few != 0.0
    assert harness.is_of_groups
    assert 0 < made.sum() <= 64 < (every != 0.0).sum()
    assert np.array_equal(few[made], every[made])


COMMON = "float scaled(float v, float by) { return v * by; }\n"
FIRST = """#version 330
#include "common.glsl"
uniform sampler2D t_x;
out vec4 Y;
void main() { Y = texelFetch(t_x, ivec2(gl_FragCoord.xy), 0); Y.x = scaled(Y.x, 2.0); }
"""
TWO_PASSES = """
[[pass]]
name = "h"
shader = "first.frag"
textures.t_x = "x"
output = { {tensor} }
[[pass]]
name = "y"
shader = "second.frag"
textures.t_x = "h"
output = { {tensor} }
"""


def test_a_file_that_another_pass_holds_is_not_mended_at_its_cost(gl: moderngl.Context, tmp_path: Path) -> None:
    """A factor of 3 is missing: in the function that both call, all of `h` would be wrong then."""
    nodes = [node("Mul", "x two", "h"), node("Mul", "h three", "y")]
    constants = {"two": np.float32(2.0).reshape(1), "three": np.float32(3.0).reshape(1)}
    shape = (1, 3, 8, 8)
    made = model(nodes, [value("x", shape)], [value("y", shape)], weights=constants)
    second = FIRST.replace("scaled(Y.x, 2.0)", "scaled(Y.x, 1.0)")
    shaders = {"common.glsl": COMMON, "first.frag": FIRST, "second.frag": second}
    path = small_pipeline(tmp_path, made, shaders, "channel_tiles", TWO_PASSES)
    with pipeline.open(path, context=gl, trust=True) as session:
        session.run()
        assert [each.verdict for each in session.compare(findings=False).passes] == ["match", "mismatch"]
        repairs = Repairing(session, "y", SearchHints(numbers=(3.0,))).run()
    assert repairs
    assert {edit.file for repair in repairs for edit in repair.edits} == {"second.frag"}


def test_a_pass_written_for_what_comes_to_it_is_mended_on_such_inputs(gl: moderngl.Context, tmp_path: Path) -> None:
    mask = np.zeros((1, 1, 8, 8), np.float32)
    mask[:, :, :4] = 1.0
    made = model(
        [node("Mul", "x mask", "m"), node("ReduceSum", "m axes", "y")],
        [value("x")],
        [value("y", (1, 3, 1, 8))],
        weights={"mask": mask, "axes": np.array([2])},
    )
    head = "#version 330 core\nuniform sampler2D t_X;\nout float Y;\nvoid main() {\n"
    upper = head + "  ivec2 p = ivec2(gl_FragCoord.xy);\n  Y = p.y % 8 < 4 ? texelFetch(t_X, p, 0).r : 0.0;\n}\n"
    # The lower rows are zero, and are not read; the fourth one should be.
    summed = head + "  ivec2 p = ivec2(gl_FragCoord.xy);\n  p.y *= 8;\n  Y = texelFetch(t_X, p, 0).r;\n"
    summed += "".join(f"  Y += texelFetch(t_X, p + ivec2(0, {row}), 0).r;\n" for row in (1, 2, 2)) + "}\n"
    passes = (
        '[[pass]]\nname = "m"\nshader = "m.frag"\noutput = { {tensor} }\ntextures.t_X = "x"\n'
        '[[pass]]\nname = "y"\nshader = "y.frag"\ntextures.t_X = "m"\n'
        'output = { shape = [1, 3, 1, 8], layout = "channel_tiles" }\n'
    )
    path = small_pipeline(tmp_path, made, {"m.frag": upper, "y.frag": summed}, "channel_tiles", passes)
    with pipeline.open(path, context=gl) as session:
        session.run()
        repair = Repairing(session, "y", SearchHints()).run()[0]
    assert repair.edits[0].after == "  Y += texelFetch(t_X, p + ivec2(0, 3), 0).r;"
    assert repair.inputs_tried == 4


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("2.34 * v + 0.59", "2.43 * v + 0.59"), ("(v + 0.59) / 2.43", None)],
)
def test_a_number_that_nobody_has_at_hand_is_solved_for(
    wrong: str, right: str | None, gl: moderngl.Context, tmp_path: Path
) -> None:
    slope, summand = (2.43, 0.59) if right is not None else (0.37, 0.59 * 0.37)
    made = model(
        [node("Mul", "x a", "m"), node("Add", "m b", "s"), node("Tanh", "s", "y")],
        [value("x")],
        [value("y")],
        weights={"a": np.full(1, slope, np.float32), "b": np.full(1, summand, np.float32)},
    )
    shader = "#version 330 core\nuniform sampler2D t_X;\nout float Y;\nvoid main() {\n"
    shader += f"  float v = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0).r;\n  Y = tanh({wrong});\n}}\n"
    passes = '[[pass]]\nname = "y"\nshader = "y.frag"\noutput = { {tensor} }\ntextures.t_X = "x"\n'
    path = small_pipeline(tmp_path, made, {"y.frag": shader}, "channel_tiles", passes)
    with pipeline.open(path, context=gl) as session:
        session.run()
        search = Repairing(session, "y", SearchHints())
        repair = search.run()[0]
    assert repair.inputs_tried == 4
    if right is not None:
        assert repair.edits[0].after == f"  Y = tanh({right});"
    else:
        assert "0.37" in (repair.edits[0].after or "") or "2.7" in (repair.edits[0].after or "")


def test_what_mends_the_other_passes_of_the_same_file_comes_first(gl: moderngl.Context, tmp_path: Path) -> None:
    made = model(
        [node("Mul", "x two", "a"), node("Mul", "x three", "b")],
        [value("x")],
        [value("a"), value("b")],
        weights={"two": np.full(1, 2.0, np.float32), "three": np.full(1, 3.0, np.float32)},
    )
    shader = "#version 330 core\nuniform sampler2D t_X;\nuniform float u_by;\nout float Y;\nvoid main() {\n"
    shader += "  Y = 1.0 * texelFetch(t_X, ivec2(gl_FragCoord.xy), 0).r * (u_by - 1.0);\n}\n"
    one = '[[pass]]\nname = "NAME"\nshader = "by.frag"\noutput = { {tensor} }\ntextures.t_X = "x"\nuniforms.u_by = BY\n'
    passes = one.replace("NAME", "a").replace("BY", "2.0") + one.replace("NAME", "b").replace("BY", "3.0")
    path = small_pipeline(tmp_path, made, {"by.frag": shader}, "channel_tiles", passes)
    with pipeline.open(path, context=gl) as session:
        session.run()
        repairs = Repairing(session, "a", SearchHints()).run()
    found = [repair.edits[0].after or "" for repair in repairs]
    # The other number is shorter to write, and fixes this pass alone.
    assert "uniforms.u_by = 3.0" in found[1:]
    assert found[0].endswith("* (u_by);")
