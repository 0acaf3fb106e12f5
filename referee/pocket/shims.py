"""Replacements for what MicroPython lacks of the standard library."""

import builtins
import json as _json
import re as _re
from collections import OrderedDict
from math import cos, pi, sin

Mapping = builtins.dict
dict = OrderedDict


def chain_pairs(*parts):
    for part in parts:
        yield from part.items() if isinstance(part, Mapping) else part


def fromkeys(keys, value=None):
    return OrderedDict((key, value) for key in keys)


def tuple_of(*items):
    return items


def list_of(*items):
    return list(items)


def set_of(*items):
    return set(items)


def backwards(items):
    return items.__class__(reversed(items))


def filled(text, values):
    if isinstance(values, OrderedDict):
        values = builtins.dict([(key, value) for key, value in values.items()])
    return text % values


def getter_of(items):
    return lambda key: items[key]


def sorted(items, *, key=None, reverse=False):
    """Stable, as MicroPython's own isn't."""
    items = list(items)
    keys = items if key is None else [key(each) for each in items]
    places = list(enumerate(keys))
    order = builtins.sorted([(each, -place if reverse else place) for place, each in places], reverse=reverse)
    return [items[abs(place)] for _, place in order]


def zip(*iterables, strict=False):
    if strict:
        iterables = [list(each) for each in iterables]
        if len({len(each) for each in iterables}) > 1:
            raise ValueError("zip() of different lengths")
    return builtins.zip(*iterables)  # noqa: B905 - MicroPython knows no `strict`


def str_isascii(text):
    return all(ord(each) < 128 for each in text)


def str_bit_length(number):
    return len(bin(number).lstrip("-0b"))


_UNSEEN = ((0, 31), (127, 160), (173, 173), (0x1680, 0x1680), (0x2000, 0x200F), (0x2028, 0x202F))
_UNSEEN += ((0x205F, 0x206F), (0x3000, 0x3000), (0xD800, 0xF8FF), (0xFEFF, 0xFEFF), (0xE0000, 0x10FFFF))


def str_isprintable(text):
    """As far as names go: neither controls nor spaces but the one, nor what only formats."""
    if _UNPLAIN.search(text) is None:
        return True
    return not any(first <= ord(each) <= last for each in text for first, last in _UNSEEN)


def str_isdecimal(text):
    return text.isdigit()


def str_removeprefix(text, prefix):
    return text[len(prefix) :] if text.startswith(prefix) else text


def str_removesuffix(text, suffix):
    return text[: -len(suffix)] if suffix and text.endswith(suffix) else text


_CAPITALS = {"à": "À", "è": "È", "é": "É", "ì": "Ì", "ò": "Ò", "ù": "Ù"}


def str_upper(text):
    return "".join(_CAPITALS.get(each, each) for each in text.upper())


def str_capitalize(text):
    return str_upper(text[:1]) + text[1:].lower()


# functools and itertools


def cache(function):
    known = {}

    def found(*args, **named):
        key = (args, tuple(builtins.sorted(named.items())))
        if key not in known:
            known[key] = function(*args, **named)
        return known[key]

    return found


def partial(function, *first, **given):
    def called(*rest, **named):
        return function(*first, *rest, **{k: v for part in (given, named) for k, v in part.items()})

    return called


def chain(*parts):
    for part in parts:
        yield from part


# dataclasses


class MISSING:
    pass


class Field:
    def __init__(self, name, default):
        self.name = name
        self.default = default


def declare(cls, pairs, hints=()):
    cls.__dataclass_fields__ = OrderedDict((name, Field(name, default)) for name, default in pairs)
    inherited = cls.__hints__.items() if hasattr(cls, "__hints__") else ()
    cls.__hints__ = OrderedDict(chain(inherited, hints))


def get_type_hints(cls, include_extras=False):
    return cls.__hints__


def get_args(hint):
    return hint if isinstance(hint, tuple) else ()


def fields(value):
    return tuple(value.__dataclass_fields__.values())


def replace(value, **changes):
    for name in value.__dataclass_fields__:
        if name not in changes:
            changes[name] = getattr(value, name)
    return value.__class__(**changes)


def _values(value):
    return tuple(getattr(value, name) for name in value.__dataclass_fields__)


def dataclass_eq(self, other):
    return self.__class__ is other.__class__ and _values(self) == _values(other)


def dataclass_hash(self):
    return hash(_values(self))


def dataclass_repr(self):
    named = ", ".join("%s=%r" % (name, getattr(self, name)) for name in self.__dataclass_fields__)
    return "%s(%s)" % (self.__class__.__name__, named)


# re: counts and names are written out, and a match knows what Python's knows


