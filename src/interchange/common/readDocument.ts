/** Reads what a writer is given: the name and properties of the file as a whole, and tracks. */

import { inputError, isArray } from '../../core/errors.js';
import type { ForeignDocument, RawTrack } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { isRecord } from './foreignFields.js';
import { jsonText } from './reservedFields.js';

/**
 * The document, with its properties as JSON represents them. Throws `option-value`, `cycle`, `json-value`, `limit-depth`,
 * `input-unreadable`.
 */
export function readDocument(document: ForeignDocument | undefined): ForeignDocument {
  if (document === undefined) return {};
  return guarded('document', () => {
    const given: unknown = document;
    if (!isRecord(given)) {
      throw inputError('option-value', 'document', 'an object with name and properties', given);
    }
    const { name, properties } = document;
    const givenName: unknown = name;
    if (givenName !== undefined && typeof givenName !== 'string') {
      throw inputError('option-value', 'document.name', 'text', givenName);
    }
    const givenProperties: unknown = properties;
    if (givenProperties !== undefined && !isRecord(givenProperties)) {
      throw inputError('option-value', 'document.properties', 'an object', givenProperties);
    }
    const text = jsonText(givenProperties, 'document.properties');
    return {
      ...(name === undefined ? {} : { name }),
      ...(text === undefined ? {} : { properties: JSON.parse(text) as Readonly<Record<string, unknown>> }),
    };
  });
}

/** Returns the track if its fixes are an array of objects. Throws `fixes-type` (`tracks[0].fixes`, `tracks[0].fixes[3]`), `input-unreadable`. */
export function readRawTrack(track: RawTrack, field: string): RawTrack {
  return guarded(field, () => {
    const { fixes } = track;
    if (!isArray(fixes)) {
      throw inputError('fixes-type', `${field}.fixes`, 'an array of fixes', fixes);
    }
    const wrong = fixes.findIndex((fix: unknown) => typeof fix !== 'object' || fix === null);
    if (wrong < 0) return track;
    throw inputError('fixes-type', `${field}.fixes[${wrong}]`, 'a fix', fixes[wrong]);
  });
}

/** The time as ISO 8601 text in UTC. Throws `time-range` outside the years 1 to 9999, because files write years with four digits. */
export function fixTime(time: number, field: string): string {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  if (year >= 1 && year <= 9999) return date.toISOString();
  throw inputError('time-range', field, 'a time of the years 1 to 9999', time);
}
