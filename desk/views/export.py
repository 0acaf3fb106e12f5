"""Everything of an event as files: tables, logs, the whole event as an archive; and an archive taken in."""

import tempfile
from collections.abc import Callable
from functools import partial
from typing import IO, Any

from django.contrib import messages
from django.http import FileResponse, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from desk.forms.export import EVERY, FULL, ArchiveForm, ExportForm
from desk.forms.fields import attempt
from desk.page import PRIVATE, account_of, organizer, page
from people.access import EventRequest, requires, signed_in
from people.display_names import Reader, Viewer
from people.models import Event
from people.person_erasure import is_purged
from tournaments.transfer.archive.export import export_event
from tournaments.transfer.archive.intake import TakenIn, take_in
from tournaments.transfer.export.csv_and_json import Form
from tournaments.transfer.export.exported_tables import TABLES, VERSIONED, Export
from tournaments.transfer.export.files import (
    file_name,
    is_streamed,
    parts,
    type_and_ending,
    write_whole,
)


@organizer
@require_safe
def export(request: EventRequest) -> HttpResponse:
    """What there is to take, and what each is good for."""
    return _page(request)


def _page(request: EventRequest, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "tables": TABLES.items(),
        "versioned": VERSIONED,
        "is_purged": is_purged(request.event),
        "here": "export",
        **more,
    }
    return page(request, "desk/export.html", context, status)


@organizer
@require_safe
def file(request: EventRequest) -> HttpResponseBase:
    """One file, written while it is read."""
    form = ExportForm(request.GET)
    if not form.is_valid():
        return _page(request, 422 if request.GET else 200, form=form if request.GET else None)
    event, asked = request.event, form.cleaned_data
    reader = Reader.DESK if asked["names"] == FULL else Reader.PUBLIC
    export = Export(event, Viewer(reader, event), every_version=asked["versions"] == EVERY)
    table, form_ = asked["table"], asked["form"]
    type_, ending = type_and_ending(form_)
    name = file_name(event, export.viewer, table, ending)
    if is_streamed(form_):
        headers = PRIVATE | {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(parts(export, table, Form(form_)), content_type=type_, headers=headers)
    return _download(lambda made: write_whole(made, export, table, form_), name, type_)


@organizer
@require_safe
def archive(request: EventRequest) -> HttpResponseBase:
    """The whole event as one file; with the names of its people if they are asked for."""
    event = request.event
    with_people = request.GET.get("people") == "yes"
    name = f"{event.slug}-archive{'' if with_people else '-without-names'}.zip"
    write = partial(export_event, event, with_people=with_people)
    return _download(write, name, "application/zip")


def _download(write: Callable[[IO[bytes]], object], name: str, type_: str) -> FileResponse:
    made = tempfile.TemporaryFile()  # noqa: SIM115  # the answer closes it
    write(made)
    made.seek(0)
    return FileResponse(made, as_attachment=True, filename=name, content_type=type_, headers=PRIVATE)


@requires(signed_in)
def take_archive_in(request: EventRequest) -> HttpResponseBase:
    """Take an event in that another installation has archived; who does it organizes it from then on."""
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if taken := attempt(form, lambda: _take_in(request, **form.cleaned_data)):
        return _taken(request, taken.event, is_new=taken.is_new)
    status = 422 if form.errors else 200
    return render(request, "desk/archive_in.html", {"form": form}, status=status)


def _take_in(request: EventRequest, file: Any, slug: str) -> TakenIn:
    return take_in(file.file, request.actor, organizer=account_of(request), slug=slug or None)


def _taken(request: EventRequest, event: Event, *, is_new: bool) -> HttpResponseBase:
    if is_new:
        told = _("“%(name)s” is in, checked and built anew. Nobody but you sees it yet.")
        messages.success(request, told % {"name": event.name})
        return redirect("desk:event", event.slug)
    told = _("“%(name)s” is here already, just as it is in the archive.")
    messages.info(request, told % {"name": event.name})
    organizes = event.organizers.filter(account=account_of(request)).exists()
    return redirect("desk:event", event.slug) if organizes else redirect("desk:home")
