"""Callers of the API that play a palio."""

from typing import Any
from uuid import uuid4

from rest_framework.test import APIClient


class Caller:
    """An organizer's program: sends JSON with its token and expects a status."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        self._client = APIClient(headers={"authorization": f"Bearer {secret}"})

    def get(self, path: str) -> Any:
        """Read."""
        return self._answer(self._client.get(f"/api/v1/{path}"), 200)

    def find(self, path: str) -> Any:
        """Read what may not be there yet: None then."""
        answer = self._client.get(f"/api/v1/{path}")
        return None if answer.status_code == 404 else self._answer(answer, 200)

    def post(self, path: str, body: dict[str, Any] | None = None, *, expect: int = 200) -> Any:
        """Send, with a fresh idempotency key."""
        answer = self._client.post(
            f"/api/v1/{path}", body or {}, format="json", headers={"idempotency-key": str(uuid4())}
        )
        return self._answer(answer, expect)

    def patch(self, path: str, body: dict[str, Any]) -> Any:
        """Change."""
        return self._answer(self._client.patch(f"/api/v1/{path}", body, format="json"), 200)

    def upload(self, path: str, text: str) -> Any:
        """Send a log."""
        answer = self._client.post(f"/api/v1/{path}", text.encode(), content_type="application/x-ndjson")
        return self._answer(answer, 201)

    def _answer(self, answer: Any, expected: int) -> Any:
        assert answer.status_code == expected, answer.content
        return answer.json() if answer.content else None
