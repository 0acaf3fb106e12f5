"""The API answers in the language that the caller asks for, also where the framework refuses."""

import base64
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation
from rest_framework import exceptions, serializers
from rest_framework.test import APIClient

import api
from api.fields import Choice, Shape
from games.engine import Refusal
from tests.support.festival import Festival
from tournaments.facts.log_names import check_storable


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    """All of them, at any depth."""
    for each in of.__subclasses__():
        yield each
        yield from subclasses(each)


def bodies() -> list[type[serializers.Serializer[Any]]]:
    """Everything that a call can send, as its body or behind its address."""
    for module in pkgutil.walk_packages(api.__path__, "api."):
        importlib.import_module(module.name)
    made_here = [each for each in subclasses(serializers.Serializer) if each.__module__.startswith("api.")]
    return [each for each in made_here if not issubclass(each, Shape)]


def messages_of(field: Any) -> Iterator[Any]:
    """Every text with which a field and those in it can refuse what is sent."""
    yield from field.error_messages.values()
    yield from (each.message for each in field.validators if hasattr(each, "message"))
    for inner in getattr(field, "fields", {}).values():
        yield from messages_of(inner)
    if (child := getattr(field, "child", None)) is not None:
        yield from messages_of(child)


def sentences(language: str) -> list[str]:
    """All texts of all bodies; made anew, since the framework fills each in once."""
    with translation.override(language):
        return [str(text) for body in bodies() for text in messages_of(body())]


def same(english: list[str], italian: list[str]) -> set[str]:
    """Texts that are the same in both languages."""
    return {one for one, other in zip(english, italian, strict=True) if one == other}


def test_every_field_message_has_its_italian() -> None:
    english = sentences("en")

    assert len(english) > 1_000
    assert same(english, sentences("it")) == set()


def test_every_framework_refusal_has_its_italian() -> None:
    errors = [each for each in subclasses(exceptions.APIException) if each.__module__ == exceptions.__name__]
    texts = []
    for language in ("en", "it"):
        with translation.override(language):
            texts.append([str(each.default_detail) for each in errors])

    assert len(errors) > 8
    assert same(*texts) == set()


def test_twin_message_without_italian_is_found() -> None:
    assert same(["Not found.", "Invalid input."], ["Qui non c’è niente.", "Invalid input."]) == {
        "Invalid input."
    }


def refused(answer: Any) -> str:
    """The sentence of a problem: that of the first wrong field where there is one."""
    body = answer.json()
    return str(body["problems"][0]["detail"] if "problems" in body else body["detail"])


def test_wrong_values_are_refused_in_italian(festival: Festival, organizer: APIClient) -> None:
    body = {"team": "Centro", "first_name": "Ada", "last_name": 7, "birth_date": "5/3/2015"}
    address = f"/api/v1/events/{festival.event.pk}/entries/"

    answer = organizer.post(address, body, format="json", headers={"Accept-Language": "it"})

    assert {each["field"]: each["detail"] for each in answer.json()["problems"]} == {
        "team": "Qui ci vuole un UUID.",
        "last_name": "Qui ci vuole un testo.",
        "birth_date": "La data non è scritta nel modo giusto: ci vuole YYYY-MM-DD.",
    }


def test_unsupported_media_type_is_refused_in_italian(festival: Festival, organizer: APIClient) -> None:
    address = f"/api/v1/events/{festival.event.pk}/entries/"

    answer = organizer.post(address, "a", content_type="text/plain", headers={"Accept-Language": "it"})

    assert (answer.status_code, refused(answer)) == (
        415,
        "Il corpo della richiesta è di tipo “text/plain”, che qui non si accetta.",
    )


def test_missing_csrf_token_is_refused_in_italian(festival: Festival) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(festival.organizer)
    address = f"/api/v1/events/{festival.event.pk}/entries/"

    answer = client.post(address, {}, format="json", headers={"Accept-Language": "it"})

    assert (answer.status_code, refused(answer)) == (
        403,
        "Chi chiama con i cookie delle pagine manda anche il loro token CSRF, nell’intestazione X-CSRFToken.",
    )


def test_value_that_no_fact_can_hold_is_refused_in_italian() -> None:
    with pytest.raises(Refusal) as caught:
        check_storable({"a": [1, 0.5]})

    assert caught.value.expected("it") == (
        "Si possono conservare solo testi, numeri interi fino a 2^53, true, false, null, elenchi e oggetti; "
        "in $.a[1] c'è altro."
    )


def test_unknown_choice_is_refused_with_the_choices(festival: Festival, organizer: APIClient) -> None:
    address = f"/api/v1/events/{festival.event.pk}/"
    told = []
    for language in ("en", "it"):
        headers = {"Accept-Language": language}
        told += [
            refused(organizer.patch(address, {"language": "fr"}, format="json", headers=headers)),
            refused(organizer.get(f"{address}entries/", {"status": "x"}, headers=headers)),
        ]

    assert told == [
        "“fr” isn’t one of the choices: it, en.",
        "“x” isn’t one of the choices: entered, withdrawn, absent.",
        "“fr” non è tra le scelte possibili: it, en.",
        "“x” non è tra le scelte possibili: entered, withdrawn, absent.",
    ]


def choices(field: Any) -> Iterator[serializers.ChoiceField]:
    """The choices of a field, and of those in it."""
    if isinstance(field, serializers.ChoiceField):
        yield field
    for inner in getattr(field, "fields", {}).values():
        yield from choices(inner)
    if (child := getattr(field, "child", None)) is not None:
        yield from choices(child)


def test_every_choice_field_of_a_body_names_its_choices() -> None:
    found = [each for serializer in bodies() for each in choices(serializer())]

    assert len(found) > 20
    assert [each for each in found if not isinstance(each, Choice)] == []


def test_empty_name_wrong_boolean_and_late_moment_are_refused_in_italian(
    festival: Festival, organizer: APIClient
) -> None:
    event, headers = f"/api/v1/events/{festival.event.pk}/", {"Accept-Language": "it"}

    answers = [
        organizer.post(f"{event}teams/", {"name": ""}, format="json", headers=headers),
        organizer.get(f"{event}archive/", {"people": "maybe"}, headers=headers),
        organizer.get(
            f"/api/v1/games/{festival.game.game_id}/log/",
            {"at": "9999-12-31T23:59:59+00:00"},
            headers=headers,
        ),
    ]

    assert [(answer.status_code, refused(answer)) for answer in answers] == [
        (422, "Questo campo non può restare vuoto."),
        (422, "Qui ci vuole true o false."),
        (422, "Questa data con l’ora è fuori dai limiti."),
    ]


def test_import_with_an_unclosed_quote_is_refused_with_its_line(
    festival: Festival, organizer: APIClient
) -> None:
    text = 'cognome;nome;data di nascita;contrada\nNava;Ada;13/07/2015;Centro\nRiva;"Ivo;06/01/2015;Centro\n'
    body = {"file": base64.b64encode(text.encode()).decode()}

    answer = organizer.post(f"/api/v1/events/{festival.event.pk}/import/preview/", body, format="json")

    (row,) = answer.json()["problems"]
    assert (answer.status_code, row["code"], row["field"], row["line"]) == (422, "quote-not-closed", "", 3)
