"""Publishing the pages of an event, and what is in the store then."""

from people.models import Event
from publishing import page_store, publication


def publish(event: Event) -> None:
    """Write all that is due."""
    while publication.publish(event.pk):
        pass


def there(event: Event) -> dict[str, bytes]:
    """The published pages of an event by their addresses."""
    found = {}
    for path in publication.pages_of(event.slug):
        page = page_store.get(path)
        assert page is not None
        found[path] = page.plain
    return found
