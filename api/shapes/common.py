"""Fields, bodies and queries that several subjects share."""

from typing import Any

from rest_framework import serializers

from api.fields import Body, Moment, Whole

MAX_VERSION = 2**31 - 1


def expected_version() -> Whole:
    """The version that the caller knows; without it the call takes whatever there is."""
    return Whole(
        min_value=0,
        max_value=MAX_VERSION,
        required=False,
        help_text="The version you know: if it is not the current one, nothing is done (409).",
    )


class MomentQuery(serializers.Serializer[Any]):
    """As of when."""

    at = Moment(
        required=False, help_text="What is read, as it stood at this moment; without it as it is now."
    )


class NothingBody(Body):
    """An empty object."""


class DecisionBody(Body):
    """A decision that needs no further word."""

    expected_version = expected_version()

    def get_fields(self) -> dict[str, Any]:
        """The version comes last."""
        fields = super().get_fields()
        version = fields.pop("expected_version")
        return {**fields, "expected_version": version}
