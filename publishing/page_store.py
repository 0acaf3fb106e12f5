"""The store of published pages: written once when something changed, read for everybody who asks.

A page lies where its address says: `/palio/carte/` as `palio/carte/index.html` and `index.html.gz`, a feed as
the file that it is called by. So a web server or a CDN can serve the store as it is. It lies behind Django's
storage interface (`STORAGES`: `published`): a folder, or a bucket.
"""

import re
from collections.abc import Iterator

from django.core.files.base import ContentFile
from django.core.files.storage import storages

from people.events import RESERVED_SLUGS
from publishing.page_cache import KeptPage, Page

_PAGE = "index.html"
_FEED = ".ics"
_COMPRESSED = ".gz"
# No file of ours, and nothing that a storage could take for another folder.
_ADDRESS = re.compile(r"/(?:(?P<language>en)/)?(?P<first>[a-z0-9-]+)/(?:[a-z0-9-]+/)*(?:[a-z0-9-]+\.ics)?")
_LONGEST = 240
"""Characters of an address: the two slugs in one have 60 each. A file system takes names of 255 bytes, and
refuses to look for longer ones.
"""
_kept = KeptPage[Page](most=500)


def is_address(path: str) -> bool:
    """Whether a page of an event could lie there; most other addresses are told without a look."""
    found = _ADDRESS.fullmatch(path)
    return found is not None and len(path) <= _LONGEST and found["first"] not in RESERVED_SLUGS


def get(path: str) -> Page | None:
    """The page of this address, if it is published. What was read before is kept until it is written anew."""
    if not is_address(path):
        return None
    name = _name(path)
    try:
        written = storages["published"].get_modified_time(name)
        known = f"{path} {written.timestamp()}"
        return _kept.of(known, lambda: Page(_read(name), _read(name + _COMPRESSED)))
    except FileNotFoundError:
        # Not published, or withdrawn between two looks.
        return None


def put(path: str, page: Page) -> None:
    """Publish a page in place of what is there. The same bytes aren't written again."""
    try:
        # Whoever was killed between the two has left one of them old.
        if (_read(_name(path)), _read(_name(path) + _COMPRESSED)) == (page.plain, page.compressed):
            return
    except FileNotFoundError:
        pass
    # Who sees the new page finds it compressed, too.
    _write(_name(path) + _COMPRESSED, page.compressed)
    _write(_name(path), page.plain)


def remove(path: str) -> None:
    """Withdraw the page of this address, if it is published."""
    for name in (_name(path), _name(path) + _COMPRESSED):
        storages["published"].delete(name)


def published(path: str) -> Iterator[str]:
    """The addresses below this one, and itself, at which a page lies."""
    try:
        folders, files = storages["published"].listdir(path.strip("/"))
    except FileNotFoundError:
        return
    if _PAGE in files:
        yield path
    for file in files:
        if file.endswith(_FEED):
            yield path + file
    for folder in folders:
        yield from published(f"{path}{folder}/")


def _name(path: str) -> str:
    name = path.strip("/")
    return name if name.endswith(_FEED) else f"{name}/{_PAGE}"


def _read(name: str) -> bytes:
    with storages["published"].open(name) as file:
        found: bytes = file.read()
        return found


def _write(name: str, content: bytes) -> None:
    storages["published"].save(name, ContentFile(content))
