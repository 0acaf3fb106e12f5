"""Addresses that only take what a form sends."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect


def sent_only(back: str, *, is_at_table: bool = True) -> Callable[[Callable[..., HttpResponseBase]], Any]:
    """Who opens the address by itself (loaded anew, say, or from the history) is led to the page called
    `back`. There is the form, or what came of it. That page takes the same arguments. Nothing is stored.
    """

    def decorate(view: Callable[..., HttpResponseBase]) -> Any:
        @wraps(view)
        def checked(request: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in ("GET", "HEAD"):
                code = {"code": request.table.code} if is_at_table else {}
                led: HttpResponseBase = redirect(back, **code, **kwargs)
                return led
            if request.method != "POST":
                return HttpResponseNotAllowed(["POST"])
            return view(request, **kwargs)

        return checked

    return decorate
