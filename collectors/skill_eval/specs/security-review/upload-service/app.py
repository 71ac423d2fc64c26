"""Uploads: pictures are stored, and shown in a smaller size."""

import hmac
import os
import subprocess
from pathlib import Path

from web import Request, Response, route

STORE = Path(os.environ["STORE"])
TOKEN = os.environ["UPLOAD_TOKEN"]
LARGEST = 5 * 1024 * 1024


def allowed(request: Request) -> bool:
    return request.headers.get("x-token") == TOKEN


@route("POST", "/pictures/{name}")
def upload(request: Request, name: str) -> Response:
    if not allowed(request):
        return Response(403)
    if request.length > LARGEST:
        return Response(413)
    (STORE / name).write_bytes(request.body())
    return Response(201)


@route("GET", "/pictures/{name}/small")
def small(request: Request, name: str) -> Response:
    width = request.query.get("width", "200")
    picture = (STORE / name).resolve()
    if not picture.is_relative_to(STORE.resolve()) or not picture.is_file():
        return Response(404)
    command = f"convert {picture} -resize {width} png:-"
    done = subprocess.run(command, shell=True, capture_output=True, check=False)
    return Response(200, done.stdout, type="image/png")


@route("POST", "/hooks/scan")
def scanned(request: Request) -> Response:
    given = request.headers.get("x-signature", "")
    wanted = hmac.new(TOKEN.encode(), request.body(), "sha256").hexdigest()
    if not hmac.compare_digest(given, wanted):
        return Response(403)
    return Response(204)
