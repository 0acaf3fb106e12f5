"""The run of `benchmarks.contract`, on an empty database."""

import logging
import sys
import time
from socketserver import StreamRequestHandler

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.test.testcases import LiveServerThread

from benchmarks.on_database import DATABASE
from tests.api.contract import ACTORS, run
from tests.support.festival import make_festival

actor, examples, seed, phases = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), tuple(sys.argv[4].split(","))
# A refusal is what most calls are made for.
logging.getLogger("django").setLevel(logging.CRITICAL)
festivals = make_festival(), make_festival(is_published=False)
# Otherwise a body waits until its head is acknowledged, 40 ms a call.
StreamRequestHandler.disable_nagle_algorithm = True
server = LiveServerThread("127.0.0.1", StaticFilesHandler)
server.daemon = True
server.start()
server.is_ready.wait()
if server.error:
    raise server.error
began = time.monotonic()
outcome = run(
    f"http://127.0.0.1:{server.port}",
    ACTORS[actor](festivals[0]),
    festivals,
    examples=examples,
    seed=seed,
    phases=phases,
    told=lambda failure: print(failure, flush=True),
)
print(
    f"{DATABASE}, {actor}, {', '.join(phases)}: {outcome.calls} calls "
    f"of {len(outcome.operations)} operations in {time.monotonic() - began:.0f} s, "
    f"{len(outcome.failures)} failures",
    flush=True,
)
for refusal, count in sorted(outcome.refusals.items()):
    print(f"  422 to what fits, {count} times: {refusal}", flush=True)
sys.exit(bool(outcome.failures))
