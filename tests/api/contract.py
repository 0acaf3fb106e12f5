"""Schemathesis over the whole description: calls made of it, as each kind of caller, and what answers break.

All its checks are on. One of them, `positive_data_acceptance`, takes a 400, 412 or 422 to what fits the
description for a failure; but what fits it may still be refused for what is stored (422 with a code of its
own, as `cannot-draw`), and RFC 9110 has 412 for a row that was changed. It is told so, and
`refused_by_a_rule` asks instead that a 400 be one that a description can't say. Another one,
`negative_data_rejection`, doesn't know that 412 comes before a body is read, as RFC 9110 has it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import schemathesis
from drf_spectacular.generators import SchemaGenerator
from schemathesis.checks import CheckContext
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.engine import events, from_schema
from schemathesis.generation.case import Case

from api.fields import UUID_FORM
from people.models import ApiToken
from tests.support import factories
from tests.support.festival import Festival
from tournaments.scheduling.solving import exact_method

PHASES = ("examples", "coverage", "fuzzing", "stateful")
ACCEPTED = ["2xx", "304", "400", "401", "403", "404", "409", "412", "422", "429"]
REJECTED = ["400", "401", "403", "404", "405", "406", "409", "412", "415", "422", "428", "429"]
# What JSON readers disagree about is refused in any body; a description could only say it of each text in it.
NO_JSON_FOR_ALL = {"null-character", "number-too-large"}

Actor = Callable[[Festival], dict[str, str]]


def _token(scope: str) -> Actor:
    def headers(festival: Festival) -> dict[str, str]:
        return {"Authorization": f"Bearer {factories.make_token(festival.organizer, scope)[1]}"}

    return headers


def _phone(festival: Festival) -> dict[str, str]:
    return {"Authorization": f"Pairing {factories.make_pairing(festival.event)[1]}"}


ACTORS: dict[str, Actor] = {
    **{scope: _token(scope) for scope in ApiToken.Scope.values},
    "phone": _phone,
    "public": lambda _festival: {},
}
"""The headers of each kind of caller: a token of each scope, a referee's phone, nobody."""


@dataclass
class Outcome:
    """How many calls were made, of which operations, and each different thing that was wrong, with the call
    and the answer.
    """

    calls: int = 0
    operations: set[str] = field(default_factory=set)
    failures: dict[tuple[str, ...], str] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)
    """What fitted the description and was refused as invalid input (422): the operation, the field and why,
    and how often. A rule over several fields, or over what is stored; what a description can say belongs
    there.
    """


def fits(case: Case[Any]) -> bool:
    """Whether a call was made to fit the description.

    Of a call whose header was made not to, the tool says it fits if only its body does, and also where it
    leaves other optional headers out.
    """
    if case.meta is None or case.meta.generation.mode.is_negative:
        return False
    key = case.headers.get("Idempotency-Key") if case.headers else None
    return (key is None or UUID_FORM.match(str(key)) is not None) and not any(
        part.mode.is_negative for part in case.meta.components.values()
    )


@schemathesis.check
def refused_by_a_rule(ctx: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """What fits the description isn't refused as if it couldn't be read."""
    if response.status_code != 400 or not fits(case):
        return None
    code = response.json().get("code")
    if code not in NO_JSON_FOR_ALL:
        raise Failure(
            operation=case.operation.label,
            title="Refused although it fits the description",
            message=f"400 {code}",
        )
    return None


@schemathesis.serializer("application/zip", "application/x-ndjson")
def as_it_is(_context: Any, value: Any) -> bytes:
    """Files go out as their bytes."""
    value = getattr(value, "data", value)
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


def run(
    url: str,
    headers: Mapping[str, str],
    festivals: tuple[Festival, ...],
    *,
    examples: int,
    seed: int,
    phases: tuple[str, ...] = ("fuzzing",),
    told: Callable[[str], None] = lambda _line: None,
) -> Outcome:
    """Call the service at `url`; addresses name rows of these festivals, or nothing that there is."""
    # Loads NumPy: Hypothesis looks for it at each call, and mustn't find it half loaded by a server's thread.
    exact_method()
    config = SchemathesisConfig.from_dict(
        {
            "base-url": url,
            "seed": seed,
            "headers": dict(headers),
            "continue-on-failure": True,
            "phases": {name: {"enabled": name in phases} for name in PHASES},
            "generation": {"max-examples": examples, "database": "none", "no-shrink": True},
            "cache": {"enabled": False},
            # The secrets are those of a database that is thrown away.
            "output": {"sanitization": {"enabled": False}},
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ACCEPTED},
                "negative_data_rejection": {"expected-statuses": REJECTED},
            },
        }
    )
    schema = schemathesis.openapi.from_dict(narrowed(description(), ids(festivals)), config=config)
    outcome = Outcome()
    for event in from_schema(schema).execute():
        for key, failure in failures(event):
            if key not in outcome.failures:
                outcome.failures[key] = failure
                told(failure)
        if isinstance(event, events.ScenarioFinished):
            outcome.calls += len(event.recorder.interactions)
            outcome.refusals.update(refusals(event))
            outcome.operations.update(each.value.operation.label for each in event.recorder.cases.values())
    return outcome


