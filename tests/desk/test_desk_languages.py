"""A form speaks the language of its page, whichever page was opened first."""

import pytest
from django.test import Client
from django.utils import translation

from tests.desk.palio import Palio
from tests.support.forms import address

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("language", "name"), [("it", "Scontro diretto"), ("en", "Direct match")])
def test_metrics_are_named_in_the_language_of_the_page(
    palio: Palio, desk: Client, language: str, name: str
) -> None:
    with translation.override(language):
        path = address("tournament-new", palio.event.slug)
    answer = desk.get(path).content.decode()
    told = {each for each in ("Scontro diretto", "Direct match") if f">{each}</option>" in answer}
    assert told == {name}
