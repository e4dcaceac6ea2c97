/** Texts of UTF-8 that were read in another encoding and written again. Natural texts: names of countries in 40 languages. */

import { expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { IssueList } from '../../src/interchange/common/issueList.js';
import { EncodedTwice } from '../../src/interchange/common/sentinels.js';
import { fromCsv, fromGeoJson, fromGpx, fromKml } from '../../src/interchange/index.js';

const ENCODINGS = ['windows-1252', 'windows-1251', 'windows-1250'];
const LANGUAGES =
  'ar az be bg bn bs cs da de el es et fa fi fr he hi hr hu hy is it ja ka kk ko lt lv mk nl no pl pt ro ru sk sl sq sr sv ta th tr uk vi zh';

const twice = (text: string, encoding: string): string =>
  new TextDecoder(encoding).decode(new TextEncoder().encode(text));

function saidOf(text: string): string | undefined {
  const [issues, found] = [new IssueList(10), new EncodedTwice()];
  found.add(text);
  found.report(issues);
  return issues.toArray()[0]?.message;
}

const names = LANGUAGES.split(' ').flatMap((language) => {
  const display = new Intl.DisplayNames(language, { type: 'region' });
  const codes = [
    'AT',
    'BR',
    'CI',
    'CZ',
    'DE',
    'ES',
    'FR',
    'GB',
    'HU',
    'IS',
    'KZ',
    'LV',
    'NO',
    'PL',
    'RU',
    'TR',
  ];
  return codes.map((code) => display.of(code)!);
});

test('names of countries in 40 languages are not encoded twice', () => {
  const cased = names.flatMap((name) => [
    name,
    name.toUpperCase(),
    name.toLowerCase(),
    `«${name}»`,
    `${name}…`,
  ]);
  expect(cased.filter((name) => saidOf(name) !== undefined)).toEqual([]);
});

test.each(ENCODINGS)(
  'written again from %s they are, and the warning has the text that is meant',
  (encoding) => {
    const marked = names.filter((name) => Array.from(name).filter((one) => one > '\u007f').length > 1);
    expect(marked.length).toBeGreaterThan(300);
    for (const name of marked) expect(saidOf(twice(name, encoding)), name).toContain(JSON.stringify(name));
  },
);

const NAME = twice('Склад', 'windows-1252');
const FILES: readonly (readonly [string, ForeignData])[] = [
  ['CSV', fromCsv(`name;lat;lon;radius_m\n${NAME};55;37;100\n`)],
  [
    'KML',
    fromKml(
      `<kml><Placemark><name>${NAME}</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`,
    ),
  ],
  [
    'KML, in a text of its data',
    fromKml(
      `<kml><Placemark><description>${NAME}</description><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`,
    ),
  ],
  [
    'GPX',
    fromGpx(
      `<gpx version="1.1"><trk><name>${NAME}</name><trkseg><trkpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>`,
    ),
  ],
  [
    'GeoJSON',
    fromGeoJson({
      type: 'Feature',
      properties: { name: NAME },
      geometry: { type: 'Point', coordinates: [1, 2] },
    }),
  ],
  ['the unit of a table', fromCsv(`unit,time,lat,lon\n${NAME},2026-01-01T00:00:00Z,55,37\n`)],
];

test.each(FILES)('%s: one warning, and the text is not changed', (_, { value, issues }) => {
  expect(issues.filter(({ code }) => code === 'encoding')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('"Склад"') as string },
  ]);
  expect(JSON.stringify(value)).toContain(NAME);
});
