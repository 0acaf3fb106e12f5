"""Log events and their JSON objects: reading with `malformed` for whatever can't be read, and writing.

What the fields of each type hold is declared with its class.
"""

from collections.abc import Mapping
from typing import Any, Final, NoReturn

from games.engine.events import EVENT_CLASSES, EVENT_FIELDS, NEEDED, Event, LogEvent, Seat
from games.engine.field_kinds import Reader
from games.engine.phrases import shown
from games.engine.refusals import Refusal
from games.engine.ruleset import Ruleset


def parse_event(obj: object, *, line: int | None = None) -> Event:
    """The event that a JSON object (as a mapping) stands for; Refusal `malformed` if it is none.

    `line` is only named in the refusal. Whether a seat is at the table is checked when the event is applied.
    """
    if not isinstance(obj, Mapping):
        raise Refusal("malformed", "an event is a JSON object with a `type`", line=line)
    obj = dict(obj)
    type_ = obj.pop("type", None)
    found = _BY_TYPE.get(type_) if type(type_) is str else None
    if found is None:
        _refuse_type(type_, line)
    cls, readers, is_checked = found
    try:
        event = cls(**{name: readers[name](value) for name, value in obj.items()})
    except (KeyError, TypeError, Refusal):
        _refuse_fields(obj, cls, readers, line)
    if is_checked:
        try:
            event.check_fields()
        except Refusal as refusal:
            raise refusal.at(line, type_) from None
    return event


def _refuse_type(type_: object, line: int | None) -> NoReturn:
    if type(type_) is str:
        raise Refusal(
            "malformed",
            "there is no type {given}; there are {types}",
            line=line,
            type=type_,
            given=shown(type_),
            types=", ".join(_BY_TYPE),
        )
    raise Refusal("malformed", "an event needs a `type`, a text", line=line)


def _refuse_fields(
    obj: Mapping[Any, Any], cls: type[Event], readers: Mapping[str, Reader], line: int | None
) -> NoReturn:
    """Say which field is unknown, missing or unreadable; reading goes without asking, until it fails."""
    for name in obj:
        if name not in readers:
            raise Refusal(
                "malformed",
                "`{event}` has no field {given}; its fields are {fields}",
                line=line,
                type=cls.type,
                event=cls.type,
                given=shown(name),
                fields=", ".join(readers),
            )
    for name in readers:
        if name not in obj:
            if name in NEEDED[cls]:
                raise Refusal(
                    "malformed",
                    "`{event}` needs `{field}`",
                    line=line,
                    type=cls.type,
                    event=cls.type,
                    field=name,
                )
            continue
        try:
            readers[name](obj[name])
        except Refusal as refusal:
            refusal.values.setdefault("field", name)
            raise refusal.at(line, cls.type) from None
    raise AssertionError("fields that can't be read one by one can't be read together")


_BY_TYPE: Final[dict[str, tuple[type[Event], dict[str, Reader], bool]]] = {
    cls.type: (
        cls,
        {name: kind.read for name, kind in EVENT_FIELDS[cls].items()},
        cls.check_fields is not LogEvent.check_fields,
    )
    for cls in EVENT_CLASSES
}
"""Each type's class, how its fields are read, and whether they can contradict each other."""


def content_of(obj: Mapping[str, Any]) -> dict[str, Any]:
    """What the JSON object of an event says, without when and by whom it was recorded."""
    return {name: value for name, value in obj.items() if name not in ("at", "by")}


def event_to_json(event: Event) -> dict[str, Any]:
    """The JSON object of an event: only what is set, `type` first, then its fields, `at` and `by`."""
    obj: dict[str, Any] = {"type": event.type}
    cls = event.__class__
    for name in EVENT_FIELDS[cls]:
        value = getattr(event, name)
        if value is not None or name in NEEDED[cls]:
            obj[name] = _plain(value)
    return obj


def _plain(value: Any) -> Any:
    if isinstance(value, Ruleset):
        return value.to_json()
    if isinstance(value, Seat):
        return {"name": value.name} if value.team is None else {"name": value.name, "team": value.team}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
