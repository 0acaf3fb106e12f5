"""The change feed and webhooks as stored."""

from programs.models.feed import Change, Feed, FeedMark
from programs.models.webhooks import Attempt, Delivery, Webhook

__all__ = ["Attempt", "Change", "Delivery", "Feed", "FeedMark", "Webhook"]
