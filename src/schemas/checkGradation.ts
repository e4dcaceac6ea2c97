/** Checks of a gradation beyond its schema: limits increase, and the last is null. */

import { expected, isArray } from '../core/errors.js';
import type { FieldErrors } from './fieldErrors.js';
import type { ObjectCheck } from './reader.js';
import type { ValidationContext } from './validateOptions.js';

/** Checks `{styles}`, the form that `gradeTrack` accepts. Reports `gradation-invalid` at the wrong limit. */
export const checkGradation: ObjectCheck<ValidationContext> = (copy, path, errors) => {
  checkStyles(copy['styles'], path === '' ? 'styles' : `${path}.styles`, errors);
};

export function checkStyles(styles: unknown, path: string, errors: FieldErrors): void {
  if (!isArray(styles)) return;
  let last = Number.NEGATIVE_INFINITY;
  styles.forEach((style: unknown, i) => {
    const max = (style as { readonly max?: unknown } | null | undefined)?.max;
    const field = `${path}[${i}].max`;
    // A limit that the schema rejected is already reported.
    if (max === undefined || errors.list.some((error) => error.field === field)) return;
    if (i === styles.length - 1) {
      if (max !== null) errors.add(field, 'gradation-invalid', expected('null for the last style', max));
    } else if (max === null || (max as number) <= last) {
      errors.add(field, 'gradation-invalid', expected('a limit above that of the style before', max));
    } else last = max as number;
  });
}
