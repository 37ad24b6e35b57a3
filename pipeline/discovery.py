"""Finds plug-ins, which are the modules of a folder, and checks that each defines what it has to.

One walk and one form of error serve operators, importers, panels, causes and the oracle's fast versions. Plug-ins of
installed distributions (`layouts.installed`) are checked in the same way; a bad one is left out and reported, and the
program goes on.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from texelscope.layouts.installed import EntryPoint, entry_points, leave_out
from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.errors import TexelscopeError

Kind = TypeVar("Kind")
Entry = TypeVar("Entry")

_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Plugin:
    """A module of a plug-in folder. `file` is its path, relative to the checkout's root where it lies in there.

    For a module of an installed distribution, `entry_point` is set and `file` is its name.
    """

    module: ModuleType
    file: str
    entry_point: EntryPoint | None = None

    @property
    def stem(self) -> str:
        """Returns the file's name without its ending, or the name of the entry point."""
        return Path(self.file).stem if self.entry_point is None else self.entry_point.name

    @property
    def called_after(self) -> str:
        """Returns a phrase for the thing that `stem` names."""
        return "the file" if self.entry_point is None else "its entry point"

    def refuse(self, expected: str, got: str, do_next: str) -> TexelscopeError:
        """Returns the error that names the file."""
        return TexelscopeError(self.file, expected, got, do_next)

    def take(self, name: str, expected: str, do_next: str, is_valid: Callable[[Any], bool]) -> Any:
        """Returns the module's attribute `name`. Raises TexelscopeError unless it is valid."""
        value = getattr(self.module, name, None)
        if not is_valid(value):
            raise self.refuse(f"{name}, {expected}", "none" if value is None else repr(value), do_next)
        return value

    def instance(self, name: str, kind: type[Kind]) -> Kind:
        """Returns the instance of `kind` that the module calls `name`."""
        valid = f"an instance of {kind.__name__}"
        return self.take(name, valid, "Define it at the end of the module.", lambda value: isinstance(value, kind))  # type: ignore[no-any-return]

    def subclasses(self, kind: type[Kind]) -> list[type[Kind]]:
        """Returns the classes of the module that implement all that `kind` demands, one at least."""
        found = [
            value
            for value in vars(self.module).values()
            if isinstance(value, type)
            and issubclass(value, kind)
            and value.__module__ == self.module.__name__
            and not value.__name__.startswith("_")
        ]
        if not found:
            raise self.refuse(f"a subclass of {kind.__name__}", "none", "Define one.")
        for each in found:
            if inspect.isabstract(each):
                missing = ", ".join(sorted(getattr(each, "__abstractmethods__", ())))
                raise self.refuse(f"all that {kind.__name__} demands", f"{missing} missing", f"Add to {each.__name__}.")
        return found


def plugins(
    package: ModuleType, *, without: Collection[str] = (), fits: Callable[[str], bool] = lambda _name: True
) -> Iterator[Plugin]:
    """Yields the modules of a package in alphabetical order whose names `fits`, but for those named `without`.

    These hold no plug-in. Raises TexelscopeError, naming the file, for one that cannot be imported.
    """
    for info in pkgutil.iter_modules(package.__path__):
        if info.name in without or not fits(info.name):
            continue
        name = f"{package.__name__}.{info.name}"
        file = _file_of(name)
        try:
            module = importlib.import_module(name)
        except Exception as error:
            got = said_by(error, with_type=True)
            raise TexelscopeError(file, "a module that imports", got, "Fix or remove the file.") from error
        yield Plugin(module, file)


def installed(kind: str) -> Iterator[Plugin]:
    """Yields installed distributions' modules for a kind of plug-in; those that fail to import are left out."""
    for each in entry_points(kind):
        plugin = load(each)
        if plugin is not None:
            yield plugin


def load(entry_point: EntryPoint) -> Plugin | None:
    """Returns the module of an entry point; reports the reason and returns None if it cannot be imported."""
    try:
        return Plugin(entry_point.load(), str(entry_point), entry_point)
    except TexelscopeError as error:
        leave_out(error)
        return None


def gathered(plugs: Iterable[Plugin], read: Callable[[Plugin], Iterable[Entry]]) -> Iterator[Entry]:
    """Yields the entries that `read` takes from each plug-in.

    Raises the TexelscopeError of `read` for a bad module of a folder; one of an installed distribution is left out.
    """
    for plugin in plugs:
        if plugin.entry_point is None:
            yield from read(plugin)
            continue
        try:
            entries = list(read(plugin))
        except TexelscopeError as error:
            leave_out(error)
            continue
        yield from entries


def by_name(found: Iterable[tuple[str, Plugin, Kind]], what: str) -> Mapping[str, Kind]:
    """Returns plug-ins by name. Raises TexelscopeError, naming both files, for a name that two of them claim.

    An installed plug-in that claims a taken name is left out under that name.
    """
    entries: dict[str, Kind] = {}
    homes: dict[str, str] = {}
    for name, plugin, entry in found:
        if name in entries:
            got = f"'{name}', also in {homes[name]}"
            error = plugin.refuse(f"{what} not defined elsewhere", got, "Remove one of the two.")
            if plugin.entry_point is None:
                raise error
            leave_out(error)
            continue
        entries[name], homes[name] = entry, plugin.file
    return MappingProxyType(entries)


def are_functions(table: object) -> bool:
    """Whether `table` is a mapping from names to functions, as tables of operators are."""
    return isinstance(table, Mapping) and all(isinstance(name, str) and callable(it) for name, it in table.items())


def functions_in(
    package: ModuleType, of: str, *, like: str, what: str, without: Collection[str] = ()
) -> Mapping[str, Callable[..., Any]]:
    """Returns the functions of `of` that the modules of a package list by operator in `OPERATORS`.

    Raises TexelscopeError, naming the file, for a module that cannot be imported, that lacks the table (which a line
    like `like` is), or that claims an operator, which errors call `what`, of another one.
    """

    def listed(plugin: Plugin) -> Iterator[tuple[str, Plugin, Callable[..., Any]]]:
        expected = f"a mapping from names of operators to functions of {of}"
        table = plugin.take("OPERATORS", expected, f"Add a line like OPERATORS = {like}.", are_functions)
        yield from ((name, plugin, function) for name, function in table.items())

    return by_name(gathered(plugins(package, without=without), listed), what)


def first_line(documented: object) -> str:
    """Returns the docstring's first line; empty where there is none, as everywhere under `python -OO`."""
    return next(iter((getattr(documented, "__doc__", None) or "").strip().splitlines()), "")


def _file_of(module_name: str) -> str:
    spec = find_spec(module_name)
    path = Path(spec.origin) if spec is not None and spec.origin else Path(*module_name.split("."))
    return (path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path).as_posix()
