"""The change feed and webhooks as stored."""

from integrations.models.feed import Change, Feed, FeedMark
from integrations.models.webhooks import Attempt, Delivery, Webhook

__all__ = ["Attempt", "Change", "Delivery", "Feed", "FeedMark", "Webhook"]
