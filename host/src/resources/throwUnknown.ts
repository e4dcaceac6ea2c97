/** The errors of ids in a body that no object of the company has. */

import { type FieldError, notFound, WayzoneError } from 'wayzone';

/** Maximum number of listed errors. */
const MOST_ERRORS = 100;

/** Throws 422 with an error for each of the ids, if there are any. `kind`: of the objects, as messages name it. */
export function throwUnknown(
  kind: Parameters<typeof notFound>[0],
  wrong: readonly { readonly id: string; readonly field: string }[],
): void {
  const errors = wrong.slice(0, MOST_ERRORS).map(({ id, field }): FieldError => {
    const { code: reason, message } = notFound(kind, id, field);
    return { code: 4221, field, message, reason };
  });
  if (errors.length === 0) return;
  const message = `expected ${kind.replaceAll('_', ' ')}s of the company, received others`;
  throw new WayzoneError('validation', errors[0]!.field, message, { errors });
}
