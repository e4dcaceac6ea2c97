/** Text that is safe inside XML 1.0. */

const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const MARKUP = /[&<>"'\r]/g;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/** The text with U+FFFD for each character that XML forbids (controls, lone surrogates, U+FFFE). */
export function xmlCharacters(text: string): string {
  return text.replace(NOT_XML, '\uFFFD');
}

/** The text escaped for an element or a quoted attribute. */
export function xmlText(text: string): string {
  return xmlCharacters(text).replace(MARKUP, (mark) => REFERENCES[mark] ?? mark);
}
