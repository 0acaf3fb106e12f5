"""Reading forms off pages and sending them, as a browser does."""

from typing import Any

from django.test import Client
from django.urls import reverse

from tests.support.page_reading import Element, read


def address(name: str, *args: Any) -> str:
    """An address of the desk."""
    return reverse(f"desk:{name}", args=args)


def open_page(client: Client, path: str, status: int = 200) -> Element:
    """A page, well formed, with this status."""
    response = client.get(path)
    assert response.status_code == status, response.content.decode()[-3000:]
    return read(response)


def form_to(page: Element, action: str = "") -> Element:
    """The only form of a page that is sent to this address; without one, to the page's own."""
    found = [form for form in page.all("form") if form.attributes.get("action", "") == action]
    assert len(found) == 1, f"{len(found)} forms to {action!r}"
    return found[0]


def sent_by(form: Element) -> list[tuple[str, str]]:
    """What a form sends if nothing is filled in, name by name in its order, without a button's."""
    sent: list[tuple[str, str]] = []
    for field in form.walk():
        name, kind = field.attributes.get("name"), field.attributes.get("type", "text")
        if not name or "disabled" in field.attributes:
            continue
        if field.tag == "textarea":
            sent.append((name, field.text))
        elif field.tag == "select":
            options = field.all("option")
            chosen = next((each for each in options if "selected" in each.attributes), options[0])
            sent.append((name, chosen.attributes.get("value", chosen.text)))
        elif field.tag == "input" and kind in ("radio", "checkbox"):
            if "checked" in field.attributes:
                sent.append((name, field.attributes.get("value", "on")))
        elif field.tag == "input" and kind not in ("file", "submit"):
            sent.append((name, field.attributes.get("value", "")))
    return sent


def by_name(sent: list[tuple[str, str]]) -> dict[str, Any]:
    """What is sent, each name with its values."""
    values: dict[str, Any] = {}
    for name, value in sent:
        values.setdefault(name, []).append(value)
    return values


def fields_of(form: Element) -> dict[str, Any]:
    """The same by name, to be filled in: a list where one name is sent several times."""
    sent = by_name(sent_by(form))
    sent.pop("csrfmiddlewaretoken", None)
    return {name: values[0] if len(values) == 1 else values for name, values in sent.items()}


def send(client: Client, path: str, fields: dict[str, Any], status: int = 302) -> Any:
    """Send a form; the answer has this status."""
    response = client.post(path, fields)
    assert response.status_code == status, response.content.decode()[-3000:]
    return response


def fill(client: Client, path: str, status: int = 302, action: str = "", **filled: Any) -> Any:
    """Open a page, fill in its form to `action` (else its own), send it."""
    fields = fields_of(form_to(open_page(client, path), action)) | filled
    return send(client, action or path, fields, status)


def confirm(client: Client, path: str, action: str = "", **filled: Any) -> Any:
    """Fill in a page's form, look at what it would change, and confirm that; the page of the changes."""
    preview = read(fill(client, path, 200, action, **filled))
    send(client, action or path, fields_of(confirming(preview)) | {"confirm": "yes"})
    return preview


def confirming(page: Element) -> Element:
    """The only form of a page with a button that confirms."""
    (found,) = [
        form
        for form in page.all("form")
        if any(button.attributes.get("name") == "confirm" for button in form.all("button"))
    ]
    return found


def changes(page: Element) -> list[tuple[str, str, str]]:
    """Who stands where before and after, as a preview tells it: name, places, values."""
    (told,) = [each for each in page.all("table") if each.has("caption")]
    rows = told.one("tbody").all("tr")
    return [(row.one("th").text, row.all("td")[0].text, row.all("td")[1].text) for row in rows]


def errors(page: Element) -> list[str]:
    """What a page says is wrong with what was filled in."""
    return [each.text for each in (*page.all("div.error"), *page.all("div.notice-error"))]
