/** Reads a writer's option `document`: the name and properties of the file as a whole. */

import { inputError } from '../../core/errors.js';
import type { ForeignDocument } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { isRecord } from './foreignFields.js';
import { jsonText } from './wireTextsBeside.js';

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
