/** What a body must look like: a shape is an object of field checks, each of which returns the value to keep. */

import { invalid } from "./errors.ts";

type Check<Value> = (value: unknown, name: string) => Value;
type Shape = Record<string, Check<unknown>>;
type Fields<S extends Shape> = { [Name in keyof S]: ReturnType<S[Name]> };

/** A string with more than space in it, without the space around it. */
export const text: Check<string> = (value, name) => {
  if (typeof value !== "string" || value.trim() === "") {
    throw invalid(`${name}: must be a string that is not blank`);
  }
  return value.trim();
};

/** A whole number within bounds. */
export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check<number> => (value, name) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      throw invalid(`${name}: must be a whole number from ${least} to ${most}`);
    }
    return value;
  };

/** A field that may be left out. */
export const optional =
  <Value, Other>(check: Check<Value>, otherwise: Other): Check<Value | Other> => (value, name) =>
    value === undefined ? otherwise : check(value, name);

/** The fields of a shape, checked; other keys of the body are left behind. */
export async function read<S extends Shape>(shape: S, request: Request): Promise<Fields<S>> {
  const body = await request.json().catch(() => null);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid("the body must be a JSON object");
  }
  const fields = Object.entries(shape).map(([name, check]) => [name, check(body[name], name)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
