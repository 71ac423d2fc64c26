/** What a body must look like: a shape is an object of field checks, each of which returns the value to keep. */

import { invalid } from "./errors.js";

/** A string with more than space in it, without the space around it. */
export function text(value, name) {
  if (typeof value !== "string" || value.trim() === "") {
    throw invalid(`${name}: must be a string that is not blank`);
  }
  return value.trim();
}

/** A whole number within bounds. */
export const whole = (least, most = Number.MAX_SAFE_INTEGER) => (value, name) => {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(`${name}: must be a whole number from ${least} to ${most}`);
  }
  return value;
};

/** A field that may be left out. */
export const optional = (check, otherwise) => (value, name) =>
  value === undefined ? otherwise : check(value, name);

/** The fields of a shape, checked; other keys of the body are left behind. */
export function read(shape, body) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("the body must be a JSON object");
  }
  const fields = Object.entries(shape).map(([name, check]) => [name, check(body[name], name)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
