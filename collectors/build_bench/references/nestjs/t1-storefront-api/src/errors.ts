/** Every error a client can meet: its code, its status and its body. */

import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from "@nestjs/common";
import type { Response } from "express";

const STATUS = { VALIDATION_ERROR: 422, NOT_FOUND: 404, INTERNAL_ERROR: 500 };

type Code = keyof typeof STATUS;

export class Refused extends Error {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }
}

export const invalid = (message: string) => new Refused("VALIDATION_ERROR", message);
export const notFound = (what: string) => new Refused("NOT_FOUND", `there is no such ${what}`);

/** Gives every error the same form, those of the framework too. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost) {
    const { code, message } = refusal(error);
    host.switchToHttp().getResponse<Response>().status(STATUS[code]).json({ code, message });
  }
}

/** A body that cannot be parsed and a route that is not there are refused by the framework. */
function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const status = error instanceof HttpException ? error.getStatus() : 500;
  if (status === 404) return notFound("route");
  if (status < 500) return invalid("the body must be JSON");
  console.error(error);
  return new Refused("INTERNAL_ERROR", "something went wrong");
}
