"""The way through what the projector shows."""

from collections.abc import Iterator

from tests.screenshots.visitor import Visitor

MOST = 20


def screens(visitor: Visitor, tournament: str, name: str = "projector") -> Iterator[str]:
    """All screens of a tournament's address: each says which comes next."""
    visitor.go(f"{tournament}projector/1/")
    for number in range(1, MOST):
        yield f"{name}-{number}"
        following = visitor.page.locator(".screen").get_attribute("data-next") or ""
        if following.endswith("projector/1/"):
            break
        visitor.page.goto(visitor.service.base + following)
