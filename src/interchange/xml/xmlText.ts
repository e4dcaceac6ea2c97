/** Escapes text for XML 1.0. */

const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** Characters that may need escaping. Most names, and all lists of numbers, have none. */
const DOUBTFUL = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/;
const MARKUP = /[&<>\r]/g;
const QUOTED_MARKUP = /[&<>"'\r\n\t]/g;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** The text with each character that XML forbids (controls, lone surrogates, U+FFFE) replaced by U+FFFD. */
export function xmlCharacters(text: string): string {
  return text.replace(NOT_XML, '\uFFFD');
}

/** The text escaped for the content of an element. */
export function xmlText(text: string): string {
  if (!DOUBTFUL.test(text)) return text;
  return xmlCharacters(text).replace(MARKUP, (mark) => REFERENCES[mark] ?? mark);
}

/** A name escaped for the content of an element. Empty for a missing name. */
export function xmlName(name: string | null | undefined): string {
  return name === undefined || name === null ? '' : xmlText(String(name));
}

/** The text escaped for a quoted attribute. Line ends and tabs are escaped too: a parser would turn them into spaces. */
export function xmlAttribute(text: string): string {
  return xmlCharacters(text).replace(QUOTED_MARKUP, (mark) => REFERENCES[mark] ?? mark);
}

/** The text escaped as HTML, because viewers show a description as HTML. Markup in it is shown, not run. */
export function shownText(text: string): string {
  return text.replace(/[&<>]/g, (mark) => REFERENCES[mark] ?? mark);
}
