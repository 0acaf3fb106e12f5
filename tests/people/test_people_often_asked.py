"""A query that is put together once gives what Django gives that puts it together each time."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from people import pairings
from people.actors import secret_hash
from people.often_asked import OftenLoaded
from publishing import subjects
from tests import factories
from tournaments import cards, standing

pytestmark = pytest.mark.django_db


def all_of(made: Any) -> dict[str, Any]:
    """Fields, annotations and the rows that are referred to, each with its own."""
    own = {name: value for name, value in vars(made).items() if name != "_state"}
    cached = {name: each for name, each in made._state.fields_cache.items() if isinstance(each, Model)}
    # A row that is referred to refers back.
    return own | {name: vars(each) | {"_state": each._state.db} for name, each in cached.items()}


def same_twice(
    often: OftenLoaded[Any], texts: Sequence[tuple[str, ...]], counts: DjangoAssertNumQueries
) -> list[Any]:
    """What is loaded of each; asked twice, since the first time it is put together."""
    for each in texts:
        usual = often._put_together(*each, timezone.now()).first()
        for _ in range(2):
            with counts(1):
                found = often.first(*each)
            assert type(found) is type(usual)
            if found is not None:
                assert all_of(found) == all_of(usual)
                assert found._state.adding is False
    return [often.first(*each) for each in texts]


def test_what_is_loaded_is_what_django_loads(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = factories.make_event()
    tournament = factories.drawn_tournament(event)
    standing.compute(tournament.pk)
    pairing, secret = factories.make_pairing(event)
    table = event.tables.get(number=1)
    nobody = "nobody’s"
    [found, none] = same_twice(
        pairings._by_secret, [(secret_hash(secret),), (nobody,)], django_assert_num_queries
    )
    assert (found, found.event, found.referee, none) == (pairing, event, pairing.referee, None)
    [found, none] = same_twice(cards._by_code, [(table.code,), (nobody,)], django_assert_num_queries)
    assert (found, found.event, found.announced, none) == (table, event, 0, None)
    slugs = [(event.slug, tournament.slug), (event.slug, nobody)]
    [found, none] = same_twice(subjects._often, slugs, django_assert_num_queries)
    assert (found, found.event, found.standings, none) == (tournament, event, 1, None)
