"""Answers an editor's requests: maps them to the walk through a recorded fragment, and what it shows to JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from texelscope.layouts.outside_text import shortened
from texelscope.pipeline.crash_report.fault_log import told
from texelscope.pipeline.debug_adapter import capabilities
from texelscope.pipeline.debug_adapter.arguments import Arguments
from texelscope.pipeline.debug_adapter.launched import Launched
from texelscope.pipeline.debug_adapter.recording import LaunchOrder, Recording
from texelscope.pipeline.debug_adapter.shown import ShownValue, given, reads, sum_rows, variables
from texelscope.pipeline.debug_adapter.sources import ClientPlaces, ClientSources
from texelscope.pipeline.debug_adapter.stops import FILTERS, PlacedBreakpoint, WantedBreakpoint
from texelscope.pipeline.debug_adapter.walk import Stop
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.stepping import motions
from texelscope.pipeline.stepping.index import CallFrame

Body = dict[str, Any]
Send = Callable[[Mapping[str, Any]], None]
# Reads a client's launch arguments, and names those that it does not know.
OrderOf = Callable[[Mapping[str, Any]], tuple[LaunchOrder, tuple[str, ...]]]
# How far the conversation is: each state allows the requests of those before it, too.
State = Literal["new", "initialized", "launched", "walking", "over"]
_STATES: tuple[State, ...] = ("new", "initialized", "launched", "walking", "over")
# What has to come first, by state.
_BEFORE = {"new": "initialize", "initialized": "initialize", "launched": "launch", "walking": "configurationDone"}

THREAD = 1


@dataclass
class _Shown:
    """The trees that were shown since the last motion, by their references."""

    rows: dict[int, tuple[ShownValue, ...]] = field(default_factory=dict)

    def reference(self, rows: tuple[ShownValue, ...]) -> int:
        """Returns a reference to rows, which may be none."""
        self.rows[len(self.rows) + 1] = rows
        return len(self.rows)


class DebugAdapter:
    """Holds one conversation with an editor. `send` gets responses and events, without their numbers."""

    def __init__(self, send: Send, order_of: OrderOf) -> None:
        self._send, self._order_of = send, order_of
        self._state: State = "new"
        self._places = ClientPlaces()
        self._order: LaunchOrder | None = None
        self._launched: Launched | None = None
        self._sources = ClientSources((), self._places)
        self._shown = _Shown()
        self._breakpoints = 0
        self._later: list[Callable[[], None]] = []
        self._answers: dict[str, tuple[State, Callable[[Arguments], Body]]] = {
            "initialize": ("new", self._initialize),
            "disconnect": ("new", self._disconnect),
            "terminate": ("new", self._terminate),
            "launch": ("initialized", self._launch),
            "attach": ("initialized", self._attach),
            "setBreakpoints": ("launched", self._set_breakpoints),
            "setExceptionBreakpoints": ("launched", self._set_exception_breakpoints),
            "breakpointLocations": ("launched", self._breakpoint_locations),
            "configurationDone": ("launched", self._configuration_done),
            "threads": ("launched", self._threads),
            "loadedSources": ("launched", self._loaded_sources),
            "source": ("launched", self._source),
            "restart": ("launched", self._restart),
            "pause": ("walking", lambda _given: {}),
            "continue": ("walking", self._continue),
            "reverseContinue": ("walking", self._reverse_continue),
            "next": ("walking", self._next),
            "stepIn": ("walking", lambda _given: self._move(motions.into)),
            "stepOut": ("walking", lambda _given: self._move(motions.out)),
            "stepBack": ("walking", self._step_back),
            "restartFrame": ("walking", self._restart_frame),
            "stackTrace": ("walking", self._stack_trace),
            "scopes": ("walking", self._scopes),
            "variables": ("walking", self._variables),
            "evaluate": ("walking", self._evaluate),
            "exceptionInfo": ("walking", self._exception_info),
        }

    @property
    def is_over(self) -> bool:
        """Whether the client has ended the conversation."""
        return self._state == "over"

    def release(self) -> None:
        """Frees what was opened."""
        launched, self._launched = self._launched, None
        if launched is not None:
            launched.release()

    def answer(self, message: Mapping[str, Any]) -> None:
        """Answers one message; a fault while answering is the response too."""
        kind, command, number = message.get("type"), message.get("command"), message.get("seq")
        if kind in ("response", "event"):  # nothing is asked of the client
            return
        number = number if isinstance(number, int) and not isinstance(number, bool) else 0
        if kind != "request" or not isinstance(command, str):
            got = shortened(repr(kind if kind != "request" else command), 40)
            self.refuse("expected a request with a command", got, number)
            return
        try:
            body = self._answered(command, message.get("arguments"))
        except Exception as error:  # noqa: BLE001 - the client is told, whatever it is
            self._later.clear()
            self._fail(number, command, told(f"request '{shortened(command, 40)}'", error))
            return
        self._send({"type": "response", "request_seq": number, "success": True, "command": command, "body": body})
        later, self._later = self._later, []
        for each in later:
            each()

    def cancelled(self, message: Mapping[str, Any]) -> None:
        """Answers a message whose work was given up."""
        self._later.clear()
        number = message.get("seq")
        self._fail(number if isinstance(number, int) else 0, str(message.get("command")), "cancelled")

    def refuse(self, expected: str, got: str, number: int = 0) -> None:
        """Answers what is no request."""
        self._fail(number, "", f"debug adapter protocol: {expected}, got {got}. Correct the client.")

    def refuse_message(self, error: TexelscopeError) -> None:
        """Answers a message that could not be read."""
        self._fail(0, "", str(error))

    def _fail(self, number: int, command: str, text: str) -> None:
        body = {"error": {"id": 1, "format": text, "showUser": True}}
        self._send({
            "type": "response", "request_seq": number, "success": False, "command": command, "message": text,
            "body": body,
        })  # fmt: skip

    def _answered(self, command: str, arguments: object) -> Body:
        who = f"request '{shortened(command, 40)}'"
        if command not in self._answers:
            raise TexelscopeError(who, "a request that is known", "another", nearest(command, self._answers))
        needed, answer = self._answers[command]
        if self._state == "over" and command not in ("disconnect", "terminate"):
            raise TexelscopeError(who, "a session", "one that has ended", "Start another.")
        if _STATES.index(self._state) < _STATES.index(needed):
            raise TexelscopeError(who, f"'{_BEFORE[needed]}' before it", "none", "Send that first.")
        return answer(Arguments(who, arguments))

    def _event(self, name: str, body: Body) -> None:
        self._send({"type": "event", "event": name, "body": body})

    def _say(self, text: str, category: str = "console") -> None:
        self._event("output", {"category": category, "output": f"{text}\n"})

    @property
    def _of(self) -> Launched:
        assert self._launched is not None  # the states see to it
        return self._launched

    # -- the conversation ----------------------------------------------------------------------------------

    def _initialize(self, given: Arguments) -> Body:
        if self._state != "new":
            raise TexelscopeError("request 'initialize'", "it once", "another", "Start another session.")
        path_format = given.text("pathFormat", "path")
        if path_format not in ("path", "uri"):
            raise TexelscopeError("request 'initialize'", "pathFormat path or uri", f"'{path_format}'", "Correct it.")
        first_line = int(given.flag("linesStartAt1", default=True))
        self._places = ClientPlaces(first_line, path_format == "uri")
        self._state = "initialized"
        return capabilities.CAPABILITIES

    def _attach(self, _given: Arguments) -> Body:
        raise TexelscopeError(
            "request 'attach'", "'launch'", "'attach'", "A fragment is recorded anew: set the request to launch."
        )

    def _launch(self, given: Arguments) -> Body:
        if self._state != "initialized":
            raise TexelscopeError("request 'launch'", "it once", "another", "Use 'restart'.")
        self._open(given.mapping)
        self._state = "launched"
        self._later += [self._introduce, lambda: self._event("initialized", {})]
        return {}

    def _restart(self, given: Arguments) -> Body:
        self._open(given.inner("arguments").mapping)
        self._later.append(self._introduce)
        if self._state == "walking":
            self._later.append(self._begin)
        return {}

    def _open(self, arguments: Mapping[str, Any]) -> None:
        """Opens and records what the arguments say, without any the same again."""
        order, unknown = self._order_of(arguments) if arguments or self._order is None else (self._order, ())
        for name in unknown:
            self._say(f"The launch argument '{shortened(name, 40)}' is not known, and is left out.", "important")
        recording = Recording.opened(order)
        try:
            launched = Launched(recording)
            if self._launched is not None:
                launched.go_on_as(self._launched)
        except BaseException:
            recording.release()
            raise
        self.release()
        self._order, self._launched = order, launched
        self._sources, self._shown = ClientSources(recording.texts, self._places), _Shown()

    def _introduce(self) -> None:
        for line in self._of.introduction():
            self._say(line)

    def _configuration_done(self, _given: Arguments) -> Body:
        if self._state == "launched":
            self._state = "walking"
            self._later.append(self._begin)
        return {}

    def _begin(self) -> None:
        stops = self._order is None or self._order.stop_on_entry
        self._stopped(self._of.walk.to_entry() if stops else self._of.walk.begin())

    def _terminate(self, _given: Arguments) -> Body:
        if self._state != "over":
            self._later.append(self._end)
        return {}

    def _disconnect(self, _given: Arguments) -> Body:
        self._state = "over"
        return {}

    def _end(self) -> None:
        self._event("terminated", {})

    # -- breakpoints ---------------------------------------------------------------------------------------

    def _set_breakpoints(self, given: Arguments) -> Body:
        text = self._sources.meant(given.inner("source"))
        wanted = []
        for each in given.several("breakpoints"):
            self._breakpoints += 1
            line = self._places.own_line(each.number("line"))
            texts = (each.text(name, "") for name in ("condition", "hitCondition", "logMessage"))
            wanted.append(WantedBreakpoint(self._breakpoints, line, *texts))
        if text is None:
            made = tuple(PlacedBreakpoint(None, each.line, "The pass does not run this file.") for each in wanted)
            return {"breakpoints": [self._breakpoint(*pair) for pair in zip(wanted, made, strict=True)]}
        made = self._of.set_breakpoints(text, wanted)
        source = self._sources.source(text.name)
        pairs = zip(wanted, made, strict=True)
        return {"breakpoints": [{**self._breakpoint(*pair), "source": source} for pair in pairs]}

    def _breakpoint(self, wanted: WantedBreakpoint, made: PlacedBreakpoint) -> Body:
        found: Body = {
            "id": wanted.number, "verified": made.breakpoint is not None, "line": self._places.line(made.line)
        }  # fmt: skip
        return {**found, "message": made.reason} if made.reason else found

    def _set_exception_breakpoints(self, given: Arguments) -> Body:
        named = (*given.texts("filters"), *(each.text("filterId") for each in given.several("filterOptions")))
        for each in named:
            if each not in FILTERS:
                raise TexelscopeError(
                    "request 'setExceptionBreakpoints'", f"filters of {', '.join(FILTERS)}",
                    f"'{shortened(each, 40)}'", "Correct the client.",
                )  # fmt: skip
        self._of.set_filters(frozenset(each for each in FILTERS if each in named))
        return {"breakpoints": [{"verified": True} for _ in named]}

    def _breakpoint_locations(self, given: Arguments) -> Body:
        text = self._sources.meant(given.inner("source"))
        first = self._places.own_line(given.number("line"))
        last = self._places.own_line(given.number("endLine", self._places.line(first)))
        lines = sorted(self._of.walk.index.lines_of(text.name)) if text is not None else ()
        return {"breakpoints": [{"line": self._places.line(each)} for each in lines if first <= each <= last]}

    # -- motions -------------------------------------------------------------------------------------------

    def _continue(self, _given: Arguments) -> Body:
        if self._ends():
            return {"allThreadsContinued": True}
        self._later.append(lambda: self._stopped(self._of.walk.go_on()))
        return {"allThreadsContinued": True}

    def _reverse_continue(self, _given: Arguments) -> Body:
        self._later.append(lambda: self._stopped(self._of.walk.go_back()))
        return {}

    def _next(self, given: Arguments) -> Body:
        by_line = given.text("granularity", "statement") != "instruction"
        return self._move(motions.over if by_line else motions.into)

    def _step_back(self, given: Arguments) -> Body:
        by_line = given.text("granularity", "statement") != "instruction"
        self._later.append(
            lambda: self._stopped(self._of.walk.move(motions.back_over if by_line else motions.back_into))
        )
        return {}

    def _move(self, motion: Callable[..., motions.Motion]) -> Body:
        if not self._ends():
            self._later.append(lambda: self._stopped(self._of.walk.move(motion)))
        return {}

    def _ends(self) -> bool:
        """Ends the session if a motion leads forwards from the end."""
        is_at_end = self._of.walk.is_at_end
        if is_at_end:
            self._later.append(self._end)
        return is_at_end

    def _restart_frame(self, given: Arguments) -> Body:
        frame = self._frame(given.number("frameId"))
        self._later.append(lambda: self._stopped(self._of.walk.to_call(frame.call)))
        return {}

    def _stopped(self, stop: Stop) -> None:
        self._shown = _Shown()
        for text in stop.printed:
            self._say(text, "stdout")
        body: Body = {"reason": stop.reason, "threadId": THREAD, "allThreadsStopped": True}
        if stop.reason == "end":
            self._say(f"{self._of.result()} Step back from here; going on ends the session.")
            body |= {"reason": "step", "description": "Paused at the end"}
        if stop.breakpoints:
            body["hitBreakpointIds"] = list(stop.breakpoints)
        if stop.reason == "exception":
            body["text"] = "; ".join(event.text for event in stop.events)
            body["description"] = "Paused on a " + " and a ".join(dict.fromkeys(_KINDS[e.filter] for e in stop.events))
        self._event("stopped", body)

    # -- what is there -------------------------------------------------------------------------------------

    def _threads(self, _given: Arguments) -> Body:
        return {"threads": [{"id": THREAD, "name": self._of.title}]}

    def _stack_trace(self, given: Arguments) -> Body:
        frames = self._of.walk.frames
        first, count = given.number("startFrame", 0), given.number("levels", 0)
        chosen = frames[max(first, 0) :][: count if count > 0 else None]
        return {
            "stackFrames": [
                {
                    "id": frame.call + 1, "name": frame.function, "source": self._sources.source(frame.line[0]),
                    "line": self._places.line(frame.line[1]), "column": 1, "canRestart": True,
                }
                for frame in chosen
            ],
            "totalFrames": len(frames),
        }  # fmt: skip

    def _frame(self, number: int) -> CallFrame:
        frame = next((each for each in self._of.walk.frames if each.call + 1 == number), None)
        if frame is None:
            raise TexelscopeError("frame", "one of the present stack", str(number), "Ask for the stack again.")
        return frame

    def _scopes(self, given: Arguments) -> Body:
        frame, of = self._frame(given.number("frameId")), self._of
        facts, walk = of.recording.facts, of.walk
        inner = walk.frames[0].call == frame.call
        found = [
            ("Variables", variables(walk, frame, facts), "locals"),
            ("Reads of this step", reads(walk, facts) if inner else (), ""),
            ("Sum beside the oracle's", sum_rows(walk, of.sums(), facts) if inner else (), ""),
            ("Given", given_rows(of), "globals"),
        ]
        return {
            "scopes": [
                {"name": name, "variablesReference": self._shown.reference(rows), "expensive": False,
                 "namedVariables": len(rows), **({"presentationHint": hint} if hint else {})}
                for name, rows, hint in found if rows or name == "Variables"
            ]
        }  # fmt: skip

    def _variables(self, given: Arguments) -> Body:
        reference = given.number("variablesReference")
        if reference not in self._shown.rows:
            raise TexelscopeError("variables", "a reference of this stop", str(reference), "Ask for the scopes again.")
        rows = self._shown.rows[reference]
        kind, start, count = given.text("filter", ""), given.number("start", 0), given.number("count", 0)
        if kind:
            rows = tuple(row for row in rows if row.name.startswith("[") == (kind == "indexed"))
        rows = rows[max(start, 0) :][: count if count > 0 else None]
        return {"variables": [{"name": row.name, "value": row.text, **self._value(row)} for row in rows]}

    def _value(self, row: ShownValue) -> Body:
        body: Body = {"variablesReference": self._shown.reference(row.parts) if row.parts else 0}
        if row.type:
            body["type"] = row.type
        if row.expression:
            body["evaluateName"] = row.expression
        if row.parts:
            body["indexedVariables" if row.is_indexed else "namedVariables"] = len(row.parts)
        return body

    def _evaluate(self, given: Arguments) -> Body:
        number = given.number("frameId", 0)
        frame = self._frame(number) if number else None
        value = self._of.evaluate(given.text("expression"), frame, names_only=given.text("context", "watch") == "hover")
        return {"result": value.text, **{name: each for name, each in self._value(value).items()
                                         if name != "evaluateName"}}  # fmt: skip

    def _exception_info(self, _given: Arguments) -> Body:
        events = self._of.walk.stop.events
        if not events:
            raise TexelscopeError("request 'exceptionInfo'", "a stop at a read or NaN", "another", "Go on to one.")
        text = "; ".join(event.text for event in events)
        return {"exceptionId": events[-1].filter, "description": text, "breakMode": "always",
                "details": {"message": text}}  # fmt: skip

    def _loaded_sources(self, _given: Arguments) -> Body:
        return {"sources": self._sources.all()}

    def _source(self, given: Arguments) -> Body:
        source = Arguments("'source' of request 'source'", {"sourceReference": given.number("sourceReference", 0)})
        text = self._sources.meant(source if source.number("sourceReference", 0) else given.inner("source"))
        if text is None:
            raise TexelscopeError("request 'source'", "a file of the shader", "another", "Ask for the loaded sources.")
        return {"content": text.text, "mimeType": "text/x-glsl"}


_KINDS = {"read": "read", "nan": "value that is not finite"}


def given_rows(of: Launched) -> tuple[ShownValue, ...]:
    """Returns what the fragment was given."""
    return given(of.walk, of.recording.facts)
