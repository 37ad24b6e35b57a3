"""An editor's day with the language server: marks while typing and after a save, repairs, values, names."""

from __future__ import annotations

import asyncio
import shutil
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.checkout import ROOT
from tests.gl.language_server.client import EditorClient, edited

EXAMPLE = ROOT / "examples" / "webgl_cnn"
RIGHT = "vec2 at = position + (offset) * input_texel;"
WRONG = "vec2 at = position + (offset + 1.0) * input_texel;"
# One wrong pass among right ones, so that its line is found soon.
SHADERS = ("down1.frag", "down2.frag", "down3.frag", "up1.frag", "up2.frag", "up3.frag")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example with one bug, in its first pass."""
    work = Path(shutil.copytree(EXAMPLE, tmp_path / "cnn"))
    for each in work.glob("*.toml"):
        if each.name != "broken.toml":
            each.unlink()
    text = (work / "broken.toml").read_text(encoding="utf-8")
    head, first, *_ = text.split("[[pass]]")
    (work / "broken.toml").write_text(f"{head}[[pass]]{first}", encoding="utf-8")
    return work


def session(folder: Path, day: Callable[[EditorClient], Awaitable[None]], *options: str) -> EditorClient:
    """Runs a day with a client; the server ends with 0 and has logged nothing wrong."""

    async def run() -> EditorClient:
        editor = EditorClient(folder)
        await editor.begin(*options)
        try:
            await day(editor)
            assert await editor.end() == 0
        finally:
            await editor.stop()
        return editor

    return asyncio.run(asyncio.wait_for(run(), 280))


def test_a_save_marks_the_line_to_change_and_its_repair_makes_the_pass_right(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        await editor.until(lambda each: each.marks.get("down1.frag"), "the line to change is marked")
        ((line, code, message),) = editor.said()["down1.frag"]
        assert (code, editor.texts["down1.frag"].split("\n")[line - 1].strip()) == ("shift", WRONG)
        assert message.startswith("Pass 'down1': shift by (1, 1) explains 100.0%, sure.")
        assert "broken.toml" not in editor.said()  # it said that the cause was looked for
        action, *_ = await editor.actions("down1.frag", line)
        assert "all 16,384 elements match" in action.title
        assert action.edit is not None
        assert action.edit.changes is not None
        editor.type("down1.frag", edited(editor.texts["down1.frag"], action.edit.changes[editor.uri("down1.frag")]))
        editor.save("down1.frag")
        await editor.until(lambda each: not each.said(), "nothing is wrong any more")

    assert session(folder, day).logged == []


def test_a_compile_error_is_marked_while_it_is_typed_and_goes_with_it(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        text = editor.texts["down1.frag"]
        await editor.until(lambda each: each.marks, "it was compared")
        editor.type("down1.frag", text.replace("vec2 at = position", "vec2 at = positon"))
        await editor.until(lambda each: each.marks.get("down1.frag"), "the error is marked")
        ((line, code, message),) = editor.said()["down1.frag"]
        assert (line, code) == (36, "refused")
        assert "positon" in message
        assert (folder / "down1.frag").read_text(encoding="utf-8") == text
        editor.type("down1.frag", text)
        await editor.until(lambda each: not each.said().get("down1.frag"), "the mark is gone")

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_closing_a_file_unsaved_takes_the_error_typed_there_with_it(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("broken.toml")
        editor.open("down1.frag")
        await editor.until(lambda each: each.marks, "it was compared")
        editor.type("down1.frag", editor.texts["down1.frag"].replace("vec2 at = position", "vec2 at = positon"))
        await editor.until(lambda each: each.marks.get("down1.frag"), "the error is marked")
        editor.close("down1.frag")
        await editor.until(lambda each: not each.said().get("down1.frag"), "the saved text runs")

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_an_error_in_the_pipeline_file_is_marked_on_its_line(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("broken.toml")
        await editor.until(lambda each: each.marks, "it was compared")
        text = editor.texts["broken.toml"]
        editor.type("broken.toml", text.replace('"grid(image)"', '"grid(imge)"'))
        await editor.until(lambda each: any(code == "refused" for _, code, _ in each.said()["broken.toml"]), "marked")
        ((line, message),) = [(line, said) for line, code, said in editor.said()["broken.toml"] if code == "refused"]
        assert "grid(imge)" in editor.texts["broken.toml"].split("\n")[line - 1]
        assert "Did you mean 'image'?" in message
        editor.type("broken.toml", text.replace("[[input]]", "[[input"))
        await editor.until(lambda each: "TOML" in str(each.said().get("broken.toml")), "the brackets are marked")
        assert any(line == 7 for line, _, said in editor.said()["broken.toml"] if "TOML" in said)

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_a_hover_has_the_tensor_of_a_sampler_and_the_values_at_the_picked_texel(folder: Path) -> None:
    text = (
        (folder / "down1.frag").read_text(encoding="utf-8").replace("= 0.5 / u_output_size", "= HALF / u_output_size")
    )
    more = "out vec4 result;\n#define HALF 0.5\nstruct Tap { float weight; };\nfloat of(Tap t) { return t.weight; }"
    (folder / "down1.frag").write_text(text.replace("out vec4 result;", more), encoding="utf-8")

    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        await editor.until(lambda each: each.marks, "it was compared")
        sampler = await editor.hover("down1.frag", "texture(u_fil^ter, weight")
        assert "tensor 'down1.weight' [16, 3, 4, 4] in `filter_tiles`: 32 x 32 texels of float32" in sampler
        assert "sampler2D u_filter" in sampler
        target = str(folder / "broken.toml")
        (listed,) = await editor.command("passes", editor.uri("down1.frag"))
        assert (listed["target"], listed["pass"], listed["verdict"]) == (target, "down1", "mismatch")
        await editor.command("pick", {"target": target, "pass": "down1", "texel": [5, 6]})
        said = await editor.hover("down1.frag", "vec2 of^fset = vec2(p, q)")
        assert "`offset` behind line 38, in 16 runs: vec2(-1.5, -1.5), vec2(-0.5, -1.5)" in said
        assert "texel 5,6 of pass 'down1', element" in said
        assert await editor.hover("down1.frag", "// A layer of the w^ay down") == ""
        assert "#define HALF 0.5" in await editor.hover("down1.frag", "= HA^LF / u_output_size")
        assert "float weight;" in await editor.hover("down1.frag", "t.we^ight;")
        with pytest.raises(JsonRpcException, match=r"pass 'down1': expected a texel of 128 x 128, got 128,0\."):
            await editor.command("pick", {"target": target, "pass": "down1", "texel": [128, 0]})

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_a_definition_leads_through_includes_macros_and_the_pipeline_file(folder: Path) -> None:
    text = (folder / "down1.frag").read_text(encoding="utf-8")
    (folder / "shared.glsl").write_text("#define HALF 0.5\nfloat rectified(float v) { return max(v, 0.0); }\n")
    text = text.replace("out vec4 result;", 'out vec4 result;\n#include "shared.glsl"')
    text = text.replace("vec4(max(sum, 0.0))", "vec4(rectified(sum))").replace(
        "vec2 input_texel = 0.5", "vec2 input_texel = HALF"
    )
    (folder / "down1.frag").write_text(text, encoding="utf-8")

    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        assert await editor.definition("down1.frag", "vec4(recti^fied(sum))") == [("shared.glsl", 2)]
        assert await editor.definition("down1.frag", "= HA^LF / u_output_size") == [("shared.glsl", 1)]
        assert await editor.definition("down1.frag", '#include "sha^red.glsl"') == [("shared.glsl", 1)]
        assert await editor.definition("down1.frag", "texture(u_fil^ter, weight") == [("down1.frag", 11)]
        bound = await editor.definition("down1.frag", "uniform sampler2D u_fil^ter;")
        assert bound == [("broken.toml", 19)]
        editor.open("broken.toml")
        assert await editor.definition("broken.toml", "textures.u_fil^ter =") == [("down1.frag", 11)]
        assert await editor.definition("broken.toml", 'shader = "dow^n1.frag"') == [("down1.frag", 1)]

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_a_renaming_keeps_the_pipeline_file_in_step(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        await editor.until(lambda each: each.marks, "it was compared")
        before = editor.said()
        changes = await editor.rename("down1.frag", "texture(u_fil^ter, weight", "u_weights")
        assert {name: len(edits) for name, edits in changes.items()} == {"down1.frag": 2, "broken.toml": 2}
        pipeline = edited((folder / "broken.toml").read_text(encoding="utf-8"), changes["broken.toml"])
        (first,) = tomllib.loads(pipeline)["pass"]
        assert first["textures"]["u_weights"]["tensor"] == "down1.weight"
        assert first["uniforms"]["u_filter_texel"] == "texel_size(u_weights)"
        (folder / "broken.toml").write_text(pipeline, encoding="utf-8")
        editor.type("down1.frag", edited(editor.texts["down1.frag"], changes["down1.frag"]))
        editor.save("down1.frag")
        await editor.until(lambda each: each.said() == before, "the same is wrong as before, and no more")
        with pytest.raises(JsonRpcException, match=r"got 'sum', which is in down1.frag:31\. Choose another one\."):
            await editor.rename("down1.frag", "vec2 of^fset = vec2(p, q)", "sum")
        local = await editor.rename("down1.frag", "vec2 of^fset = vec2(p, q)", "shift_by")
        assert {name: len(edits) for name, edits in local.items()} == {"down1.frag": 3}

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_positions_count_as_the_editor_counts_them(folder: Path) -> None:
    text = (folder / "down1.frag").read_text(encoding="utf-8")
    text = text.replace("float x = texture(u_texture,", "/* 𝛼β */ float x = texture(u_texture,")
    (folder / "down1.frag").write_text(text, encoding="utf-8")

    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        place = editor.position("down1.frag", "texture(^u_texture, source")
        asked = types.HoverParams(editor.document("down1.frag"), types.Position(place.line, place.character + 1))
        await editor.until(lambda each: each.marks, "it was compared")
        found = await editor.client.text_document_hover_async(asked)
        assert found is not None
        assert found.range is not None
        assert (found.range.start.character, found.range.end.character) == (place.character + 1, place.character + 10)

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_the_report_comes_as_a_page_of_what_is_typed(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        editor.type("down1.frag", editor.texts["down1.frag"].replace(WRONG, RIGHT))
        found = await editor.command("report", {"target": str(folder / "broken.toml")})
        assert found["target"] == str(folder / "broken.toml")
        assert "<script" in found["html"]
        assert "1 match" in found["html"]

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_after_a_report_a_hover_has_values_at_another_texel_and_a_save_is_compared(folder: Path) -> None:
    async def day(editor: EditorClient) -> None:
        editor.open("down1.frag")
        await editor.until(lambda each: each.marks, "it was compared")
        target = str(folder / "broken.toml")
        await editor.command("report", {"target": target})
        await editor.command("pick", {"target": target, "pass": "down1", "texel": [9, 17]})
        said = await editor.hover("down1.frag", "vec2 of^fset = vec2(p, q)")
        assert "texel 9,17 of pass 'down1', element" in said
        editor.type("down1.frag", editor.texts["down1.frag"].replace(WRONG, RIGHT))
        editor.save("down1.frag")
        await editor.until(lambda each: not each.said(), "nothing is wrong any more")

    assert session(folder, day, "--diagnose-seconds", "0").logged == []


def test_a_shader_of_no_pipeline_file_is_opened_alone(tmp_path: Path) -> None:
    (tmp_path / "grey.frag").write_text(
        "#version 330\nuniform sampler2D u_image;\nout vec4 c;\nvoid main() { c = vec4(dot(texelFetch(u_image,"
        " ivec2(gl_FragCoord.xy), 0).rgb, vec3(0.3)); }\n",
        encoding="utf-8",
    )

    async def day(editor: EditorClient) -> None:
        editor.open("grey.frag")
        await editor.until(lambda each: each.marks.get("grey.frag"), "the missing parenthesis is marked")
        ((line, code, _),) = editor.said()["grey.frag"]
        assert (line, code) == (4, "refused")
        editor.close("grey.frag")
        await editor.until(lambda each: not each.said(), "a closed file has no marks")

    assert session(tmp_path, day, "--diagnose-seconds", "0").logged == []