class _Match:
    def __init__(self, found, text, pattern):
        self._found = found
        self._pattern = pattern
        self.string = text

    def group(self, which=0):
        return self._found.group(self._pattern.names.get(which, which))

    def __getitem__(self, which):
        return self.group(which)

    def groups(self):
        return tuple(self._found.group(number) for number in range(1, self._pattern.count + 1))


class _Pattern:
    def __init__(self, pattern):
        self.names = {}
        for place, part in enumerate(pattern.replace("(?:", "").split("(")):
            if part.startswith("?P<"):
                name = part[3 : part.index(">")]
                self.names[name] = place
                pattern = pattern.replace("?P<" + name + ">", "")
        pattern = _counts_written_out(pattern)
        self.count = pattern.count("(") - pattern.count("(?") - pattern.count("\\(")
        self._pattern = _re.compile(pattern)
        self._whole = _re.compile("(?:" + pattern + ")$")

    def _of(self, found, text):
        return None if found is None else _Match(found, text, self)

    def fullmatch(self, text):
        return self._of(self._whole.match(text), text)

    def match(self, text):
        return self._of(self._pattern.match(text), text)

    def split(self, text):
        parts = []
        while True:
            found = self._pattern.search(text)
            if found is None:
                return parts + [text]
            whole = found.group(0)
            before, _, text = text.partition(whole)
            parts.append(before)
            parts.extend(self._of(found, text).groups())

    def sub(self, new, text):
        if isinstance(new, str):
            return self._pattern.sub(new, text)
        return self._pattern.sub(lambda found: new(self._of(found, text)), text)


_UNPLAIN = _re.compile("[^ -~]")


class _Class:
    """A class of characters left out, letter by letter: MicroPython's own see bytes."""

    def __init__(self, pattern):
        marks = pattern[2:-1]
        self._kept = []
        while marks:
            last = marks[2] if marks[1:2] == "-" else marks[0]
            self._kept.append((marks[0], last))
            marks = marks[3:] if marks[1:2] == "-" else marks[1:]

    def sub(self, new, text):
        if _UNPLAIN.search(text) is None:
            return text
        kept = self._kept
        return "".join(each if any(one <= each <= two for one, two in kept) else new for each in text)


def _counts_written_out(pattern):
    while True:
        found = _re.search(r"[^\\]\{(\d+)(,(\d+))?\}", pattern)
        if found is None:
            return pattern
        whole = found.group(0)
        start = pattern.index(whole)
        end = start + 1
        begin = pattern.rindex("[", 0, end) if pattern[start] == "]" else start
        if pattern[begin - 1] == "\\":
            begin -= 1
        item = pattern[begin:end]
        least = int(found.group(1))
        most = int(found.group(3) or least)
        pattern = (
            pattern[:begin] + item * least + (item + "?") * (most - least) + pattern[start + len(whole) :]
        )


class re:
    ASCII = 0

    @staticmethod
    def compile(pattern, flags=0):
        return _Class(pattern) if pattern.startswith("[^") and not str_isascii(pattern) else _Pattern(pattern)


# json


class json:
    @staticmethod
    def dumps(value, **_):
        return _json.dumps(value)

    loads = staticmethod(_json.loads)


# What is written: markup, addresses, and messages in the reader's language


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoteattr(text):
    text = escape(text).replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")
    if '"' not in text:
        return '"' + text + '"'
    return '"' + text.replace('"', "&quot;") + '"' if "'" in text else "'" + text + "'"


_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"


def _quoted(value):
    return "".join(each if each in _PLAIN else _bytes(each) for each in str(value))


def _bytes(letter):
    return "+" if letter == " " else "".join("%%%02X" % each for each in letter.encode())


def urlencode(query, doseq=False):
    pairs = []
    for name, value in query.items():
        for each in value if isinstance(value, (list, tuple)) else (value,):
            pairs.append(_quoted(name) + "=" + _quoted(each))
    return "&".join(pairs)


_spoken = {"language": "", "texts": {}}


def speak(language, texts):
    """The language of all messages from now on, and its texts by message."""
    _spoken["language"] = language
    _spoken["texts"] = texts


def reader_language():
    return _spoken["language"]


def gettext(message):
    return _spoken["texts"].get(message, message)


def ngettext(one, many, number):
    if one not in _spoken["texts"]:
        return one if number == 1 else many
    text = _spoken["texts"][one]
    places = text["by_number"]
    half = len(places) // 2
    return text["forms"][int(places[number if number < 2 * half else half + number % half])]


SOURCE_LANGUAGE = "en"


def mark(message, context=""):
    return context + "\4" + message if context else message


def mark_plural(one, many):
    return one, many


def translate(message, language, context=""):
    message = mark(message, context)
    plain = message.split("\4")[-1]
    if language != _spoken["language"]:
        return plain
    return _spoken["texts"].get(message) or gettext(plain)


def translate_plural(one, many, count, language):
    if language != _spoken["language"]:
        return one if count == 1 else many
    return ngettext(one, many, count)
