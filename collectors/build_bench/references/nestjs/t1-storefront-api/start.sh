#!/bin/sh
exec node dist/main.js
