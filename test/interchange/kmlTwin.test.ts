import { DOMParser, type Element } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import type { Geozone } from '../../src/core/wire.js';
import { toKml } from '../../src/interchange/index.js';
import { wireJson } from '../../src/interchange/kml/kmlWire.js';
import { volume } from '../volume.js';
import { NASTY, pair } from './arbitraryZones.js';

/** Compares documents of the KML writer with the same documents built by xmlbuilder2: escapes, nesting and shared styles. */

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);
const point: fc.Arbitrary<Omit<Geozone, 'id'>> = fc.record(
  {
    name: text,
    type: fc.constant({ key: 'point' as const }),
    geometry: pair.map((one) => [one]),
    color: fc.constantFrom({ key: '#F56C6C' }, { key: '#00ff7f' }),
    icon: fc.constantFrom({ key: 'school' }, { key: 'a&b"c' }),
    description: text,
  },
  { requiredKeys: ['name', 'type', 'geometry'] },
);
const points = fc
  .array(point, { maxLength: 6 })
  .map((list) => list.map((one, i): Geozone => ({ id: `zone ${i}`, ...one })));

test('a document of points equals the document of xmlbuilder2', () => {
  fc.assert(
    fc.property(
      text,
      fc.record({ description: text }, { requiredKeys: [] }),
      points,
      (name, properties, zones) => {
        const written = toKml(zones, { name, document: { properties }, iconHref: hrefOf });
        expect(treeOf(written)).toEqual(treeOf(twinOf(name, properties, zones)));
      },
    ),
    { numRuns: volume(200) },
  );
});

type Tree = readonly [
  name: string,
  attributes: Readonly<Record<string, string>>,
  text: string,
  children: readonly Tree[],
];

/** Elements, attributes and texts by an independent parser, without white space between elements. */
function treeOf(document: string): Tree {
  const of = (element: Element): Tree => {
    const children = Array.from(element.childNodes).filter((node): node is Element => node.nodeType === 1);
    const attributes = Array.from(element.attributes, ({ name, value }) => [name, value] as const);
    const own = children.length > 0 ? '' : (element.textContent ?? '');
    return [element.tagName, Object.fromEntries(attributes), own, children.map(of)];
  };
  const parser = new DOMParser({
    onError(level, message) {
      // The parser warns about U+FFFD.
      if (level !== 'warning') throw new Error(message);
    },
  });
  return of(parser.parseFromString(document, 'text/xml').documentElement!);
}

function twinOf(
  name: string,
  properties: { readonly description?: string },
  zones: readonly Geozone[],
): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('http://www.opengis.net/kml/2.2', 'kml', {
    'xmlns:gx': 'http://www.google.com/kml/ext/2.2',
  });
  const document = root.ele('Document');
  document.ele('name').txt(asText(name));
  if (properties.description !== undefined)
    document.ele('description').txt(asText(shown(properties.description)));
  const looks = new Map<string, string>();
  const lookOf = ({ color, icon }: Geozone): string => JSON.stringify([color?.key, icon?.key]);
  const styled = zones.filter(({ color, icon }) => (color ?? icon) !== undefined);
  for (const zone of styled.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))) {
    const { color, icon } = zone;
    if (looks.has(lookOf(zone))) continue;
    const id = `style-${looks.size + 1}`;
    looks.set(lookOf(zone), id);
    const style = document.ele('Style', { id });
    const iconStyle = style.ele('IconStyle');
    const bgr = color === undefined ? null : color!.key.toLowerCase().replace(/^#(..)(..)(..)$/, '$3$2$1');
    if (bgr !== null) iconStyle.ele('color').txt(`ff${bgr}`);
    if (icon !== undefined)
      iconStyle
        .ele('Icon')
        .ele('href')
        .txt(asText(hrefOf(icon!.key)));
    // A point has neither lines nor a fill.
  }
  document
    .ele('ExtendedData')
    .ele('urn:wayzone:kml', 'record')
    .ele('urn:wayzone:kml', 'Data', { name: 'wayzone-document' })
    .ele('urn:wayzone:kml', 'value')
    .txt(asText(wireJson(properties)));
  for (const zone of zones) {
    const placemark = document.ele('Placemark');
    placemark.ele('name').txt(asText(zone.name!));
    const { description } = zone as { readonly description?: string };
    if (description) placemark.ele('description').txt(asText(shown(description)));
    const look = looks.get(lookOf(zone));
    if (look !== undefined) placemark.ele('styleUrl').txt(`#${look}`);
    const data = placemark.ele('ExtendedData').ele('urn:wayzone:kml', 'record');
    const { geometry, ...fields } = zone;
    for (const [field, value] of Object.entries(fields))
      data
        .ele('urn:wayzone:kml', 'Data', { name: `wayzone.${field}` })
        .ele('urn:wayzone:kml', 'value')
        .txt(asText(wireJson(value)));
    placemark.ele('Point').ele('coordinates').txt(geometry![0]!.join(','));
  }
  return root.end();
}

/** Styles are sorted by colour and icon, so that the order of zones does not affect them. */
const sortKeyOf = ({ color, icon }: Geozone): string =>
  `${color?.key.toLowerCase() ?? ''} ${icon === undefined ? '' : hrefOf(icon!.key)}`;
const hrefOf = (icon: string): string => `https://icons.example/?a=<${icon}>&b`;

/** Replaces characters that XML 1.0 (section 2.2) forbids by U+FFFD. */
function allowed(value: string): string {
  return Array.from(value, (character) => {
    const code = character.codePointAt(0)!;
    const isControl = code < 0x20 && code !== 9 && code !== 10 && code !== 13;
    return isControl || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff
      ? '\uFFFD'
      : character;
  }).join('');
}

/** Escapes what xmlbuilder2 leaves: references in a text, and a CR, which a parser reads as LF. */
const asText = (value: string): string => allowed(value).replaceAll('&', '&amp;').replaceAll('\r', '&#13;');

/** Escapes the text as HTML. */
function shown(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
