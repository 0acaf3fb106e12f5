"""nginx as the operators' manual has it: before the web processes, or alone before the published pages."""

import getpass
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from tests.support.services.broker import free_port
from tests.support.services.processes import stop, wait_until

SETTINGS = """
user {user};
daemon off;
pid {own}/pid;
worker_processes {processes};
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {own}/body;
    proxy_temp_path {own}/proxy;
    fastcgi_temp_path {own}/fastcgi;
    uwsgi_temp_path {own}/uwsgi;
    scgi_temp_path {own}/scgi;
    keepalive_requests 10000000;
    upstream tendone {{ server 127.0.0.1:{service}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        location = /nginx {{ return 204; }}
        location / {{
            limit_except GET HEAD {{ proxy_pass http://tendone; }}
            if ($args) {{ proxy_pass http://tendone; }}
            root {published};
            types {{ text/calendar ics; }}
            default_type text/html;
            charset utf-8;
            gzip_static on;
            add_header Cache-Control "public, no-cache";
            try_files $uri/index.html $uri @tendone;
        }}
        location @tendone {{ proxy_pass http://tendone; }}
    }}
}}
"""


def is_there() -> bool:
    """Whether nginx is installed."""
    return shutil.which("nginx") is not None


@contextmanager
def before(published: Path, service: int = 9, processes: int = 1) -> Iterator[int]:
    """nginx with this folder of published pages, and the service on that port for all else; its port.

    It reads as the account that has written the pages. Without a service nobody answers for what isn't there.
    """
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="tendone-nginx-") as own:
        settings, log = Path(own, "nginx.conf"), Path(own, "log")
        filled = SETTINGS.format(
            user=getpass.getuser(),
            own=own,
            port=port,
            service=service,
            published=published,
            processes=processes,
        )
        settings.write_text(filled)
        process = subprocess.Popen(
            [shutil.which("nginx") or "nginx", "-c", str(settings), "-e", str(log)], start_new_session=True
        )
        try:
            wait_until(lambda: _answers(port), process, log)
            yield port
        finally:
            stop(process)


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/nginx", timeout=5):
            return True
    except OSError:
        return False
