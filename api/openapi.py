"""What the OpenAPI document says of signing in; registered when the app is ready."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class ActorScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the base is untyped
    """The three ways of `ActorAuthentication`."""

    target_class = "api.authentication.ActorAuthentication"
    name = ["token", "pairing", "session"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """In the order of `name`."""
        return [
            {"type": "http", "scheme": "bearer", "description": "A token, made on the pages."},
            {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "`Pairing` and the secret that asking for a pairing returned.",
            },
            {
                "type": "apiKey",
                "in": "cookie",
                "name": "session",
                "description": "The pages' cookies; writing asks for `X-CSRFToken` too.",
            },
        ]
