/** Reads and writes the names and properties of whole GPX, GeoJSON and KML files. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  fromGeoJson,
  fromGpx,
  fromKml,
  toFeatureCollection,
  toGpx,
  toKml,
  writeFeatureCollection,
} from '../../src/interchange/index.js';
import { testFolder, wayzone } from '../cli/wayzone.js';

const METADATA =
  '<name>Tour</name><desc>Two days</desc><author><name>Ann</name><email id="ann" domain="example.org"/><link href="https://example.org"><text>home</text></link></author>' +
  '<copyright author="Ann"><year>2020</year></copyright><time>2020-01-01T00:00:00Z</time><keywords>a, b</keywords><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>';
const KEPT = {
  desc: 'Two days',
  'author.name': 'Ann',
  'author.email.id': 'ann',
  'author.email.domain': 'example.org',
  'author.link.href': 'https://example.org',
  'author.link.text': 'home',
  'copyright.author': 'Ann',
  'copyright.year': '2020',
  time: '2020-01-01T00:00:00Z',
  keywords: 'a, b',
  'bounds.minlat': '1',
  'bounds.minlon': '2',
  'bounds.maxlat': '3',
  'bounds.maxlon': '4',
};
const WAYPOINT = '<wpt lat="1" lon="2"><name>W</name><desc>of W</desc></wpt>';

describe('GPX', () => {
  test('metadata becomes value.document, and so do the elements at the root of GPX 1.0', () => {
    const { value, issues } = fromGpx(`<gpx version="1.1"><metadata>${METADATA}</metadata>${WAYPOINT}</gpx>`);
    expect(value.document).toEqual({ name: 'Tour', properties: KEPT });
    expect(value.zones).toMatchObject([{ name: 'W', properties: { desc: 'of W' } }]);
    expect(issues).toEqual([]);
    const old = fromGpx(`<gpx version="1.0"><name>Old</name><url>http://example.org</url>${WAYPOINT}</gpx>`);
    expect(old.value.document).toEqual({ name: 'Old', properties: { url: 'http://example.org' } });
    expect(fromGpx(`<gpx version="1.1">${WAYPOINT}</gpx>`).value).not.toHaveProperty('document');
  });

  test('toGpx writes the name, description and keywords of a document', () => {
    const document = { name: 'N <&>', properties: { description: 'd', keywords: 'k', time: 'not written' } };
    expect(fromGpx(toGpx({ document })).value.document).toEqual({
      name: 'N <&>',
      properties: { desc: 'd', keywords: 'k' },
    });
    expect(toGpx({})).not.toContain('<metadata>');
  });
});

describe('GeoJSON', () => {
  test('a document is read back from its members; writeFeatureCollection writes the same', async () => {
    const document = { name: 'N', properties: { generator: 'g', meta: { list: [1, null] } } };
    const collection = toFeatureCollection([], { document });
    expect(fromGeoJson(JSON.stringify(collection)).value.document).toEqual(document);
    let text = '';
    await writeFeatureCollection(
      [],
      (chunk) => {
        text += chunk;
      },
      { document },
    );
    expect(JSON.parse(text)).toEqual(collection);
  });

  test('a property with the name of a GeoJSON member gets a suffix', () => {
    const properties = { type: 'x', features: 1, name: 'second', 'type~2': 'y' };
    const collection = toFeatureCollection([], { document: { name: 'N', properties } });
    expect(collection).toEqual({
      type: 'FeatureCollection',
      name: 'N',
      'type~2': 'x',
      'features~2': 1,
      'name~2': 'second',
      'type~2~2': 'y',
      features: [],
    });
  });
});

describe('convert', () => {
  const { at, put } = testFolder('documents');
  const zone = { id: 'a', name: 'A', type: { key: 'point' as const }, geometry: [[1, 2] as const] };
  const document = { name: 'Depots', properties: { description: 'all', source: 'x' } };

  test('keeps the document, or reports the fields that the target format does not have', async () => {
    const kml = put('a.kml', toKml([zone], { document }));
    await wayzone('convert', kml, at('b.geojson'));
    expect(fromGeoJson(readFileSync(at('b.geojson'))).value.document).toEqual(document);
    await wayzone('convert', at('b.geojson'), at('c.kml'));
    expect(fromKml(readFileSync(at('c.kml'))).value.document).toEqual(document);
    const gpx = await wayzone('convert', kml, at('d.gpx'));
    expect(fromGpx(readFileSync(at('d.gpx'))).value.document).toEqual({
      name: 'Depots',
      properties: { desc: 'all' },
    });
    expect(gpx.err).toContain('gpx lacks these fields of document: source (1); left out');
    const csv = await wayzone('convert', kml, at('e.csv'));
    expect(csv.err).toContain('fields of document: name (1), description (1), source (1); left out');
    await wayzone('convert', kml, at('f.kml'), '--title', 'T');
    expect(fromKml(readFileSync(at('f.kml'))).value.document).toEqual({ ...document, name: 'T' });
  });
});
