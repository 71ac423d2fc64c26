/** Every error a client can meet: its code and its status. */

const STATUS = { VALIDATION_ERROR: 422, NOT_FOUND: 404, INTERNAL_ERROR: 500 };

export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
    this.status = STATUS[code];
  }

  get body() {
    return { code: this.code, message: this.message };
  }
}

export const invalid = (message) => new Refused("VALIDATION_ERROR", message);
export const notFound = (what) => new Refused("NOT_FOUND", `there is no such ${what}`);
export const internal = () => new Refused("INTERNAL_ERROR", "something went wrong");
