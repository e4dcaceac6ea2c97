/** Finds texts that `jsonb` cannot store, anywhere in an object: NUL (22P05) and lone surrogates (22P02). */

import { WayzoneError } from 'wayzone';

/** Their escapes in JSON. It also matches after an escaped backslash, which is rare; the walk then decides. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i;

/** Throws `text-invalid` with the field of the first such text. `json` is the JSON of `value`, which is searched first. */
export function checkText(value: unknown, json: string = JSON.stringify(value)): void {
  if (SUSPECT.test(json)) walk(value, '');
}

/** Whether the database can store the text. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE.test(text);
}

/** The text with U+FFFD in place of what the database cannot store. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').replace(new RegExp(LONE, 'g'), '\ufffd');
}

function walk(value: unknown, field: string): void {
  if (typeof value === 'string') checkOne(value, field);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${field}[${key}]` : field === '' ? key : `${field}.${key}`;
    checkOne(key, path);
    walk(item, path);
  }
}

/** A lone surrogate. */
const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

function checkOne(text: string, field: string): void {
  if (text.includes('\0'))
    throw new WayzoneError('text-invalid', field, 'expected text without U+0000, received text with it');
  if (LONE.test(text))
    throw new WayzoneError('text-invalid', field, 'expected well-formed Unicode, received a lone surrogate');
}
