"""The modules of the engine on the phone: how they are rewritten, and what a guided page is made of."""

import ast
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import ngettext

from people.actors import Actor
from referee.pocket.game_page import guided
from referee.pocket.modules import MODULES, bundle, digest
from referee.pocket.plural_forms import NUMBERS
from referee.pocket.transform import SHIMS, UnwritableError, transformed
from tests.support import ROOT, factories
from tests.support.faults import put_fault_in
from tests.support.phones import address, phone, read
from tests.support.pseudo_language import TAG, registered
from tests.support.recorded_game import table_log
from tests.support.stored_games import BEGIN
from tournaments.commands import results
from tournaments.models import MatchGame


def written(source: str) -> str:
    """Source that only names what is in the shims."""
    return "\n".join(line for line in transformed(source).splitlines() if not line.startswith("from shims"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '"""What it is."""\ndef f(x: int, /, *, y: str = "") -> None:\n    """Nothing."""',
            "def f(x, *, y=''):\n    pass",
        ),
        (
            "Reader = Callable[[Any], Any]\nfrom collections.abc import Callable\nn: Final = 3\nm: int",
            "Reader = None\nn = 3",
        ),
        ("a = {'x': 1, **b, 'y': 2}", "a = dict(chain_pairs((('x', 1),), dict(b), (('y', 2),)))"),
        ("a = {x: y for x, y in b}", "a = dict(((x, y) for x, y in b))"),
        ("a = (*b, 1)\nc, *d = a\nf(*b)", "a = tuple_of(*b, 1)\nc, *d = a\nf(*b)"),
        ("dict.fromkeys(a, 0)\na.upper()\nb[::-1]", "fromkeys(a, 0)\nstr_upper(a)\nbackwards(b)"),
        (
            "match a:\n    case 'x' | 'y':\n        b()\n    case None:\n        c()\n"
            "    case _:\n        d()",
            "_subject_1 = a\nif _subject_1 == 'x' or _subject_1 == 'y':\n    b()\n"
            "elif _subject_1 is None:\n    c()\nelse:\n    d()",
        ),
    ],
)
def test_syntax_that_micropython_lacks_is_rewritten(source: str, expected: str) -> None:
    assert written(source).split() == expected.split()


def test_dataclass_is_rewritten_as_a_class_with_its_methods() -> None:
    source = (
        "from dataclasses import dataclass, field\n@dataclass(frozen=True, slots=True)\nclass Step:\n"
        "    name: str\n    kind: ClassVar[str]\n    parts: list[int] = field(default_factory=list)\n"
    )
    assert written(source) == (
        "\nclass Step:\n\n    def __init__(self, name, parts=None):\n        self.name = name\n"
        "        self.parts = list() if parts is None else parts\n    __eq__ = dataclass_eq\n"
        "    __hash__ = dataclass_hash\n    __repr__ = dataclass_repr\n"
        "declare(Step, (('name', MISSING), ('parts', MISSING)))"
    )


def test_keyword_only_fields_come_last_where_they_are_inherited() -> None:
    source = (
        "from dataclasses import dataclass\n@dataclass(kw_only=True)\nclass Base:\n    at: str = ''\n"
        "@dataclass\nclass Step(Base):\n    name: str\n"
    )
    assert "declare(Step, (('name', MISSING), ('at', '')))" in written(source)


def test_dataclass_fields_keep_what_they_are_annotated_with() -> None:
    source = (
        "from dataclasses import dataclass\n@dataclass\nclass Step:\n    name: str\n"
        "    kind: Annotated[Literal['a', 'b'], Rule('x', n={})]\n    count: Annotated[int, Rule('y')]\n"
    )
    assert written(source).splitlines()[-1] == (
        "declare(Step, (('name', MISSING), ('kind', MISSING), ('count', MISSING)), "
        "(('kind', (('a', 'b'), Rule('x', n=dict()))), ('count', (int, Rule('y')))))"
    )


@pytest.mark.parametrize(
    "source",
    [
        "match a:\n    case [x]:\n        pass",
        "match a:\n    case 1 if b:\n        pass",
        "a[::2]",
        "async def f(): pass",
        "try:\n    pass\nexcept* A:\n    pass",
        "@dataclass\nclass A:\n    x: int\n@dataclass\nclass B(A):\n    y: int",
        "@dataclass\nclass A:\n    x: int = field(repr=False)",
        "@dataclass\nclass A:\n    x: int\n    def __post_init__(self): pass",
    ],
)
def test_syntax_that_can_t_be_rewritten_is_refused_with_its_line(source: str) -> None:
    with pytest.raises(UnwritableError, match="line "):
        transformed(source)


