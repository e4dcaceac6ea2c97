/** Checks values against JSON Schemas of the host, with the library's field errors. */

import { Compile } from 'typebox/schema';
import { type FieldError, WayzoneError } from 'wayzone';

interface Failure {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** Returns a check that throws `validation` (422) with every field error of a value that the schema does not allow. */
export function bodyCheck(schema: object): (value: unknown) => void {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return;
    const [, failures] = validator.Errors(value) as unknown as [boolean, readonly Failure[]];
    const errors = failures.flatMap(errorsOf);
    const [first] = errors;
    throw new WayzoneError(
      'validation',
      first?.field ?? '',
      `expected a valid body, received ${errors.length} field ${errors.length === 1 ? 'error' : 'errors'}`,
      { errors },
    );
  };
}

function errorsOf({ keyword, instancePath, params, message }: Failure): FieldError[] {
  const path = pathOf(instancePath);
  if (keyword === 'required') {
    const { requiredProperties } = params as { readonly requiredProperties: readonly string[] };
    return requiredProperties.map((name) => ({
      code: 4221,
      field: path === '' ? name : `${path}.${name}`,
      message: 'expected a value, received none',
      reason: 'required',
    }));
  }
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] };
  const what =
    allowedValues === undefined
      ? message.replace(/^must /, 'a value that must ')
      : `one of ${allowedValues.join(', ')}`;
  const reason = keyword === 'type' ? 'type' : 'option-value';
  return [{ code: 4221, field: path, message: `expected ${what}, received another`, reason }];
}

/** `list[0].id` of the JSON pointer `/list/0/id`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 60))
    .reduce(
      (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
      '',
    );
}
