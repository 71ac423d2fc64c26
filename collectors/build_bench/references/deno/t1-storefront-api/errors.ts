/** Every error a client can meet: its code and its status. */

const STATUS = { VALIDATION_ERROR: 422, NOT_FOUND: 404, INTERNAL_ERROR: 500 };

export class Refused extends Error {
  constructor(readonly code: keyof typeof STATUS, message: string) {
    super(message);
  }

  response(): Response {
    const body = { code: this.code, message: this.message };
    return Response.json(body, { status: STATUS[this.code] });
  }
}

export const invalid = (message: string) => new Refused("VALIDATION_ERROR", message);
export const notFound = (what: string) => new Refused("NOT_FOUND", `there is no such ${what}`);
export const internal = () => new Refused("INTERNAL_ERROR", "something went wrong");
