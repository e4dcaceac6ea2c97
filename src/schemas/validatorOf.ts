/** Makes a validator from a schema and further checks. */

import { FieldErrors } from './fieldErrors.js';
import { type Hooks, readerOf } from './reader.js';
import {
  readContext,
  VALIDATE_OPTIONS,
  type ValidateOptions,
  type ValidationContext,
} from './validateOptions.js';
import type { WireSchema } from './wireSchema.js';

/** A function that returns the typed copy of an input, or throws a `WayzoneError` with every field error. */
export function validatorOf<Shape>(
  what: string,
  schema: WireSchema<Shape>,
  hooks: Hooks<ValidationContext> = {},
): (input: unknown, options: ValidateOptions) => Shape {
  const read = readerOf(schema, hooks);
  return (input, options) => {
    const context = readContext(options, VALIDATE_OPTIONS);
    const errors = new FieldErrors();
    const copy = read(input, '', errors, context);
    errors.throwIfAny(what);
    return copy as Shape;
  };
}
