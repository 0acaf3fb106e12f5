"""Pages kept by their tags."""

import gzip

from publishing.page_cache import KeptPage, Page


def test_page_cache_drops_the_least_recently_used_page_when_full() -> None:
    kept = KeptPage[Page](most=2)
    pages = {tag: Page.of(tag) for tag in "abc"}
    made: list[str] = []

    def make(tag: str) -> Page:
        made.append(tag)
        return pages[tag]

    def ask(tag: str) -> Page:
        return kept.of(tag, lambda: make(tag))

    assert [ask(tag) for tag in "abaca"] == [pages[tag] for tag in "abaca"]
    assert made == ["a", "b", "c"]
    assert ask("b") is pages["b"]
    assert made == ["a", "b", "c", "b"]


def test_page_compresses_to_the_same_bytes_each_time() -> None:
    page = Page.of("Però")
    assert page == Page.of("Però")
    assert gzip.decompress(page.compressed) == page.plain == "Però".encode()
