"""Base class of all endpoints: the caller, parameters, bodies, ids and versions."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from api.fields import UUID_FORM
from api.openapi import ApiSchema
from api.pagination import Pages
from api.permissions import actor_of
from api.problems import InvalidInput, Problem, field_problem
from api.retries import answer_once
from people.actors import Actor
from people.display_names import Reader, Viewer
from people.entries import lock_event
from people.models import Event

PAGE_PARAMETERS = {"page", "page_size"}


class Endpoint(ViewSet):
    """What can be done with one kind of row: each action is a method of an address. `subject` is the row that
    the address names, `event` the event of that row.
    """

    metadata_class = None
    schema = ApiSchema()
    subject: Any
    event: Event
    shape: type[serializers.Serializer[Any]]

    @property
    def actor(self) -> Actor:
        """Who calls."""
        return actor_of(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After access, refuse what would go unseen: parameters that the method does not know, and a body
        without its length.
        """
        self.use_language(request)
        super().initial(request, *args, **kwargs)
        method = (request.method or "").lower()
        if method not in self.http_method_names or not hasattr(self, method):
            # Which parameters it takes is no question then.
            self.http_method_not_allowed(request)
        if "Transfer-Encoding" in request.headers and request.method not in SAFE_METHODS:
            # A body without a length is read as an empty one, and what it says would go unseen.
            raise Problem(
                HTTPStatus.LENGTH_REQUIRED,
                "no-length",
                _("Send the body with its length (`Content-Length`)."),
            )
        described, in_pages = self._query(), getattr(getattr(self, method), "in_pages", False)
        known = {*(described().fields if described else ()), *(PAGE_PARAMETERS if in_pages else ())}
        problems = [
            field_problem(name, "unknown-parameter", _("There is no such parameter here."))
            for name in request.query_params
            if name not in known
        ]
        problems += [
            field_problem(name, "given-twice", _("This parameter is given more than once."))
            for name, values in request.query_params.lists()
            if len(values) > 1
        ]
        if problems:
            raise InvalidInput(problems)

    def use_language(self, request: Request) -> None:
        """Answer in the language that the request asks for: pages choose it by their address, and these
        addresses have none.
        """
        translation.activate(translation.get_language_from_request(request._request))

    def query(self) -> dict[str, Any]:
        """The address's parameters as the method's description says."""
        if any("\0" in value for value in self.request.query_params.values()):
            raise InvalidInput(
                [field_problem("", "null-character", _("A parameter holds the null character."))]
            )
        described = self._query()
        if described is None:
            return {}
        serializer = described(data=self.request.query_params.dict())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def _query(self) -> type[serializers.Serializer[Any]] | None:
        handler = getattr(self, (self.request.method or "").lower(), None)
        found: type[serializers.Serializer[Any]] | None = getattr(handler, "query", None)
        return found

    def body(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """What was sent, read by this serializer, or a 422 that names every wrong field."""
        reader = serializer(data=self.request.data)
        reader.is_valid(raise_exception=True)
        return dict(reader.validated_data)

    def client_id(self) -> UUID | None:
        """The caller's own id of this call, from the header `Idempotency-Key`."""
        text = self.request.headers.get("Idempotency-Key")
        if text is None:
            return None
        if not UUID_FORM.match(text):
            raise Problem(
                HTTPStatus.BAD_REQUEST, "invalid-idempotency-key", _("`Idempotency-Key` has to be a UUID.")
            )
        return UUID(text)

    def once(self, call: Callable[[], Response]) -> Response:
        """The answer of a call: with an `Idempotency-Key` it is made once, and answered alike."""
        key = self.client_id()
        if key is None:
            return call()
        return answer_once(self.actor, self.event, self.request, key, call)

    @cached_property
    def viewer(self) -> Viewer:
        """As whom the caller reads the event; at most one query."""
        return Viewer.of(self.actor, self.event)

    @property
    def is_organizer(self) -> bool:
        """Whether the caller organizes the event."""
        return self.viewer.reader is Reader.DESK

    def current(self) -> Response:
        """The row of the address as it is now, in the endpoint's `shape`."""
        return self.answer(self.subject, self.shape)

    def page(
        self,
        rows: Any,
        serializer: type[serializers.Serializer[Any]],
        load: Callable[[list[Any]], list[Any]] = list,
        context: Callable[[list[Any]], dict[str, Any]] | None = None,
    ) -> Response:
        """One page of a queryset. `load` makes of its rows what is shown, `context` what showing them
        needs.
        """
        pages = Pages()
        shown = load(pages.paginate_queryset(rows, self.request, self) or [])
        needed = context(shown) if context else {}
        return pages.get_paginated_response(serializer(shown, many=True, context=needed).data)

    def answer(
        self, row: Any, serializer: type[serializers.Serializer[Any]], status: int = 200, **context: Any
    ) -> Response:
        """One row, with an ETag made of what it says; 304 for a reader who has it already."""
        data = serializer(row, context=context).data
        tag = etag(data)
        if self.request.method in SAFE_METHODS and tag in tags(self.request.headers.get("If-None-Match", "")):
            return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
        return Response(data, status=status, headers={"ETag": tag})

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from changing the event's rows meanwhile; the subject is as it is now."""
        with transaction.atomic():
            lock_event(self.event)
            self.subject.refresh_from_db()
            yield

    def expect_unchanged(self, current: Any) -> None:
        """412 if the header `If-Match` names another state of the row than the `current` one, serialized."""
        wanted = self.request.headers.get("If-Match")
        if wanted is None or wanted.strip() == "*":
            return
        if etag(current) not in tags(wanted):
            raise Problem(
                HTTPStatus.PRECONDITION_FAILED,
                "changed-meanwhile",
                _("It was changed since you read it. Read it again and decide anew."),
            )

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Answers depend on who asks, and in which language: no shared cache may keep them."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ("Accept-Language", "Authorization", "Cookie"))
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        return answer


def tags(header: str) -> list[str]:
    """The tags that a header names."""
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def etag(data: Any) -> str:
    """A strong tag of an answer's content."""
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'
