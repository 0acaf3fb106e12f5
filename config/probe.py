"""Ask the web server of this container whether it is ready: `python -m config.probe` ends with 0 if so.

A command of its own because images of Python carry no curl.
"""

import http.client
import os
import sys


def main() -> int:
    """0 if the server on port 8000 answers that it is ready, else 1 and what it said."""
    host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().removeprefix(".")
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=4)
    try:
        connection.request("GET", "/health/ready/", headers={"Host": host})
        answer = connection.getresponse()
        body = answer.read(500).decode(errors="replace")
    except OSError as error:
        sys.stderr.write(f"No answer: {error}\n")
        return 1
    sys.stdout.write(f"{answer.status} {body}\n")
    return 0 if answer.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
