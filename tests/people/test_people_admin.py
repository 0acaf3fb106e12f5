"""The operator's pages: rows to look at, no child's name among them."""

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from people import check_in
from people.actors import make_token
from people.entries import enter_by_hand
from people.events import add_referee
from people.models import Account, ApiToken, AuditEntry, Entry, Event, Pairing, Person, Referee, Team
from people.pairings import ask
from tests.people.support import festival

LOOKED_AT: list[type[Model]] = [Event, Team, Entry, Pairing, ApiToken, AuditEntry]


@pytest.mark.django_db
@pytest.mark.parametrize("model", [*LOOKED_AT, Account])
def test_admin_pages_show_no_names_and_no_secrets(model: type[Model]) -> None:
    event, teams, actor = festival()
    entry = enter_by_hand(
        event,
        actor,
        team=teams["Centro"],
        last_name="Zampognari",
        first_name="Ortensia",
        birth_date="2012-01-01",
    )
    check_in.check_in(entry, actor)
    pairing, _ = ask(add_referee(event, actor, "Fischietti"), "192.0.2.1")
    assert actor.account is not None
    token, _ = make_token(actor.account, "programma", ApiToken.Scope.READ)
    client = Client()
    client.force_login(Account.objects.create_superuser("custode", password="lunga e sicura"))
    name = model.__name__.lower()
    answers = [client.get(reverse(f"admin:people_{name}_changelist"))]
    answers += [
        client.get(reverse(f"admin:people_{name}_change", args=[row.pk]))
        for row in model._default_manager.all()
    ]
    assert len(answers) > 1
    secrets = [entry.code_hash, pairing.secret_hash, token.secret_hash]
    for answer in answers:
        assert answer.status_code == 200
        page = answer.content.decode()
        assert not [text for text in ("Zampognari", "Ortensia", "Fischietti", *secrets) if str(text) in page]


def test_admin_has_no_page_for_persons_and_referees() -> None:
    assert not admin.site.is_registered(Person)
    assert not admin.site.is_registered(Referee)
    for model in LOOKED_AT:
        page = admin.site.get_model_admin(model)
        assert page.has_add_permission(None) is page.has_change_permission(None) is False  # type: ignore[arg-type]  # unused
        assert page.has_delete_permission(None) is False  # type: ignore[arg-type]  # unused
