/** What a body must look like: a shape is an object of field checks, and a pipe that applies it. */

import { Injectable, type PipeTransform } from "@nestjs/common";
import { invalid } from "./errors.js";

type Check<Value> = (value: unknown, name: string) => Value;
type Shape = Record<string, Check<unknown>>;

/** What a shape makes of a body. */
export type Fields<S extends Shape> = { [Name in keyof S]: ReturnType<S[Name]> };

/** A string with more than space in it, without the space around it. */
export const text: Check<string> = (value, name) => {
  if (typeof value !== "string" || value.trim() === "") {
    throw invalid(`${name}: must be a string that is not blank`);
  }
  return value.trim();
};

/** A whole number from some least one on. */
export const whole =
  (least: number): Check<number> =>
  (value, name) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) {
      throw invalid(`${name}: must be a whole number of at least ${least}`);
    }
    return value;
  };

/** A field that may be left out. */
export const optional =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value, name) =>
    value === undefined ? undefined : check(value, name);

/** Checks a body; keys that the shape does not name are left behind. */
@Injectable()
export class ShapePipe<S extends Shape> implements PipeTransform<unknown, Fields<S>> {
  constructor(private readonly shape: S) {}

  transform(body: unknown): Fields<S> {
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
      throw invalid("the body must be a JSON object");
    }
    const sent = body as Record<string, unknown>;
    const fields = Object.entries(this.shape).map(([name, check]) => [name, check(sent[name], name)]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
}
