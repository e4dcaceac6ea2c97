/** Reads numbers that JSON does not have, as Python's `json.dumps` writes them. */

const TOKEN = /"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)\b/g;

/** The text with `NaN`, `Infinity` and `-Infinity` outside of strings as `null`; null if it has none. */
export function nanAsNull(text: string): string | null {
  if (!/NaN|Infinity/.test(text)) return null;
  let count = 0;
  const plain = text.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token;
    count++;
    return 'null';
  });
  return count === 0 ? null : plain;
}
