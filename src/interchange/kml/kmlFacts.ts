/** Writes the properties of a zone that `fromKml` reads from KML elements as these elements again, and all others as `Data`. */

import type { Geozone } from '../../core/wire.js';
import { isRecord } from '../common/foreignFields.js';
import { shownText, xmlAttribute, xmlText } from '../xml/xmlText.js';
import { colorToKml } from './kmlStyle.js';
import { WIRE_PREFIX } from './kmlWire.js';

/** Tags without attributes, or with formatting attributes only. */
const PLAIN_TAG =
  /^\/?(?:b|i|u|s|p|br|hr|em|strong|small|big|sub|sup|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|div|span|center|font|pre|code|blockquote)(?: +(?:align|valign|width|height|border|cellpadding|cellspacing|bgcolor|color|size|colspan|rowspan)="[\w#%. -]*")* *\/?$/i;

const LINK_TAG =
  /^(?:a href="https?:\/\/[^"<>\s]*"(?: target="_blank")?|img src="https?:\/\/[^"<>\s]*"(?: (?:width|height|alt)="[^"<>]*")* *\/?|\/a)$/i;

/** Parts of a Placemark, each empty if there are no such properties. */
export interface KmlFacts {
  /** Elements between the visibility and the description. */
  readonly address: string;
  readonly description: string;
  readonly time: string;
  /** An inline Style; null for a zone that has only a colour and an icon. */
  readonly style: string | null;
  readonly data: string;
}

type Form = (text: string) => boolean;

const matching =
  (pattern: RegExp): Form =>
  (text) =>
    pattern.test(text);

const COLOR = matching(/^[0-9a-f]{8}$/i);
const NUMBER = matching(/^-?\d{1,9}(?:\.\d{1,9})?$/);
const FLAG = matching(/^[01]$/);
const WORD: Form = (text) => text === 'normal' || text === 'random' || text === 'default' || text === 'hide';
/** Whether XML keeps the text unchanged. */
const LINE: Form = (text) => text !== '' && text.length <= MOST_TEXT && isKept(text);
const TEXT: Form = (text) => text !== '' && text.length <= MOST_TEXT;
/** Dates and times of KML (xsd:dateTime, date, gYearMonth, gYear). */
const TIME = matching(/^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/);
const MOST_TEXT = 20_000;

/** Elements of a Style in the order of the schema, with the form of their texts. */
const STYLE_PARTS: readonly (readonly [
  part: string,
  fields: readonly (readonly [path: string, form: Form])[],
])[] = [
  [
    'IconStyle',
    [
      ['color', COLOR],
      ['colorMode', WORD],
      ['scale', NUMBER],
      ['heading', NUMBER],
      ['Icon.href', LINE],
    ],
  ],
  [
    'LabelStyle',
    [
      ['color', COLOR],
      ['colorMode', WORD],
      ['scale', NUMBER],
    ],
  ],
  [
    'LineStyle',
    [
      ['color', COLOR],
      ['colorMode', WORD],
      ['width', NUMBER],
    ],
  ],
  [
    'PolyStyle',
    [
      ['color', COLOR],
      ['colorMode', WORD],
      ['fill', FLAG],
      ['outline', FLAG],
    ],
  ],
  [
    'BalloonStyle',
    [
      ['bgColor', COLOR],
      ['textColor', COLOR],
      ['text', TEXT],
      ['displayMode', WORD],
    ],
  ],
];

const NOTHING: KmlFacts = { address: '', description: '', time: '', style: null, data: '' };

/** KML elements of a zone's properties. */
export function kmlFacts({ properties, color }: Geozone & { readonly properties?: unknown }): KmlFacts {
  if (!isRecord(properties)) return NOTHING;
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      texts.set(key, String(value));
    }
  }
  if (texts.size === 0) return NOTHING;
  const take = (key: string, form: Form): string | null => {
    const text = texts.get(key);
    if (text === undefined || !form(text)) return null;
    texts.delete(key);
    return text;
  };
  const element = (key: string): string => {
    const text = take(key, LINE);
    return text === null ? '' : `<${key}>${xmlText(text)}</${key}>`;
  };
  const address = ['address', 'phoneNumber', 'Snippet'].map(element).join('');
  const description = take('description', TEXT);
  const time = timeOf(take);
  const main: unknown = color?.key;
  const style = styleOf(take, typeof main === 'string' ? colorToKml(main, 'ff') : null);
  return {
    address,
    description: description === null ? '' : htmlText(description),
    time,
    style,
    data: dataOf(texts),
  };
}

/** Text of a description or balloon, which viewers read as HTML. Markup that could run code is shown as text. */
export function htmlText(text: string): string {
  return xmlText(isHarmlessHtml(text) ? text : shownText(text));
}

function timeOf(take: (key: string, form: Form) => string | null): string {
  const [begin, end] = [take('begin', TIME), take('end', TIME)];
  if (begin !== null || end !== null) {
    const of = (name: string, text: string | null): string =>
      text === null ? '' : `<${name}>${text}</${name}>`;
    return `<TimeSpan>${of('begin', begin)}${of('end', end)}</TimeSpan>`;
  }
  const when = take('when', TIME);
  return when === null ? '' : `<TimeStamp><when>${when}</when></TimeStamp>`;
}

/** The inline Style. `main`: the zone's colour, which `fromKml` took from the line, else from the icon. */
function styleOf(take: (key: string, form: Form) => string | null, main: string | null): string | null {
  let hasFacts = false;
  const parts = STYLE_PARTS.map(([part, fields]) => {
    const texts = new Map<string, string>();
    for (const [path, form] of fields) {
      const text = take(`${part}.${path}`, form);
      if (text !== null) texts.set(path, text);
    }
    hasFacts ||= texts.size > 0;
    if (main !== null && (part === 'LineStyle' || part === 'IconStyle') && !texts.has('color'))
      texts.set('color', main);
    const inner = fields.map(([path]) => {
      const text = texts.get(path);
      if (text === undefined) return '';
      if (path === 'Icon.href') return `<Icon><href>${xmlText(text)}</href></Icon>`;
      return `<${path}>${path === 'text' ? htmlText(text) : xmlText(text)}</${path}>`;
    });
    return texts.size === 0 ? '' : `<${part}>${inner.join('')}</${part}>`;
  });
  return hasFacts ? `<Style>${parts.join('')}</Style>` : null;
}

function dataOf(texts: ReadonlyMap<string, string>): string {
  let data = '';
  for (const [key, text] of texts) {
    if (key === '' || key.startsWith(WIRE_PREFIX) || key.startsWith('wayzone-')) continue;
    // Texts that XML would change, and paths of elements (`LookAt.range`), stay in wayzone's own fields only.
    if (!isKept(text) || !isKept(key) || key.includes('.')) continue;
    const title = texts.get(`${key}.displayName`);
    const displayed =
      title === undefined || !isKept(title) ? '' : `<displayName>${xmlText(title)}</displayName>`;
    data += `<Data name="${xmlAttribute(key)}">${displayed}<value>${xmlText(text)}</value></Data>`;
  }
  return data;
}

/** Whether XML keeps the text unchanged: it has no outer spaces and no characters that XML forbids or changes. */
function isKept(text: string): boolean {
  return text.trim() === text && !UNKEPT.test(text);
}

const UNKEPT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u;

/** Whether every tag of the text is in the list of harmless ones. Linear. */
function isHarmlessHtml(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at);
    if (end < 0 || end - at > 1000) return false;
    const tag = text.slice(at + 1, end);
    if (!PLAIN_TAG.test(tag) && !LINK_TAG.test(tag)) return false;
    at = end;
  }
  return true;
}
