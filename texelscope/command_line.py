"""Texelscope: see a neural network run as framebuffer passes, and name the first shader that is wrong.

This module parses the command line, builds the parts and hands over.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from pipeline.errors import TexelscopeError
from pipeline.installation import SHIPPED, command
from pipeline.target import DEFAULT_LAYOUT, DEFAULT_PRECISION, OpenOptions, Target

DEMO = SHIPPED / "examples" / "facades"
DEMO_MODEL = DEMO / "facades.onnx"
COMMANDS = ("diff", "export", "eject", "bench", "list", "doctor")
FAILED = 2

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code. An error that a user can cause is one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a sign gets its number
            stream.reconfigure(errors="backslashreplace")
    if not words or (words[0] not in COMMANDS and words[0] not in ("-h", "--help")):
        words.insert(0, "window")
    options = _parser().parse_args(words)
    try:
        return int(options.run(options))
    except TexelscopeError as error:
        print(f"texelscope: {error}", file=sys.stderr)
        return FAILED
    except MemoryError:
        print("texelscope: expected enough memory, got none. Use a smaller --shape.", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=command(),
        description=__doc__.splitlines()[0],
        epilog=f"Without a command: the window on TARGET ({command()} [TARGET]). Without a TARGET: the bundled demo. "
        "A file argument of - is standard output.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    _add_window(commands)
    _add_diff(commands)
    _add_export(commands)
    _add_eject(commands)
    bench = commands.add_parser(
        "bench", help="time to the first result, per run and per pass, beside this device's peaks"
    )
    _add_target(bench)
    bench.add_argument("--json", metavar="FILE", help="write the figures as JSON")
    bench.set_defaults(run=_bench)

    listing = commands.add_parser("list", help="operators, layouts, panels, rules, importers")
    listing.set_defaults(run=_list)
    doctor = commands.add_parser("doctor", help="GL driver, limits, what works here and what to do about what does not")
    doctor.set_defaults(run=_doctor)
    return parser


def _add_window(commands: Commands) -> None:
    window = commands.add_parser("window", help="the window (the default); without a display, a table and snapshots")
    _add_target(window, ".onnx file, pipeline.toml or bundle")
    window.add_argument("--verbose", action="store_true", help="say on standard error what happens in the window")
    window.add_argument(
        "--scale",
        metavar="FACTOR",
        type=_scale,
        help="size of text and controls, 0.5 to 4 (default: the display's own)",
    )
    window.set_defaults(run=_window)


def _add_diff(commands: Commands) -> None:
    diff = commands.add_parser(
        "diff",
        help="run everything, compare every pass with the oracle, name the culprit",
        description="Exit code: 0 no pass is wrong (what the storage rounds is not), 1 one is, 2 it could not run.",
    )
    _add_target(diff)
    diff.add_argument("--json", metavar="FILE", help="write the report as JSON")
    diff.add_argument("--html", metavar="FILE", help="write it as one page with all textures")
    diff.add_argument(
        "--inject", action="store_true", help="put the oracle's values in place of what cannot run, to go on after it"
    )
    diff.set_defaults(run=_diff)


def _add_export(commands: Commands) -> None:
    export = commands.add_parser("export", help="layer snapshots")
    _add_target(export)
    export.add_argument("--to", metavar="DIR", required=True, help="folder to write to")
    export.add_argument(
        "--pass",
        metavar="NAME",
        dest="passes",
        action="append",
        default=[],
        help="only this pass (repeatable)",
    )
    export.add_argument(
        "--format",
        metavar="LIST",
        default="png",
        help="of png, npy, npz, exr, separated by commas (default png)",
    )
    export.set_defaults(run=_export)


def _add_eject(commands: Commands) -> None:
    eject = commands.add_parser("eject", help="a model's plan as a folder: pipeline.toml, shaders, weights")
    eject.add_argument("model", metavar="MODEL", nargs="?", help=".onnx file (default: the bundled demo's)")
    eject.add_argument("--to", metavar="DIR", required=True, help="new or empty folder to write to")
    _add_open_options(eject)
    eject.set_defaults(run=_eject)


def _add_target(parser: argparse.ArgumentParser, kinds: str = ".onnx file or pipeline.toml") -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", help=f"{kinds} (default: the bundled demo)")
    parser.add_argument(
        "--input",
        metavar="NAME=SOURCE",
        action="append",
        default=[],
        help="picture, .npy file or pattern (random:7, ramp, checker …) for an input; default random:0",
    )
    parser.add_argument("--trust", action="store_true", help="run the Python of a pipeline's oracle file")
    _add_open_options(parser)


def _add_open_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shape",
        metavar="NAME=SIZES",
        action="append",
        default=[],
        help="shape of an input with free dimensions, such as image=1,3,128,128",
    )
    parser.add_argument("--layout", default=DEFAULT_LAYOUT, help=f"layout of activations (default {DEFAULT_LAYOUT})")
    parser.add_argument(
        "--precision", choices=("float32", "float16"), default=DEFAULT_PRECISION, help="storage of tensors"
    )
    parser.add_argument(
        "--convention",
        metavar="OPERATOR=NAME",
        action="append",
        default=[],
        help="whose definition of an operator holds, such as LRN=tensorflow; 'list' shows the names",
    )


def _scale(text: str) -> float:
    """A factor from 0.5 to 4; anything else is an error of argparse."""
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0.5 <= factor <= 4.0:
        raise argparse.ArgumentTypeError(f"expected a factor from 0.5 to 4, got '{text}'")
    return factor


def demo(options: OpenOptions | None = None) -> Target:
    """The bundled network on one of its pictures."""
    picture = sorted((DEMO / "inputs").glob("*.png"))[0]
    return Target(str(DEMO_MODEL), options or OpenOptions(), {"labels": str(picture)})


def _named_target(arguments: argparse.Namespace) -> Target:
    """As `_target`, and says so if it is the demo: an empty variable in a script must not pass for its model."""
    if arguments.target is None:
        _say_demo("TARGET")
    return _target(arguments)


def _say_demo(missing: str) -> None:
    print(f"texelscope: no {missing} is given: this is the bundled demo.", file=sys.stderr)


def _target(arguments: argparse.Namespace) -> Target:
    from pipeline.commands.arguments import parse_inputs

    inputs, options = parse_inputs(arguments.input), _open_options(arguments)
    if arguments.target is not None:
        return Target(arguments.target, options, inputs)
    bundled = demo(options)
    return dataclasses.replace(bundled, inputs=inputs or bundled.inputs)


def _open_options(arguments: argparse.Namespace) -> OpenOptions:
    """What the arguments say of how to open; `eject` runs nothing and has no --trust."""
    from pipeline.commands.arguments import parse_conventions, parse_shapes

    return OpenOptions(
        arguments.layout,
        arguments.precision,
        parse_shapes(arguments.shape),
        getattr(arguments, "trust", False),
        parse_conventions(arguments.convention),
    )


def _diff(options: argparse.Namespace) -> int:
    from pipeline.commands.diff import diff, exit_code, text

    if options.json == options.html == "-":
        raise TexelscopeError("--html", "one report on standard output", "two", "Write one of them to a file.")
    target = dataclasses.replace(_named_target(options), inject=options.inject)
    outcome = diff(target, with_page=options.html is not None)
    if options.json is not None:
        _write(options.json, outcome.report.as_json() + "\n")
    if outcome.page is not None:
        _write(options.html, outcome.page)
    if "-" not in (options.json, options.html):
        print(text(outcome.report))
    return exit_code(outcome.report)


def _export(options: argparse.Namespace) -> int:
    from pipeline.export.snapshots import export
    from pipeline.opening import open_and_run

    formats = [name.strip() for name in options.format.split(",") if name.strip()]
    with open_and_run(_named_target(options)) as session:
        files = export(session, Path(options.to), passes=options.passes, formats=formats)
    print(f"{len(files)} files in {options.to}")
    return 0


def _eject(options: argparse.Namespace) -> int:
    from pipeline.export.eject import eject

    if options.model is None:
        _say_demo("MODEL")
    model = DEMO_MODEL if options.model is None else options.model
    files = eject(model, Path(options.to), _open_options(options))
    print(f"{len(files)} files in {options.to}; open {files[0]}")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from pipeline.commands.bench import bench, render

    found = bench(_named_target(options))
    if options.json is not None:
        _write(options.json, found.as_json() + "\n")
    if options.json != "-":
        print(render(found))
    return 0


def _list(_options: argparse.Namespace) -> int:
    from pipeline.commands.listing import sections
    from viewer.panels.registry import all_panels

    panels = {panel.title: (type(panel).__doc__ or "").strip().splitlines()[0] for panel in all_panels()}
    print(sections({"Panels": panels}))
    return 0


def _doctor(_options: argparse.Namespace) -> int:
    from pipeline.commands.doctor import examine, render

    checks = examine()
    print(render(checks))
    return 0 if all(check.well for check in checks if check.name != "display for the window") else 1


def _window(options: argparse.Namespace) -> int:
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return _headless(options)
    from viewer.window import open_window

    if options.verbose:
        logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", stream=sys.stderr)
        logging.getLogger("texelscope.window").setLevel(logging.DEBUG)
    asked = options.target is not None or bool(options.input)
    return open_window(_target(options), demo=demo(), scale=options.scale, asked=asked)


def _headless(options: argparse.Namespace) -> int:
    """The window's session on a machine without a display: the table, and every layer as a picture."""
    from pipeline.commands.diff import exit_code, text
    from pipeline.export.snapshots import export
    from pipeline.opening import open_and_run

    folder = Path("out") / "snapshots"
    with open_and_run(_target(options)) as session:
        report = session.compare()
        files = export(session, folder)
    print(text(report))
    print(f"No display here: {len(files)} layer pictures are in {folder}{os.sep} instead of a window.")
    return exit_code(report)


def _write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise TexelscopeError(path, "a file that can be written", str(error), "Choose another path.") from error


if __name__ == "__main__":
    sys.exit(main())
