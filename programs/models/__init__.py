"""The change feed and webhooks as stored."""

from programs.models.feed import Change, Feed, FeedMark

__all__ = ["Change", "Feed", "FeedMark"]