def test_imports_are_kept_of_bundled_modules_that_are_used() -> None:
    source = (
        "import json\nimport re\nfrom games.engine import telling\nfrom games.engine.bots import play\n"
        "from games.engine.cards import CARDS, Card\nx = json, telling, play, CARDS\n"
    )
    assert transformed(source, ("games.engine.cards", "games.engine.telling")).splitlines() == [
        "from shims import json",
        "from games.engine import telling",
        "from games.engine.cards import CARDS",
        "x = (json, telling, play, CARDS)",
    ]


def names_of(tree: ast.Module) -> set[str]:
    """What a module has once it is loaded."""
    names = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names |= {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return names | {name for _, name in imports_of(tree).values()}


def imports_of(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """By the names that a module uses: where they are from, and what they are called there.

    Those in functions are among them.
    """
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            found |= {alias.asname or alias.name: (module, alias.name) for alias in node.names}
    return found


def unresolved(
    source: str, on_phone: ast.Module, modules: Collection[str], there: Mapping[str, Collection[str]]
) -> dict[str, tuple[str, str]]:
    """The imports in a module's source that the phone can't follow; `on_phone` is the module as it is there,
    and `there` are the names in each of its modules. An import for annotations alone isn't needed there.
    """
    taken = imports_of(on_phone)
    used = {node.id for node in ast.walk(on_phone) if isinstance(node, ast.Name)}
    left_out = {
        name: source_of
        for name, source_of in imports_of(ast.parse(source)).items()
        if name not in taken and name.partition(".")[0] in used
    }
    lacking = {
        name: (module, own)
        for name, (module, own) in taken.items()
        if f"{module}.{own}" not in modules and own not in there.get(module, ())
    }
    return left_out | lacking


def test_every_import_of_a_bundled_module_is_there_on_the_phone() -> None:
    """The other modules and the shims are all that a phone has: these stand for the standard library, too."""
    files = json.loads(bundle())["files"]
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files}
    trees = {module: ast.parse(files[path]) for module, path in modules.items()}
    there = {module: names_of(tree) for module, tree in trees.items()}
    sources = {module: (ROOT / modules[module]).read_text("utf-8") for module in MODULES}

    found = {module: unresolved(sources[module], trees[module], MODULES, there) for module in MODULES}

    assert {module: imports for module, imports in found.items() if imports} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from rendering.text.numbers import ordinal",
        "from games.engine.bots import ordinal",
        "from games.engine import ordinal",
        "from games.engine.cards import ordinal",
        "from statistics import ordinal",
        "import ordinal",
    ],
)
@pytest.mark.parametrize("where", ["{line}\nordinal(1)", "def told():\n    {line}\n    return ordinal(1)"])
def test_import_that_a_phone_cannot_follow_is_found(line: str, where: str) -> None:
    there = {"games.engine": {"replay"}, "games.engine.cards": {"CARDS"}, SHIMS: {"partial"}}
    modules = ("games.engine", "games.engine.cards")
    source = where.format(line=line)

    found = unresolved(source, ast.parse(transformed(source, modules)), modules, there)

    assert list(found) == ["ordinal"]


def test_import_of_a_bundled_module_or_for_an_annotation_is_followed() -> None:
    there = {"games.engine.cards": {"CARDS"}, SHIMS: {"partial"}}
    source = (
        "from functools import partial\nfrom games.engine.cards import CARDS\n"
        "from games.engine import cards\n"
        "from people.models import Team\nx: Team = partial(CARDS, cards)\n"
    )
    modules = ("games.engine", "games.engine.cards")

    found = unresolved(source, ast.parse(transformed(source, modules)), modules, there)

    assert found == {}


def test_bundle_has_the_messages_of_each_language_that_are_not_the_code_s() -> None:
    texts = json.loads(bundle())["texts"]

    assert set(texts) == {"it", "en"}
    assert texts["it"]["Which card?"] == "Quale carta?"
    assert texts["it"]["%(count)d card"]["forms"] == ["%(count)d carte", "%(count)d carta"]
    assert {type(text) for text in texts["en"].values()} <= {dict}


