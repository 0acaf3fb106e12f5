"""Operators look at the ledger and change nothing in it."""

from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.test import RequestFactory

from ledger.deletion import delete_scope
from ledger.models import Fact, OutboxMessage, Receipt, Stream, Tombstone
from ledger.outbox import announce
from ledger.receipts import make_receipt
from tests.support.ledger import stored

MODELS = [Stream, Fact, OutboxMessage, Receipt, Tombstone]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.django_db
def test_admin_of_the_ledger_shows_rows_and_edits_none(model: type[Model], rf: RequestFactory) -> None:
    scope = uuid4()
    stream = stored(1, scope=scope).facts[0].stream
    make_receipt(scope)
    announce("standings", scope, stream, 1)
    delete_scope(uuid4())
    site = admin.site._registry[model]
    request = rf.get("/")
    request.user = get_user_model()(is_superuser=True, is_staff=True, is_active=True)
    row = model._default_manager.get()

    assert site.has_view_permission(request, row)
    assert not site.has_add_permission(request)
    assert not site.has_change_permission(request, row)
    assert not site.has_delete_permission(request, row)
    assert site.changelist_view(request).status_code == 200
    assert site.change_view(request, str(row.pk)).status_code == 200
