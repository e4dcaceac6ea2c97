/** The limit of the nesting of JSON. */

/** Maximum nesting of a body. The wire's deepest shape, a trip point's `parts`, has 8 levels. */
export const MOST_LEVELS = 64;

/** Whether JSON text is nested deeper than `MOST_LEVELS`. Checked before parsing, which would overflow the stack of what reads the value. */
export function isDeep(text: string): boolean {
  let level = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++level > MOST_LEVELS) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];
