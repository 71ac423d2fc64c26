#!/bin/sh
exec uvicorn app:app --host 127.0.0.1 --port "$PORT" --no-access-log --timeout-graceful-shutdown 3