def test_bundle_has_every_plural_form_of_a_language_of_three(tmp_path: Path) -> None:
    with registered(tmp_path), translation.override(TAG):
        found = json.loads(bundle())["texts"][TAG]["%(count)d card"]
        spoken = [ngettext("%(count)d card", "%(count)d cards", number) for number in range(NUMBERS)]

    assert len(found["forms"]) == 3
    assert [found["forms"][int(place)] for place in found["by_number"]] == spoken


def test_worker_alone_may_run_webassembly(client: Client) -> None:
    worker = client.get("/t/engine.js")
    assert "'wasm-unsafe-eval'" in worker["Content-Security-Policy"]
    assert worker["Content-Type"] == "text/javascript"
    assert "wasm" not in client.get("/t/offline/")["Content-Security-Policy"]


def test_engine_modules_are_sent_once(client: Client) -> None:
    answer = client.get("/t/engine.json", HTTP_ACCEPT_ENCODING="gzip")
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    assert digest().hex().startswith(answer["ETag"].strip('W/"'))
    assert client.get("/t/engine.json", HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 304


# What is guided


def kit_of(game: MatchGame, events: list[dict[str, Any]], **query: str) -> dict[str, Any]:
    """What the page's script asks the engine, from the table's kit."""
    answer = phone(game.match.stage.tournament.event).get(f"/en/t/{game.match.table.code}/kit/")
    kit = json.loads(answer.content)
    found = next(each for each in kit["matches"][0]["games"] if each["id"] == str(game.game_id))
    return {
        "snapshot": found["snapshot"],
        "events": events,
        "names": [seat["name"] for seat in found["seats"]],
        "plates": [seat["plate"] for seat in found["seats"]],
        "teams": [seat["team"] for seat in found["seats"]],
        "banners": {key: team["look"] for key, team in kit["teams"].items()},
        "team_names": {key: team["name"] for key, team in kit["teams"].items()},
        "query": {name: [value] for name, value in query.items()},
    }


@pytest.mark.django_db
@pytest.mark.parametrize("query", [{}, {"do": "more"}, {"color": "R"}])
def test_guided_page_is_that_of_the_service(query: dict[str, str]) -> None:
    """Half of the entries wait on the phone; the page is what the service shows once it has them all."""
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]
    entries = [*BEGIN, {"type": "cards_played", "seat": 1, "cards": ["R7"]}]
    results.write_log(game, Actor.command(), [(None, event) for event in entries[:2]])
    kit = kit_of(game, entries[2:], **query)
    with translation.override("en"):
        found = guided(kit, "en")
    results.write_log(game, Actor.command(), [(None, event) for event in entries[2:]])
    address_of = "&".join(f"{name}={value}" for name, value in query.items())
    page = read(phone(game.match.stage.tournament.event), address(game, f"cards/?{address_of}", "/en"))
    taps = [tap for group in found["groups"] for tap in group["taps"]]

    assert [json.loads(tap["event"]) for tap in taps if tap["event"]] == [event for _, event in page.events()]
    assert taps
    assert found["table"].replace('"', "'") in page.html.replace('"', "'")
    for words in (found["question"], *(group["title"] for group in found["groups"])):
        assert words in page.text


@pytest.mark.django_db
def test_guided_page_refuses_an_entry_that_isn_t_legal() -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]
    for wrong in (
        {"type": "turn_passed", "seat": 0},
        {"type": "nonsense"},
        {"type": "event_voided", "line": 1, "reason": "typing-error"},
    ):
        assert guided(kit_of(game, [BEGIN[0], wrong]), "en")["refused"] == 1


@pytest.mark.django_db
@pytest.mark.parametrize("is_faulty", [True, False])
def test_guided_game_that_the_engine_can_t_follow_is_lost(
    monkeypatch: pytest.MonkeyPatch, *, is_faulty: bool
) -> None:
    game = factories.games_of(factories.drawn_tournament(factories.make_event(), entries=1))[0]
    challenged = next(
        place for place, event in enumerate(table_log(), 1) if event["type"] == "challenge_made"
    )
    kit = kit_of(game, table_log()[:challenged])
    if is_faulty:
        put_fault_in(monkeypatch)

    answer = guided(kit, "en")

    assert (answer == {"is_lost": True}, "groups" in answer) == (is_faulty, not is_faulty)
