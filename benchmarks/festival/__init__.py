"""A festival's afternoon over HTTP: phones, viewers, the processes that serve them, and who judges it.

    python -m benchmarks.festival            # 40 referees and 300 viewers
    python -m benchmarks.kills               # the same while parts are killed
    python -m benchmarks.broker_away         # the same while Redis is away

Everything runs on one machine: PostgreSQL, which waits for the disk as it does in use, Redis, two web
processes, a worker, a beat, and all who ask.
"""
