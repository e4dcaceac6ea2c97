/** Replaces numbers that JSON does not have, as written by Python's `json.dumps`. */

const WORDS: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** The text with `NaN`, `Infinity` and `-Infinity` outside strings as `null`; null if there are none. */
export function nanAsNull(text: string): string | null {
  let plain = '';
  let from = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '"') inString = !inString;
    else if (inString) {
      if (c === '\\') i++;
    } else if (c === 'N' || c === 'I' || c === '-') {
      const word = WORDS.find((own) => text.startsWith(own, i));
      if (word === undefined) continue;
      plain += `${text.slice(from, i)}null`;
      from = i + word.length;
      i = from - 1;
    }
  }
  return from === 0 ? null : plain + text.slice(from);
}
