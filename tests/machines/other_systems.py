"""Imitates Windows or macOS for a program that a test starts, as far as Python shows its modules the system.

The program's own modules, and no others, get stand-ins for `os`, `sys` and the like: they lack what the other system
lacks. Libraries keep the real ones, since they are built for this system. GL contexts come from glcontext's back end of
the other system, which is EGL in disguise. Points of a Mac's screen may have several pixels.

A test starts a program with `environment`, whose folder makes Python call `install` before anything.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
import types
from collections.abc import Callable, Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, Literal

from tests.machines import windows_rules

System = Literal["win32", "darwin", "linux"]
SYSTEM = "TEXELSCOPE_TESTS_SYSTEM"
# Set where no context can be made.
REFUSAL = "TEXELSCOPE_TESTS_REFUSAL"
# Set where the driver prints on standard output.
CHATTER = "TEXELSCOPE_TESTS_CHATTER"
# How many pixels each point of the screen has along each side: 2 on a Retina display, whose windows are told points.
PIXELS_A_POINT = "TEXELSCOPE_TESTS_PIXELS_A_POINT"

_ROOT = Path(__file__).parents[2]
_START = Path(__file__).parent / "start_system"
# What other modules than these see stays real.
_OWN = ("texelscope", "glcontext")
_NO_MODULES: Mapping[str, frozenset[str]] = {
    "win32": frozenset({"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}),
    "darwin": frozenset(),
}
_ON_LINUX_ALONE = {
    "os": "eventfd eventfd_read eventfd_write memfd_create pipe2 sched_getaffinity sched_setaffinity splice O_TMPFILE",
    "resource": "prlimit",
    "select": "epoll EPOLLIN",
    "time": "CLOCK_BOOTTIME CLOCK_MONOTONIC_COARSE",
}
_ON_POSIX_ALONE = {
    "os": "WEXITSTATUS WIFEXITED WIFSIGNALED WTERMSIG chown chroot ctermid fchdir fchmod fchown fork forkpty fpathconf "
    "fstatvfs getegid geteuid getgid getgroups getloadavg getpgid getpgrp getpriority getsid getuid initgroups killpg "
    "lchown lockf major minor mkfifo mknod nice openpty pathconf posix_fadvise posix_spawn pread pwrite sched_yield "
    "sendfile setgid setpgid setpriority setsid setuid statvfs sync sysconf tcgetpgrp ttyname uname wait wait3 wait4 "
    "O_CLOEXEC O_DIRECTORY O_DSYNC O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC",
    "select": "POLLERR POLLIN POLLOUT poll",
    "signal": "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 alarm pthread_kill "
    "pthread_sigmask setitimer sigwait",
    "socket": "AF_UNIX",
    "time": "CLOCK_MONOTONIC CLOCK_REALTIME clock_getres clock_gettime tzset",
}


def environment(system: System, **more: str) -> dict[str, str]:
    """Returns the environment of a program that finds itself on `system`, without a display unless `more` names one.

    On Windows and macOS themselves nothing is imitated.
    """
    if system == sys.platform != "linux":
        return {**os.environ, **more}
    before = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    path = os.pathsep.join(filter(None, (str(_START), str(_ROOT), before.get("PYTHONPATH"))))
    return {**before, "PYTHONPATH": path, SYSTEM: system, **more}


def install() -> None:
    """Makes the program that starts find itself on the system that its environment names: this one without one."""
    if PIXELS_A_POINT in os.environ:
        sys.meta_path.insert(0, _Points(float(os.environ[PIXELS_A_POINT])))
    system = os.environ.get(SYSTEM, "linux")
    if system == "linux":
        return
    shown = _Shown(system)
    sys.meta_path.insert(0, _Finder(shown))
    sys.modules["__main__"].__dict__["__builtins__"] = shown.builtins
    if system == "win32":
        windows_rules.install()


class StandIn(types.ModuleType):
    """A module without some of its names, and with other values of some."""

    def __init__(self, real: types.ModuleType, gone: set[str], others: Mapping[str, object]) -> None:
        super().__init__(real.__name__)
        self.__dict__.update({"_real": real, "_gone": gone, **others})

    def __getattr__(self, name: str) -> Any:
        if name in self._gone:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}' on the imitated system")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._real, name, value)

    def __dir__(self) -> list[str]:
        return sorted(set(dir(self._real)) - self._gone)


class _Shown:
    """Imports modules for the program's own modules; `builtins` are the built-in names that these have."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._modules: dict[str, types.ModuleType] = {}
        self.builtins = {**builtins.__dict__, "__import__": self._import}

    def _import(self, name: str, *rest: Any, **named: Any) -> types.ModuleType:
        if name in _NO_MODULES[self._system]:
            raise ModuleNotFoundError(f"No module named '{name}' on the imitated system", name=name)
        found = builtins.__import__(name, *rest, **named)
        if found.__name__ != name:
            return found
        if name not in self._modules:
            self._modules[name] = self._stand_in(name, found)
        return self._modules[name]

    def _stand_in(self, name: str, real: types.ModuleType) -> types.ModuleType:
        gone = set(_ON_LINUX_ALONE.get(name, "").split())
        if self._system == "win32":
            gone |= set(_ON_POSIX_ALONE.get(name, "").split())
        others = (_windows if self._system == "win32" else _macos)(name, real)
        return StandIn(real, gone, others) if gone or others else real


