#!/bin/sh
exec tsc --project tsconfig.json
