"""Offers a workbench's methods as tools of the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from texelscope.pipeline.crash_report.fault_log import told

if TYPE_CHECKING:
    from texelscope.assistant.workbench import Workbench

_Got = TypeVar("_Got")

_INSTRUCTIONS = (
    "Texelscope runs neural networks that are written as shaders, pass by pass, and compares every texture with a "
    "numpy oracle. Begin with targets, then diff: it names the first wrong pass, the bug, the line and repairs that "
    "were run. texture, reads and step show what a pass made, what a texel read, and how its shader ran. Paths are "
    "relative to the server's folder."
)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


def server_of(bench: Workbench, version: str) -> MCPServer:
    """Returns the server. All tools run in one thread: GL belongs to a thread."""
    server = MCPServer("texelscope", instructions=_INSTRUCTIONS, version=version, log_level="ERROR")
    thread = _OneThread(bench)

    @server.tool(annotations=_READS)
    async def targets() -> str:
        """List the pipeline files, models and shaders that can be opened."""
        return await thread.run(lambda bench: bench.targets())

    @server.tool(annotations=_READS)
    async def diff(target: str, seconds: float = 10.0) -> str:
        """Run a target and compare every pass with numpy: verdicts, the first wrong pass, its bug, line and repairs.

        seconds is how long to look for causes; 0 compares alone.
        """
        return await thread.run(lambda bench: bench.diff(target, seconds))

    @server.tool(annotations=_READS)
    async def repair(target: str, seconds: float = 60.0) -> str:
        """Search for repairs of all wrong passes; returns a unified diff that was run. Nothing is changed."""
        return await thread.run(lambda bench: bench.repair(target, seconds))

    @server.tool(annotations=_READS)
    async def step(target: str, pass_name: str, texel: str, lane: int = 0, window: str = "") -> str:
        """Trace the shader of one texel, "X,Y": every line in order, what it assigned and read.

        window is the part of the steps to return, "A:B".
        """
        return await thread.run(lambda bench: bench.step(target, pass_name, texel, lane, window))

    @server.tool(annotations=_READS)
    async def reads(target: str, pass_name: str, element: list[int]) -> str:
        """Say what one element of a pass's output read, which of these reads are wrong, and what was not read.

        element is its index in the logical shape, such as [0, 5, 10, 12].
        """
        return await thread.run(lambda bench: bench.reads(target, pass_name, element))

    @server.tool(annotations=_READS, structured_output=False)
    async def texture(target: str, pass_name: str, shown: str = "actual") -> list[str | Image]:
        """Show the flattened texture of a pass as a picture: shown is actual, expected or difference."""
        found = await thread.run(lambda bench: bench.texture(target, pass_name, shown))
        return [found.says, Image(data=found.png, format="png")]

    if bench.may_edit:

        @server.tool(annotations=_WRITES)
        async def edit(file: str, before: str, after: str) -> str:
            """Replace the one place of a shader or pipeline file that reads `before`, and save it."""
            return await thread.run(lambda bench: bench.edit(file, before, after))

    return server


class _OneThread:
    """Runs work on a workbench in one thread, in turn."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="workbench")

    async def run(self, work: Callable[[Workbench], _Got]) -> _Got:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._done, work)

    def _done(self, work: Callable[[Workbench], _Got]) -> _Got:
        """Does the work. Raises ToolError with one line for whatever goes wrong."""
        try:
            return work(self._bench)
        except Exception as error:  # noqa: BLE001 - the assistant gets a line of it, and the server goes on
            raise ToolError(told("the tool", error)) from None