def _windows(name: str, real: types.ModuleType) -> dict[str, object]:
    """Returns what a module has otherwise on Windows."""
    if name == "os":
        parent = os.getppid()  # there the number stays when the parent is gone
        return {
            "name": "nt", "supports_dir_fd": frozenset(), "getppid": lambda: parent, "O_BINARY": 0,
            "open": windows_rules.open_file,
        }  # fmt: skip
    if name == "ctypes":
        return {"WinDLL": windows_rules.Kernel}
    if name == "subprocess":
        return {"Popen": _popen(real.Popen), "run": _popen(real.run), "CREATE_NO_WINDOW": 0x08000000}
    named: dict[str, dict[str, object]] = {"sys": {"platform": "win32"}, "platform": {"system": lambda: "Windows"}}
    return named.get(name, {})


def _macos(name: str, _real: types.ModuleType) -> dict[str, object]:
    """Returns what a module has otherwise on macOS."""
    named: dict[str, dict[str, object]] = {
        "sys": {"platform": "darwin"},
        "platform": {"system": lambda: "Darwin"},
        "resource": {"setrlimit": _setrlimit},
    }
    return named.get(name, {})


def _setrlimit(which: int, limits: tuple[int, int]) -> None:
    resource = importlib.import_module("resource")  # a Windows that is real has none
    if which == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    resource.setrlimit(which, limits)


def _popen(real: Callable[..., Any]) -> Callable[..., Any]:
    def popen(*arguments: Any, **named: Any) -> Any:
        for name in ("preexec_fn", "pass_fds"):
            if named.get(name):
                raise ValueError(f"{name} is not supported on Windows platforms")
        for name in ("start_new_session", "creationflags"):  # the one means nothing there, the other nothing here
            named.pop(name, None)
        made = real(*arguments, **named)
        if hasattr(made, "pid"):
            made.__dict__["_handle"] = made.pid
        return made

    return popen


class _Finder(MetaPathFinder, Loader):
    """Finds the program's own modules as Python does, and runs them with other built-in names."""

    def __init__(self, shown: _Shown) -> None:
        self._shown = shown

    def find_spec(self, fullname: str, path: Any = None, target: types.ModuleType | None = None) -> ModuleSpec | None:
        if fullname in ("glcontext.wgl", "glcontext.darwin"):
            return ModuleSpec(fullname, _BackEnd())
        if fullname.partition(".")[0] not in _OWN:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and (spec.origin or "").endswith(".py"):
            spec.loader_state, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        loader = module.__spec__.loader_state
        module.__spec__.loader = module.__loader__ = loader
        module.__dict__["__builtins__"] = self._shown.builtins
        loader.exec_module(module)

    def get_code(self, fullname: str) -> types.CodeType | None:
        """Returns the code of a module that `python -m` runs; its built-in names are those of `__main__`."""
        parent = fullname.rpartition(".")[0]
        spec = PathFinder.find_spec(fullname, sys.modules[parent].__path__ if parent else None)
        return spec.loader.get_code(fullname) if spec is not None else None  # type: ignore[union-attr]


class _BackEnd(Loader):
    """Makes glcontext's back end of another system: EGL by that system's rules."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__dict__["create_context"] = _cgl if spec.name.endswith("darwin") else _wgl
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        pass


def _cgl(mode: str = "detect") -> Any:
    """Makes a context as CGL does, which is asked for no version."""
    if REFUSAL in os.environ:
        raise Exception("cannot choose pixel format")
    return _context(330, mode)


def _wgl(glversion: int = 330, mode: str = "detect", libgl: str = "opengl32.dll") -> Any:
    """Makes a context as WGL does, by a hidden window."""
    if REFUSAL in os.environ:
        raise Exception("wglCreateContextAttribsARB not found")
    return _context(glversion, mode)


def _context(glversion: int, mode: str) -> Any:
    import ctypes
    from ctypes.util import find_library

    from glcontext import egl, x11

    if CHATTER in os.environ:
        library = ctypes.CDLL(None)
        library.puts(b"the driver greets you")
        library.fflush(None)
    if mode == "detect":  # the window's own, which is one of GLX here
        return x11.create_context(glversion=glversion, mode=mode, libgl=find_library("GL"), libx11=find_library("X11"))
    return egl.create_context(glversion=glversion, mode=mode, libgl=find_library("GL"), libegl=find_library("EGL"))


class _Points(MetaPathFinder, Loader):
    """Has pyglet tell and take sizes and positions in points, each of several pixels, whatever a program asks for."""

    def __init__(self, pixels: float) -> None:
        self._pixels = pixels

    def find_spec(self, fullname: str, path: Any = None, target: types.ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in ("pyglet", "pyglet.display.xlib"):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        spec.loader_state, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        loader = module.__spec__.loader_state
        module.__spec__.loader = module.__loader__ = loader
        loader.exec_module(module)
        if module.__name__ == "pyglet":
            own = type(module.options)
            stretched = {"dpi_scaling": property(lambda _options: "stretch", lambda _options, _asked: None)}
            module.options.__class__ = type("Options", (own,), stretched)
        else:
            module.XlibScreen.get_dpi = lambda _screen: round(96 * self._pixels)
