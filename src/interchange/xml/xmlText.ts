/** Text that is safe inside XML 1.0. */

const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
/** A text without any of these needs no work at all: most names and all data of numbers. */
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

/** The text with U+FFFD for each character that XML forbids (controls, lone surrogates, U+FFFE). */
export function xmlCharacters(text: string): string {
  return text.replace(NOT_XML, '\uFFFD');
}

/** The text escaped for the content of an element. */
export function xmlText(text: string): string {
  if (!DOUBTFUL.test(text)) return text;
  return xmlCharacters(text).replace(MARKUP, (mark) => REFERENCES[mark] ?? mark);
}

/** A name as the content of an element; empty where a stored row has none. */
export function xmlName(name: string | null | undefined): string {
  return name === undefined || name === null ? '' : xmlText(String(name));
}

/** The text escaped for a quoted attribute, where a parser would make spaces of line ends and tabs. */
export function xmlAttribute(text: string): string {
  return xmlCharacters(text).replace(QUOTED_MARKUP, (mark) => REFERENCES[mark] ?? mark);
}

/** Viewers take a description for HTML: the text as HTML that shows it as it is written, and runs nothing. */
export function shownText(text: string): string {
  return text.replace(/[&<>]/g, (mark) => REFERENCES[mark] ?? mark);
}
