"""Who comes to a web server by HTTPS: somebody who reads, an organizer, a referee."""

import json
import re
import ssl
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPSHandler, Request, build_opener
from uuid import uuid4

from tests.support.services.processes import PATIENCE

BY_PYTHON = "X-Request-ID"
"""The header that every answer of the service has, and none that a web server gives by itself."""


TOKEN = r'name="csrfmiddlewaretoken" value="([^"]+)"'


@dataclass(frozen=True)
class Answer:
    """A status and the text of a page."""

    status: int
    text: str

    def first(self, pattern: str) -> str:
        """The first group of what fits the pattern first."""
        found = re.search(pattern, self.text)
        assert found is not None, (self.status, pattern, self.text[:2000])
        return found[1]


class Browser:
    """A browser with its cookies, which takes only certificates of this authority."""

    def __init__(self, host: str, authority: Path) -> None:
        """No page is open yet."""
        self.origin = f"https://{host}"
        context = ssl.create_default_context(cafile=str(authority))
        self._opener = build_opener(HTTPSHandler(context=context), HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._open(Request(self.origin + path))

    def post(self, path: str, fields: Iterable[tuple[str, str]], headers: Mapping[str, str]) -> Answer:
        """Send a form; from this origin, unless the headers say otherwise."""
        body = urlencode(list(fields)).encode()
        return self._open(Request(self.origin + path, body, {"Origin": self.origin, **headers}))

    def send(self, path: str, **fields: str) -> Answer:
        """Send the form of a page back to it, or to where its address says."""
        token = self.get(path).first(TOKEN)
        return self.post(path, [("csrfmiddlewaretoken", token), *fields.items()], {})

    def _open(self, request: Request) -> Answer:
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return Answer(answer.status, answer.read().decode())
        except HTTPError as error:
            return Answer(error.code, error.read().decode())


def sign_in(browser: Browser, account: str, password: str) -> bool:
    """Whether the desk lets this account in."""
    return 'name="password"' not in browser.send("/desk/sign-in/", username=account, password=password).text


def status_with_port(browser: Browser, port: int) -> int:
    """The status of a form that comes from this host by another port than the web server knows of."""
    token = browser.get("/desk/sign-in/").first(TOKEN)
    host = f"{browser.origin.removeprefix('https://')}:{port}"
    headers = {"Host": host, "Origin": f"https://{host}"}
    fields = [("csrfmiddlewaretoken", token), ("username", "nobody"), ("password", "nothing")]
    return browser.post("/desk/sign-in/", fields, headers).status


def enter_result(organizer: Browser, phone: Browser, desk: str, table: str) -> dict[str, Any]:
    """Pair a phone, have the desk let it in, and enter who won the first game of a table that is open; what
    the phone is told.
    """
    page = phone.get(f"{table}pair/")
    phone.send(f"{table}pair/", referee=page.first(r'name="referee" value="([^"]+)"'))
    waiting = organizer.get(f"{desk}referees/")
    admit = waiting.first(r'action="([^"]+/admit/)"')
    token = waiting.first(TOKEN)
    organizer.post(admit, [("csrfmiddlewaretoken", token)], {})
    told = []
    won = {"type": "game_closed", "reason": "result", "winner": 0}
    for game in dict.fromkeys(re.findall(r'href="(/t/\w+/games/[0-9a-f-]+/)"', phone.get(table).text)):
        fields = [("csrfmiddlewaretoken", page.first(TOKEN)), ("version", "0")]
        fields += [("id", str(uuid4())), ("event", json.dumps(won))]
        answer = phone.post(f"{game}enter/", fields, {"Accept": "application/json"})
        if answer.status == 200:
            found: dict[str, Any] = json.loads(answer.text)
            return found
        told.append((answer.status, answer.text[:500]))
    raise AssertionError(f"No game of {table} took a result: {told}")


def redirect_of(host: str, path: str) -> str | None:
    """Where a page leads that is asked for by plain HTTP."""
    connection = HTTPConnection(host, timeout=PATIENCE)
    connection.request("GET", path)
    found = connection.getresponse().headers["Location"]
    connection.close()
    return found


def count_answers(
    host: str, authority: Path, folder: Path, files: Iterable[Path]
) -> tuple[dict[str, int], list[str]]:
    """Ask for these published files by their addresses: how many came from whom; and what isn't as it lies
    there, or isn't said to be of its kind.
    """
    context = ssl.create_default_context(cafile=str(authority))
    connection = HTTPSConnection(host, timeout=PATIENCE, context=context)
    counted: Counter[str] = Counter()
    odd = []
    for file in files:
        path = f"/{file.relative_to(folder).as_posix().removesuffix('index.html')}"
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        counted["python" if BY_PYTHON in answer.headers else "folder"] += 1
        kind = "text/calendar" if file.suffix == ".ics" else "text/html"
        is_its_kind = (answer.headers["Content-Type"] or "").lower() == f"{kind}; charset=utf-8"
        if answer.status != HTTPStatus.OK or not is_its_kind or body != file.read_bytes():
            odd.append(f"{path} {answer.status} {answer.headers['Content-Type']} {body[:200]!r}")
    connection.close()
    return dict(counted), odd
