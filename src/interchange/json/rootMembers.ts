/** Lists the member names of a JSON object, repeated names included. */

import { COMMA, QUOTE } from '../../core/ascii.js';
import { ARRAY, ARRAY_END, OBJECT, OBJECT_END } from './jsonBytes.js';
import { stringEnd } from './parseJson.js';

/** Member names of the root object in the order of the text; empty if the root is not an object. `text` must be valid JSON. */
export function rootMembers(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let isObject = false;
  let isName = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    switch (unit) {
      case QUOTE: {
        const start = i;
        i = stringEnd(text, start);
        if (isName) names.push(JSON.parse(text.slice(start, i + 1)) as string);
        isName = false;
        break;
      }
      case OBJECT:
      case ARRAY:
        if (depth === 0) isObject = unit === OBJECT;
        isName = isObject && depth === 0;
        depth++;
        break;
      case OBJECT_END:
      case ARRAY_END:
        depth--;
        break;
      case COMMA:
        isName = isObject && depth === 1;
        break;
      default:
    }
  }
  return names;
}
