"""Pages that draw with WebGL, recorded in a browser: draws run here unchanged, match, and a wrong edit is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.browser.chromium import Chromium
from tests.checkout import ROOT
from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.errors import TexelscopeError

RECORDER = ROOT / "examples" / "webgl" / "recorder.js"
PAGES = Path(__file__).parent / "webgl_pages"
TWO_LAYERS, KINDS = PAGES / "two_layers.js", PAGES / "kinds_of_draws.js"
# Kinds of draws that are no pass, with the reason.
REFUSED = {
    "scissor": "it uses scissor",
    "blend": "it uses blend",
    "discarded": "it leaves 4 texels of its target as they were",
    "half_viewport": "it leaves 8 texels of its target as they were",
    "instances": "it uses instances",
    "to_integers": "it writes whole numbers (RGBA32I)",
    "slices": "'x' reads a sampler of another kind than 2D",
}


def page_of(folder: Path, *scripts: Path) -> Path:
    """Returns a page of those scripts, the recorder first."""
    folder.mkdir(exist_ok=True)
    names = []
    for script in (RECORDER, *scripts):
        shutil.copyfile(script, folder / script.name)
        names.append(f"<script src='{script.name}'></script>")
    page = folder / "page.html"
    page.write_text("<!DOCTYPE html><meta charset='utf-8'><body></body>" + "".join(names), encoding="utf-8")
    return page


def recorded(chromium: Chromium, page: Path, name: str, run: str) -> Path:
    """Returns the archive that the page lets one download; `run` has a `recorder` of every later context."""
    chromium.open(page)
    chromium.evaluate(
        f"(async () => {{ const recorder = recordWebGL(); {run} await recorder.save('{name}.webgl.zip'); }})()"
    )
    return chromium.downloaded(f"{name}.webgl.zip")


def compared(target: Path) -> Report:
    """Returns the report of a recording."""
    with pipeline.open(target) as session:
        session.run()
        return session.compare()


@pytest.mark.parametrize("version", [1, 2])
def test_two_layers_of_a_hand_written_page_match_in_both_versions(
    chromium: Chromium, tmp_path: Path, version: int
) -> None:
    run = f"const page = twoLayers({version}); page.run(); window.glError = page.error();"
    archive = recorded(chromium, page_of(tmp_path / "page", TWO_LAYERS), f"two_layers_{version}", run)
    assert chromium.evaluate("window.glError") == 0
    plan = pipeline.plan_of(archive)
    assert not plan.warnings
    assert plan.passes[1].uniforms == {"gain": (2, 0.5, -1, 3), "bias": (1, 0, 0.25, -2)}
    assert [(each.name, each.verdict) for each in compared(archive).passes] == [("draw0", "match"), ("draw1", "match")]
    shutil.unpack_archive(archive, tmp_path / "edited", "zip")
    box = tmp_path / "edited" / "programs" / "000.frag"
    box.write_text(box.read_text().replace("dx = -1; dx <= 1", "dx = -1; dx <= 0"))
    assert compared(tmp_path / "edited").culprit == "draw0"


def test_a_context_and_textures_that_were_there_before_are_recorded_with_their_sizes(
    chromium: Chromium, tmp_path: Path
) -> None:
    chromium.open(page_of(tmp_path / "page", TWO_LAYERS))
    chromium.evaluate(
        "(async () => { const page = twoLayers(2, false), recorder = recordWebGL(page.gl); page.run();"
        " await recorder.save('later.webgl.zip'); })()"
    )
    archive = chromium.downloaded("later.webgl.zip")
    shutil.unpack_archive(archive, tmp_path / "files", "zip")
    about = json.loads((tmp_path / "files" / "draws.json").read_text())
    assert [(each["width"], each["height"], each["type"]) for each in about["textures"]] == [(7, 5, "float32")] * 3
    assert [each.verdict for each in compared(archive).passes] == ["match", "match"]


def test_what_cannot_be_recorded_is_said_in_one_line_each(chromium: Chromium, tmp_path: Path) -> None:
    page = page_of(tmp_path / "page", TWO_LAYERS)
    chromium.open(page)
    notes = "(async () => { const recorder = recordWebGL(undefined, { mostBytes: 2000 }); const page = twoLayers(2);"
    cut_short = chromium.evaluate(
        f"{notes} page.run(); page.run(); await recorder.archive(); return recorder.notes; }})()"
    )
    assert cut_short == [
        "The recording is cut short after draw 1: it holds 2000 bytes. Allow more with mostBytes."
    ]  # fmt: skip
    chromium.open(page)
    lost = chromium.evaluate(
        "(async () => { const recorder = recordWebGL(), page = twoLayers(2); page.run();"
        " page.gl.getExtension('WEBGL_lose_context').loseContext(); page.run();"
        " await recorder.archive(); return recorder.notes; })()"
    )
    assert lost == ["Context 0 was lost after draw 2: the recording of it ends there."]
    chromium.open(page)
    late = chromium.evaluate(
        "(async () => { const page = twoLayers(2), recorder = recordWebGL(page.gl.canvas); page.run();"
        " await recorder.archive(); return recorder.notes; })()"
    )
    assert late == [f"Program {i} has no text any more: it was linked before the recording began." for i in (0, 1)]
    chromium.open(page)
    unread = chromium.evaluate(
        """(async () => {
            const recorder = recordWebGL(), page = twoLayers(2), { gl } = page;
            const depth = gl.createTexture();
            gl.bindTexture(gl.TEXTURE_2D, depth);
            gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGB9_E5, 4, 4);
            const own = gl.bindTexture.bind(gl);
            page.run();
            own(gl.TEXTURE_2D, depth);
            gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
            await recorder.archive();
            return recorder.notes;
        })()"""
    )
    assert unread == [
        "Texture 3 (4x4, 0x8c3d) could not be read back: draws that use it keep what they wrote."
    ]  # fmt: skip


def test_a_page_without_draws_says_so_when_it_is_opened(chromium: Chromium, tmp_path: Path) -> None:
    archive = recorded(chromium, page_of(tmp_path / "page", TWO_LAYERS), "empty", "twoLayers(2);")
    with pytest.raises(TexelscopeError, match="expected 1 to 10000 draws, got 0; Nothing was drawn while"):
        pipeline.plan_of(archive)


def test_the_pages_own_errors_and_state_stay_its_own(chromium: Chromium, tmp_path: Path) -> None:
    chromium.open(page_of(tmp_path / "page", TWO_LAYERS))
    state = """(() => {
        const page = twoLayers(2), { gl } = page, names = [
            'ACTIVE_TEXTURE', 'CURRENT_PROGRAM', 'TEXTURE_BINDING_2D', 'FRAMEBUFFER_BINDING', 'VIEWPORT',
            'READ_FRAMEBUFFER_BINDING', 'PACK_ALIGNMENT', 'PIXEL_PACK_BUFFER_BINDING', 'COLOR_CLEAR_VALUE',
            'COPY_READ_BUFFER_BINDING'];
        gl.clearColor(0.125, 0, 0, 1);
        gl.pixelStorei(gl.PACK_ALIGNMENT, 2);
        gl.bindBuffer(gl.PIXEL_PACK_BUFFER, gl.createBuffer());
        page.run();
        gl.enable(0x1234);
        page.run();
        const held = names.map((name) => String(gl.getParameter(gl[name])?.toString()));
        return JSON.stringify([held, gl.getError(), gl.getError()]);
    })()"""
    plain = chromium.evaluate(state)
    assert chromium.evaluate(f"recordWebGL() && {state}") == plain
    assert json.loads(plain)[1:] == [0x0500, 0]


@pytest.mark.parametrize("version", [1, 2])
def test_every_kind_of_draw_matches_or_has_its_reason(chromium: Chromium, tmp_path: Path, version: int) -> None:
    run = f"window.drawn = drawKinds({version}); window.notes = recorder.notes;"
    archive = recorded(chromium, page_of(tmp_path / "page", KINDS), f"kinds_{version}", run)
    kinds, error = chromium.evaluate("window.drawn")
    assert (error, chromium.evaluate("window.notes")) == (0, [])
    names = {f"draw{i:02d}": kind for i, kind in enumerate(kinds)}
    plan = pipeline.plan_of(archive)
    assert {names[each.name] for each in plan.passes} == set(kinds) - set(REFUSED)
    said = {names[name]: line for line in plan.warnings for name in names if line.startswith(name)}
    assert {kind: line.partition("as recorded: ")[2] for kind, line in said.items()} == {
        kind: f"{reason}." for kind, reason in REFUSED.items() if kind in kinds
    }
    wrong = {names[each.name]: each.verdict for each in compared(archive).passes if each.verdict != "match"}
    assert wrong in ({}, {"halves": "precision"})  # drivers round to halves, or cut off
