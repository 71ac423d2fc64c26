#!/bin/sh
exec deno run --quiet --no-prompt --unstable-kv \
  --allow-net=127.0.0.1 --allow-env=PORT,DATA_DIR --allow-read="$DATA_DIR" --allow-write="$DATA_DIR" main.ts
