"""`mcp`, worked by the protocol's own client over standard input and output."""

from __future__ import annotations

import asyncio
import base64
import io
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from PIL import Image

from tests.checkout import ROOT
from tests.gl.commands.running import Run, run
from tests.gl.patches.test_patch import SHADER, folder

__all__ = ["run"]

Talk = Callable[[ClientSession], Coroutine[Any, Any, None]]


@pytest.fixture
def leaks(tmp_path: Path) -> Path:
    """A folder with a wrong pipeline, beside a file that is nobody's business."""
    (tmp_path / "secret.frag").write_text("void main() {}\n")
    (tmp_path / "work").mkdir()
    folder(tmp_path / "work" / "leaks", SHADER.replace("x * alpha", "x / alpha").encode())
    return tmp_path / "work"


def talk(served: Path, talked: Talk, *options: str) -> None:
    async def whole() -> None:
        server = StdioServerParameters(
            command=sys.executable, args=[str(ROOT / "app.py"), "mcp", str(served), *options]
        )
        async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            await talked(session)

    asyncio.run(whole())
    assert [each for each in psutil.Process().children(recursive=True) if serves(each)] == [], "nothing is left running"


def serves(process: psutil.Process) -> bool:
    """Whether a process is a server that still runs; what earlier tests left may have ended."""
    try:
        return "mcp" in process.cmdline()
    except psutil.Error:
        return False


async def said(session: ClientSession, tool: str, **given: Any) -> str:
    result = await session.call_tool(tool, given)
    texts = [part.text for part in result.content if part.type == "text"]
    assert "Traceback" not in "".join(texts)
    return "\n".join(texts)


def test_an_assistant_finds_the_line_sees_the_texture_and_gets_a_repair(leaks: Path) -> None:
    async def talked(session: ClientSession) -> None:
        tools = (await session.list_tools()).tools
        assert {each.name for each in tools} == {"targets", "diff", "repair", "step", "reads", "texture"}
        assert all(each.description for each in tools)
        assert (await said(session, "targets")).split("\n") == [
            "leaks/leak.frag",
            "leaks/model.onnx",
            "leaks/pipeline.toml",
        ]
        target = {"target": "leaks/pipeline.toml"}
        compared = await said(session, "diff", **target, seconds=30)
        assert "First wrong pass: a" in compared
        assert "leak.frag:8" in compared
        assert "+    colour = vec4(x > 0.0 ? x : " in await said(session, "repair", **target)
        stepped = await said(session, "step", **target, pass_name="a", texel="1,2")
        assert "texelFetch(t_x, ivec2(gl_FragCoord.xy), 0).r" in stepped
        reads = await said(session, "reads", **target, pass_name="a", element=[0, 1, 2, 3])
        assert "image texel (9, 2) = [0, 1, 2, 3]: " in reads
        shown = await session.call_tool("texture", {**target, "pass_name": "a", "shown": "difference"})
        words, image = shown.content
        assert words.type == "text"
        assert words.text.startswith("difference of 'a' [1, 2, 5, 6] in channel_tiles: 12x5 texels, 42 pixels each")
        assert image.type == "image"
        assert Image.open(io.BytesIO(base64.b64decode(image.data))).size == (504, 210)

    talk(leaks, talked)
    assert (leaks / "leaks" / "leak.frag").read_text() == SHADER.replace("x * alpha", "x / alpha")


def test_what_is_outside_or_wrong_is_one_line_and_nothing_is_changed(leaks: Path) -> None:
    async def talked(session: ClientSession) -> None:
        for given, words in (
            ({"target": "../secret.frag"}, "expected a file inside "),
            ({"target": "/etc/passwd"}, "expected a file inside "),
            ({"target": "none.toml"}, "expected a pipeline file, got no such file"),
        ):
            text = await said(session, "diff", **given)
            assert words in text
            assert "\n" not in text
        text = await said(session, "step", target="leaks/pipeline.toml", pass_name="a", texel="99,0")
        assert "\n" not in text
        result = await session.call_tool("edit", {"file": "leaks/leak.frag", "before": "a", "after": "b"})
        assert result.is_error, "a server that only reads has no such tool"
        assert (await session.call_tool("diff", {})).is_error
        assert "First wrong pass" in await said(session, "diff", target="leaks/pipeline.toml", seconds=0)

    talk(leaks, talked)


def test_an_edit_counts_at_once_where_edits_are_allowed(leaks: Path) -> None:
    async def talked(session: ClientSession) -> None:
        file = {"file": "leaks/leak.frag"}
        assert "got it 2 times" in await said(session, "edit", **file, before="alpha", after="beta")
        refused = await said(session, "edit", file="leaks/model.onnx", before="a", after="b")
        assert "expected a shader or a pipeline file, got another kind of file" in refused
        assert "expected a file inside" in await said(session, "edit", file="../secret.frag", before="v", after="w")
        assert (await said(session, "edit", **file, before="x / alpha", after="x * alpha")).startswith("Saved")
        assert "2 of 2 passes match" in await said(session, "diff", target="leaks/pipeline.toml")

    talk(leaks, talked, "--allow-edit")
    assert (leaks / "leaks" / "leak.frag").read_text() == SHADER
    assert (leaks.parent / "secret.frag").read_text() == "void main() {}\n"


def test_a_patch_applies_and_an_edit_keeps_line_ends(leaks: Path) -> None:
    shader = leaks / "leaks" / "leak.frag"
    ends = shader.read_bytes().replace(b"\n", b"\r\n")
    shader.write_bytes(ends)

    async def talked(session: ClientSession) -> None:
        found = await said(session, "repair", target="leaks/pipeline.toml", seconds=60)
        says, _, patch = found.partition("\n\n")
        assert says.endswith("Its paths are relative to 'leaks'.")
        applied = ["git", "apply", "--check", "-"]
        done = subprocess.run(applied, cwd=leaks / "leaks", input=patch, encoding="utf-8", check=False)
        assert done.returncode == 0
        edit = {"before": "= ALPHA;\n", "after": "= ALPHA;  // given\n"}
        assert (await said(session, "edit", file="leaks/leak.frag", **edit)).startswith("Saved")

    talk(leaks, talked, "--allow-edit")
    assert shader.read_bytes() == ends.replace(b"= ALPHA;\r\n", b"= ALPHA;  // given\r\n")


@pytest.mark.parametrize(
    "sent", [b"", b"not json\n", b'{"jsonrpc": "2.0", "id": 1, "method": "none"}\n', b'{"jsonrpc"']
)
def test_a_client_that_says_nonsense_and_goes_ends_the_server(leaks: Path, sent: bytes) -> None:
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "app.py"), "mcp", str(leaks)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _, told = server.communicate(sent, timeout=60)
    assert server.returncode == 0
    assert b"Traceback" not in told
    assert told.count(b"\n") <= 1


def test_a_folder_that_is_not_there_is_one_line(run: Run, tmp_path: Path) -> None:
    assert run.refusal("mcp", tmp_path / "none").endswith("none: expected a folder, got none. Check the path.\n")
