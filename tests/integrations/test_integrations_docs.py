"""What the programmers' guide says of webhooks is what is sent."""

import re
import time
from pathlib import Path
from typing import Any

from django.conf import settings

from integrations.webhooks import signing

PAGE = (Path(settings.BASE_DIR) / "docs" / "reference" / "api.md").read_text()


def shown() -> Any:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    made: dict[str, Any] = {}
    exec(code, made)  # it is our own page
    return made["is_ours"]


def test_webhook_example_accepts_signed_messages_alone() -> None:
    is_ours, secret, old, body = shown(), signing.new_secret(), signing.new_secret(), b'{"type":"test"}'
    now = int(time.time())
    headers = signing.headers([old, secret], "msg_1", now, body)

    assert [is_ours(each, headers, body) for each in (secret, old)] == [True, True]
    assert not is_ours(signing.new_secret(), headers, body)
    assert not is_ours(secret, headers, body + b" ")
    assert not is_ours(secret, {**headers, "webhook-id": "msg_2"}, body)
    assert not is_ours(secret, signing.headers([secret], "msg_1", now - 301, body), body)
    assert not is_ours(secret, {**headers, "webhook-timestamp": str(now - 1)}, body)
