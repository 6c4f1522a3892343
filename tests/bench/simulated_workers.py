"""Workers of Dask, all in this process, that have a resource: ADDRESS NUMBER RESOURCE."""

import asyncio
import logging
import resource
import sys

import dask
from distributed import Worker

AT_ONCE = 25
# Each worker would watch itself, with threads of its own.
QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.admin.tick.interval": "10s",
    "distributed.worker.http.routes": [],
    "distributed.comm.timeouts.connect": "120s",
}


async def main(address: str, number: int, name: str) -> None:
    """Start the workers, and wait until the first of them ends."""
    workers: list[Worker] = []
    while len(workers) < number:
        new = [
            Worker(
                address,
                nthreads=1,
                memory_limit=0,
                dashboard=False,
                heartbeat_interval="30s",
                resources={name: 1},
                silence_logs=logging.CRITICAL,
            )
            for _ in range(min(AT_ONCE, number - len(workers)))
        ]
        await asyncio.gather(*new)
        workers += new
    await workers[0].finished()


def allow_many_files() -> None:
    """Let this process, and what it starts, open as many files as the system allows it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    allow_many_files()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(QUIET):
        asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
