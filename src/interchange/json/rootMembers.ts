/** The names of a JSON object's own members, with those that stand twice. */

/** The names in the order of the text; none if the value is not an object. `text` must be valid JSON. */
export function rootMembers(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let isObject = false;
  let isName = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const start = i;
        for (i++; text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++;
        if (isName) names.push(JSON.parse(text.slice(start, i + 1)) as string);
        isName = false;
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        if (depth === 0) isObject = text.charCodeAt(i) === 0x7b;
        isName = isObject && depth === 0;
        depth++;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x2c: // ,
        isName = isObject && depth === 1;
        break;
      default:
    }
  }
  return names;
}
