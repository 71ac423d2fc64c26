"""Every error a client can meet: its code, its status and its body."""

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

STATUS = {"VALIDATION_ERROR": 422, "NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405}
CODE = {status: code for code, status in STATUS.items()}


class Refused(Exception):
    """A request that is answered with one of the codes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def not_found(what: str) -> Refused:
    """Return the error for something that is not there."""
    return Refused("NOT_FOUND", f"there is no such {what}")


def invalid(message: str) -> Refused:
    """Return the error for a body that breaks the contract."""
    return Refused("VALIDATION_ERROR", message)


def _answer(code: str, message: str) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, STATUS[code])


async def _refused(_: Request, error: Refused) -> JSONResponse:
    return _answer(error.code, str(error))


async def _not_valid(_: Request, error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return _answer("VALIDATION_ERROR", f"{where}: {first['msg']}")


async def _no_route(_: Request, error: HTTPException) -> JSONResponse:
    code = CODE.get(error.status_code, "VALIDATION_ERROR")
    return _answer(code, str(error.detail))


ERROR_HANDLERS = {
    Refused: _refused,
    RequestValidationError: _not_valid,
    HTTPException: _no_route,
}
