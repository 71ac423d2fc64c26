"""Notes: a service in which each user keeps notes of their own."""

import hashlib
import sqlite3

from web import Request, Response, route

DATABASE = "notes.db"
SESSION_KEY = "f3b1c0de-not-a-real-key-9a77"


def connect():
    return sqlite3.connect(DATABASE)


def password_hash(password):
    return hashlib.md5(password.encode()).hexdigest()


@route("POST", "/login")
def login(request: Request) -> Response:
    name, password = request.form["name"], request.form["password"]
    with connect() as database:
        row = database.execute(
            "SELECT id FROM users WHERE name = ? AND hash = ?", (name, password_hash(password))
        ).fetchone()
    if row is None:
        return Response(401)
    return Response(200).with_session(row[0], SESSION_KEY)


@route("GET", "/notes")
def search(request: Request) -> Response:
    words = request.query.get("q", "")
    sql = f"SELECT id, text FROM notes WHERE owner = {int(request.user)} AND text LIKE '%{words}%'"
    with connect() as database:
        return Response(200, database.execute(sql).fetchall())


@route("DELETE", "/notes/{note}")
def delete(request: Request, note: int) -> Response:
    with connect() as database:
        database.execute("DELETE FROM notes WHERE id = ?", (note,))
    return Response(204)
