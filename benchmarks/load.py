"""Requests to one address over connections that are kept open, the next one when the answer is here."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from statistics import quantiles
from time import perf_counter
from urllib.parse import urlsplit

CONNECTIONS = 20
PROCESSES = 2
TO_MS = {"us": 1e-3, "ms": 1.0, "s": 1e3}


@dataclass(frozen=True, slots=True)
class Load:
    """What came of a load: answers a second, milliseconds of half and of 99 in 100, and failures."""

    rate: float
    p50: float
    p99: float
    failed: int


def tool() -> str:
    """What makes the load on this machine."""
    return "wrk" if shutil.which("wrk") else f"{PROCESSES} Python processes"


def put_load(url: str, headers: Mapping[str, str], seconds: int, status: int = 200) -> Load:
    """Load an address for so long; answers with another status than `status` have failed."""
    program = shutil.which("wrk")
    if program:
        return _by_wrk(program, url, headers, seconds)
    return _by_python(url, headers, seconds, status)


def _by_wrk(program: str, url: str, headers: Mapping[str, str], seconds: int) -> Load:
    given = [argument for name, value in headers.items() for argument in ("-H", f"{name}: {value}")]
    command = [program, f"-t{PROCESSES}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", *given, url]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 30).stdout
    shares = {share: float(time) * TO_MS[unit] for share, time, unit in _SHARE.findall(told)}
    errors = sum(int(number) for line in _ERRORS.findall(told) for number in re.findall(r"\d+", line))
    return Load(float(_RATE.findall(told)[0]), shares["50"], shares["99"], errors)


_SHARE = re.compile(r"^ +(50|99)% +([\d.]+)(us|ms|s)", re.MULTILINE)
_RATE = re.compile(r"^Requests/sec: +([\d.]+)", re.MULTILINE)
# "Socket errors: connect 0, read 0, write 0, timeout 0" and "Non-2xx or 3xx responses: 5".
_ERRORS = re.compile(r"^ +(?:Socket errors|Non-2xx or 3xx responses): (.*)$", re.MULTILINE)


def _by_python(url: str, headers: Mapping[str, str], seconds: int, status: int) -> Load:
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        share = CONNECTIONS // PROCESSES
        loads = [
            pool.submit(_one_process, url, dict(headers), seconds, status, share) for _ in range(PROCESSES)
        ]
        parts = [load.result() for load in loads]
    taken = [each for part, _, _ in parts for each in part]
    shares = quantiles(taken, n=100)
    rate = sum(len(part) / lasted for part, _, lasted in parts)
    return Load(rate, shares[49] * 1e3, shares[98] * 1e3, sum(failed for _, failed, _ in parts))


def _one_process(
    url: str, headers: dict[str, str], seconds: int, status: int, connections: int
) -> tuple[list[float], int, float]:
    """The seconds of each answer, how many failed, and how long it lasted."""
    return asyncio.run(_connections(url, headers, seconds, status, connections))


async def _connections(
    url: str, headers: dict[str, str], seconds: int, status: int, connections: int
) -> tuple[list[float], int, float]:
    parts = urlsplit(url)
    lines = [f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", *map(": ".join, headers.items())]
    request = "\r\n".join([*lines, "", ""]).encode()
    begun = perf_counter()
    kept = [
        _keep_asking(parts.hostname or "", parts.port or 80, request, begun + seconds, status)
        for _ in range(connections)
    ]
    answers = await asyncio.gather(*kept)
    lasted = perf_counter() - begun
    return [each for taken, _ in answers for each in taken], sum(failed for _, failed in answers), lasted


async def _keep_asking(
    host: str, port: int, request: bytes, end: float, status: int
) -> tuple[list[float], int]:
    taken: list[float] = []
    failed = 0
    reader, writer = await asyncio.open_connection(host, port)
    while (begun := perf_counter()) < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        if length is not None and status != 304:
            await reader.readexactly(int(length[1]))
        taken.append(perf_counter() - begun)
        failed += head.split(maxsplit=2)[1] != str(status).encode()
    writer.close()
    return taken, failed
