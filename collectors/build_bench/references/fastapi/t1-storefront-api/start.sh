#!/bin/sh
exec python serve.py
