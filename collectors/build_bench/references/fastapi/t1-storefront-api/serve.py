"""Serves until it is told to stop, which is no failure."""

import os
import signal
import sys

import uvicorn

# uvicorn finishes what is under way and then passes the signal on to whoever heard it before.
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
uvicorn.run(
    "app:app",
    host="127.0.0.1",
    port=int(os.environ["PORT"]),
    access_log=False,
    timeout_graceful_shutdown=3,
)
