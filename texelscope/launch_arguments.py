"""Reads the launch arguments of an editor: the options of `step`, as JSON."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from texelscope.arguments import add_frame, add_target
from texelscope.ending import OneLineParser
from texelscope.layouts.outside_text import shortened
from texelscope.pipeline.errors import TexelscopeError

if TYPE_CHECKING:
    from texelscope.pipeline.debug_adapter.recording import LaunchOrder

# What editors add to a configuration for themselves.
_OF_EDITORS = frozenset((
    "type", "request", "name", "presentation", "preLaunchTask", "postDebugTask", "internalConsoleOptions", "console",
    "debugServer", "serverReadyAction", "noDebug", "suppressMultipleSessionWarning", "windows", "linux", "osx",
    "command", "command-args", "command-cwd", "command-env", "command-insert-stderr", "modes", "fn", "ensure", "port",
    "host", "compile", "start-debugging", "prefix-local", "prefix-remote", "defer-launch-attach", "stopOnEntry", "cwd",
    "adapterID", "cond", "autoport",
))  # fmt: skip
# What reads JSON, and not options of the command line.
_PLACES = ("pass", "texel", "element", "invocation", "lane", "window")
_MOST_PLACE_NUMBERS = 32


@dataclass(frozen=True)
class LaunchArguments:
    """The order that arguments make, the folder that their paths are relative to, and names that nobody knows."""

    order: LaunchOrder
    unknown: tuple[str, ...]


class _Refusing(OneLineParser):
    """Raises what a parser of the command line would print."""

    def error(self, message: str) -> NoReturn:
        """Raises TexelscopeError."""
        raise TexelscopeError("launch", "arguments as the options of 'step'", message, "Correct the configuration.")


def launch_arguments(given: Mapping[str, Any]) -> LaunchArguments:
    """Parses launch arguments. Raises TexelscopeError for a missing or malformed one."""
    from texelscope.arguments import named_target
    from texelscope.pipeline.debug_adapter.recording import LaunchOrder
    from texelscope.pipeline.quotas import allowing, present, quotas_of, with_seconds

    parser = _parser()
    known = {action.dest: action for action in parser._actions if action.dest != "target"}
    target = given.get("target")
    if not isinstance(target, str) or not target:
        raise TexelscopeError(
            "launch", "'target', the path of a model, pipeline file or shader", _shown(target), "Add it."
        )
    words: list[str] = []
    unknown = []
    for name, value in given.items():
        action = known.get(name.replace("-", "_"))
        if action is not None:
            words += _words(name, value, action)
        elif name != "target" and name not in _PLACES and name not in _OF_EDITORS and not name.startswith("_"):
            unknown.append(name)
    options = parser.parse_args([*words, "--", target])
    stop = given.get("stopOnEntry", True)
    if not isinstance(stop, bool):
        raise _wrong("stopOnEntry", "true or false", stop)
    texel, window = _numbers(given, "texel"), _numbers(given, "window", ":")
    if texel is not None and len(texel) != 2:
        raise _wrong("texel", '"X,Y" or [X, Y]', given["texel"])
    if window is not None and (len(window) != 2 or window[0] >= window[1]):
        raise _wrong("window", '"A:B" or [A, B], B behind A', given["window"])
    lane = _numbers(given, "lane") or (0,)
    index = _numbers(given, "element")
    element = index[0] if index is not None and len(index) == 1 else index
    name = given.get("pass", "")
    if not isinstance(name, str):
        raise _wrong("pass", "the name of a pass", name)
    invocation, seconds = _numbers(given, "invocation"), options.timeout
    timed = present() if seconds is None else with_seconds(present(), seconds)
    with allowing(timed), allowing(quotas_of(options.limit)):  # the target keeps them
        opened = named_target(options)
    most = math.inf if seconds is None else seconds
    order = LaunchOrder(opened, name, texel, lane[0], element, invocation, window, options.frame, stop, most)
    return LaunchArguments(order, tuple(unknown))


def _parser() -> argparse.ArgumentParser:
    parser = _Refusing("launch", add_help=False)
    add_target(parser)
    add_frame(parser)
    return parser


def _words(name: str, value: object, action: argparse.Action) -> list[str]:
    """Returns the words of the command line that mean the same as one argument."""
    option = action.option_strings[0]
    if value is None:
        return []
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise _wrong(name, "true or false", value)
        return [option] if value else []
    if isinstance(value, Mapping):
        return [f"{option}={key}={_text(name, each)}" for key, each in value.items()]
    if isinstance(value, list) and isinstance(action, argparse._AppendAction):
        return [f"{option}={_text(name, each)}" for each in value]
    return [f"{option}={_text(name, value)}"]


def _text(name: str, value: object) -> str:
    if isinstance(value, list):
        return ",".join(_text(name, each) for each in value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _wrong(name, "a string or a number", value)
    return str(value)


def _numbers(given: Mapping[str, Any], name: str, between: str = ",") -> tuple[int, ...] | None:
    """Returns the whole numbers of a list or of a string; None without the argument."""
    value = given.get(name)
    if value is None:
        return None
    parts: Sequence[object] = (
        value.split(between) if isinstance(value, str) else value if isinstance(value, list) else [value]
    )
    numbers = []
    for part in parts:
        text = part.strip() if isinstance(part, str) else str(part) if _is_whole(part) else ""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise _wrong(name, "whole numbers from 0 on", value)
        numbers.append(int(text))
    if not 0 < len(numbers) <= _MOST_PLACE_NUMBERS:
        raise _wrong(name, "whole numbers from 0 on", value)
    return tuple(numbers)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wrong(name: str, expected: str, got: object) -> TexelscopeError:
    return TexelscopeError(f"launch argument '{name}'", expected, _shown(got), "Correct the configuration.")


def _shown(value: object) -> str:
    return "none" if value is None else shortened(repr(value), 60)
