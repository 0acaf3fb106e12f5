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


def fields_of(form: Element) -> dict[str, Any]:
    """What a form would send if nothing were filled in: the last of fields of one name, and all its ticked
    boxes.
    """
    fields: dict[str, Any] = {}
    for field in form.all("input"):
        kind, name = field.attributes.get("type", "text"), field.attributes.get("name")
        chosen = kind not in ("radio", "checkbox") or "checked" in field.attributes
        if name and chosen and kind not in ("file", "submit"):
            value: Any = field.attributes.get("value", "on" if kind == "checkbox" else "")
            if kind == "checkbox" and name in fields:
                before = fields[name]
                value = [*(before if isinstance(before, list) else [before]), value]
            fields[name] = value
    for area in form.all("textarea"):
        fields[area.attributes["name"]] = area.text
    for select in form.all("select"):
        options = select.all("option")
        chosen_option = next((each for each in options if "selected" in each.attributes), options[0])
        fields[select.attributes["name"]] = chosen_option.attributes.get("value", chosen_option.text)
    fields.pop("csrfmiddlewaretoken", None)
    return fields


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
