"""Pages kept by their tags."""

import gzip

from publishing.page_cache import KeptPage, Page


def test_a_page_is_kept_until_newer_ones_push_it_out() -> None:
    kept = KeptPage[Page](most=2)
    pages = {tag: Page.of(tag) for tag in "abc"}
    kept.keep("a", pages["a"])
    kept.keep("b", pages["b"])
    assert kept.get("a") is pages["a"]
    kept.keep("c", pages["c"])
    assert [kept.get(tag) for tag in "abc"] == [pages["a"], None, pages["c"]]


def test_a_page_has_the_same_bytes_each_time() -> None:
    page = Page.of("Però")
    assert page == Page.of("Però")
    assert gzip.decompress(page.compressed) == page.plain == "Però".encode()