def description() -> dict[str, Any]:
    """The description as it is served."""
    generator: Any = SchemaGenerator
    made: dict[str, Any] = generator().get_schema(request=None, public=True)
    return made


def ids(festivals: tuple[Festival, ...]) -> dict[str, list[str]]:
    """For each name of an address's part the ids of the festivals' rows, and one that is nobody's."""
    found: dict[str, list[str]] = {}
    for festival in festivals:
        rows = {
            "event_id": festival.event,
            "team_id": festival.teams[0],
            "entry_id": festival.entry,
            "referee_id": festival.referee,
            "pairing_id": festival.pairing,
            "announcement_id": festival.announcement,
            "webhook_id": festival.webhook,
            "table_id": festival.table,
            "tournament_id": festival.tournament,
            "squad_id": festival.squad,
            "match_id": festival.match,
            "token_id": factories.make_token(festival.organizer)[0],
        }
        for name, row in rows.items():
            found.setdefault(name, []).append(str(row.pk))
        found.setdefault("game_id", []).extend(str(each.game_id) for each in festival.games[:3])
    return {name: [*values, str(uuid4())] for name, values in found.items()}


def narrowed(described: dict[str, Any], known: dict[str, list[str]]) -> dict[str, Any]:
    """The description with the ids that there are in place of any id: of ids by chance all would be a 404."""
    described = deepcopy(described)
    for methods in described["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] in known:
                    parameter["schema"] = {"type": "string", "enum": known[parameter["name"]]}
    return described


def refusals(event: events.ScenarioFinished) -> Iterator[str]:
    """What of one step's calls fitted the description and was refused as invalid input."""
    for case_id, interaction in event.recorder.interactions.items():
        answer, node = interaction.response, event.recorder.cases[case_id]
        if answer is not None and answer.status_code == 422 and fits(node.value):
            said = answer.json()
            where = said.get("problems") if said.get("code") == "invalid-input" else None
            for each in where or ():
                yield f"{node.value.operation.label}: {each['field']}: {each['code']}"


def told(answer: Response | None) -> str:
    """The beginning of an answer."""
    return "no answer" if answer is None else f"{answer.status_code} {(answer.content or b'')[:300]!r}"


def is_gone(check: str, operation: str, answer: Response | None) -> bool:
    """Whether a call that removed a row was only made once more without authentication, and found nothing."""
    is_removal = operation.startswith("DELETE ") or operation.endswith("/remove")
    return check == "ignored_auth" and is_removal and answer is not None and answer.status_code == 404


def failures(event: events.EngineEvent) -> Iterator[tuple[tuple[str, ...], str]]:
    """What one step of the run found, each with what tells it from others."""
    if isinstance(event, events.NonFatalError):
        yield ("error", str(event.label), str(event.info)), f"{event.label}: {event.info}"
    elif isinstance(event, events.FatalError):
        raise event.exception
    elif isinstance(event, events.ScenarioFinished):
        recorder = event.recorder
        for case_id, checks in recorder.checks.items():
            for each in (each for each in checks if each.failure_info is not None):
                assert each.failure_info is not None
                failure = each.failure_info.failure
                interaction = recorder.interactions.get(case_id)
                answer = interaction.response if interaction else None
                if is_gone(each.name, str(failure.operation), answer):
                    continue
                key = (each.name, str(failure.operation), failure.title, failure.message[:150])
                yield (
                    key,
                    f"{each.name}: {failure.operation}: {failure.title}: {failure.message[:600]}\n"
                    f"  {each.failure_info.code_sample[:900]}\n"
                    f"  {told(answer)}\n",
                )
