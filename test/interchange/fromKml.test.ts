import { readFileSync } from 'node:fs';
import { kml as toGeoJson } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { fromKml } from '../../src/interchange/index.js';
import { needs, sharedData } from '../needs.js';
import { wkt } from '../wkt.js';
import { dataFiles } from './realData.js';

function document(inner: string): string {
  return `<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n${inner}</Document></kml>`;
}

function placemark(geometry: string, more = ''): string {
  return document(`<Placemark><name>P</name>${more}${geometry}</Placemark>`);
}

const ring = (text: string): string => `<LinearRing><coordinates>${text}</coordinates></LinearRing>`;
const OUTER = `<outerBoundaryIs>${ring('0,0 1,0 1,1 0,0')}</outerBoundaryIs>`;
const INNER = `<innerBoundaryIs>${ring('0.5,0.1 0.6,0.1 0.6,0.2 0.5,0.1')}</innerBoundaryIs>`;

function codes(text: string): string[] {
  return fromKml(text).issues.map((issue) => issue.code);
}

describe('Placemarks', () => {
  test('Point, LineString, LinearRing and Polygon with data and colour', () => {
    const data =
      '<ExtendedData><Data name="width"><value>40</value></Data><SchemaData><SimpleData name="a">b</SimpleData></SchemaData></ExtendedData>';
    const style = '<Style><LineStyle><color>ff3489E6</color></LineStyle></Style>';
    const [line] = fromKml(
      placemark('<LineString><coordinates>1,2 3,4</coordinates></LineString>', style + data),
    ).value.zones;
    expect(line).toEqual({
      id: 'zone-1',
      name: 'P',
      type: { key: 'line' },
      geometry: wkt('1 2, 3 4'),
      width: 40,
      color: { key: '#E68934' },
      properties: { a: 'b' },
    });
    expect(
      fromKml(placemark('<Point><coordinates>1,2,0</coordinates></Point>')).value.zones[0]?.geometry,
    ).toEqual([[1, 2]]);
    expect(fromKml(placemark(ring('0,0 1,0 1,1 0,0'))).value.zones[0]?.type.key).toBe('line');
    const [polygon] = fromKml(placemark(`<Polygon>${OUTER}${INNER}</Polygon>`)).value.zones;
    expect(polygon?.parts?.[0]).toHaveLength(2);
  });

  test('the polygons of a MultiGeometry become one zone; a mixed MultiGeometry becomes a group', () => {
    const polygon = `<Polygon>${OUTER}</Polygon>`;
    const one = fromKml(placemark(`<MultiGeometry>${polygon}${polygon}</MultiGeometry>`)).value;
    expect(one.zones[0]?.parts).toHaveLength(2);
    const mixed = fromKml(
      placemark(`<MultiGeometry>${polygon}<Point><coordinates>1,2</coordinates></Point></MultiGeometry>`),
    ).value;
    expect(mixed.zones.map((zone) => zone.type.key)).toEqual(['polygon', 'point']);
    expect(mixed.groups[0]).toMatchObject({ name: 'P', geozones: [{ id: 'zone-1~1' }, { id: 'zone-1~2' }] });
  });

  test('Folders become groups of all their zones; a style may follow its use', () => {
    const point =
      '<Placemark><styleUrl>#m</styleUrl><Point><coordinates>1,2</coordinates></Point></Placemark>';
    const { value } = fromKml(
      document(
        `<Folder><name>A</name>${point}<Folder><name>B</name>${point}</Folder></Folder><StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap><Style id="s"><PolyStyle><color>7f0000ff</color></PolyStyle></Style>`,
      ),
    );
    expect(value.groups.map(({ name, geozones }) => [name, geozones.length])).toEqual([
      ['B', 1],
      ['A', 2],
    ]);
    expect(value.zones.map((zone) => zone.color?.key)).toEqual(['#FF0000', '#FF0000']);
  });

  test('gx:Track becomes a track; unequal counts are rejected', () => {
    const when = '<when>2020-01-01T00:00:00Z</when>';
    const coord = '<gx:coord>1 2 3</gx:coord>';
    expect(fromKml(placemark(`<gx:Track>${when}${coord}</gx:Track>`)).value.tracks).toEqual([
      { name: 'P', unitId: 'P', fixes: [{ time: Date.UTC(2020, 0, 1), lon: 1, lat: 2, altitudeMeters: 3 }] },
    ]);
    expect(codes(placemark(`<gx:Track>${when}${when}${coord}</gx:Track>`))).toEqual(['kml-track-mismatch']);
  });

  test('a gx:Track has courses and the data of its Placemark; without times it becomes a line, or a point', () => {
    const when = '<when>2020-01-01T00:00:00Z</when>';
    const coord = '<gx:coord>1 2 3</gx:coord>';
    const data = '<ExtendedData><Data name="driver"><value>D</value></Data></ExtendedData>';
    const values =
      '<ExtendedData><SchemaData><gx:SimpleArrayData name="hr"><gx:value>60</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData>';
    const turned = fromKml(
      placemark(`<gx:Track>${when}${coord}<gx:angles>45 0 0</gx:angles>${values}</gx:Track>`, data),
    );
    expect(turned.value.tracks[0]).toMatchObject({
      properties: { driver: 'D' },
      fixes: [{ courseDegrees: 45 }],
    });
    expect(turned.issues).toMatchObject([{ code: 'kml-data', severity: 'warning' }]);
    const twice = `${coord}<gx:coord>4 5 6</gx:coord>`;
    const line = fromKml(placemark(`<gx:Track>${twice}</gx:Track>`, data));
    expect(line).toMatchObject({
      value: { tracks: [], zones: [{ type: { key: 'line' }, properties: { driver: 'D' } }] },
      issues: [{ code: 'kml-track-mismatch', severity: 'warning' }],
    });
    expect(fromKml(placemark(`<gx:Track>${coord}</gx:Track>`)).value.zones[0]?.type.key).toBe('point');
    const angles = '<gx:angles>1 2 3</gx:angles>';
    const uneven = fromKml(placemark(`<gx:Track>${when}${coord}${angles}${angles}</gx:Track>`));
    expect(uneven.value.tracks[0]?.fixes).toHaveLength(1);
    expect(uneven.issues).toMatchObject([{ code: 'kml-track-mismatch', severity: 'warning' }]);
  });

  test('a pair of a StyleMap may contain an inline Style', () => {
    const style = '<Style><LineStyle><color>ff0000ff</color></LineStyle></Style>';
    const map = `<StyleMap id="m"><Pair><key>normal</key>${style}</Pair></StyleMap>`;
    const point =
      '<Placemark><styleUrl>#m</styleUrl><Point><coordinates>1,2</coordinates></Point></Placemark>';
    expect(fromKml(document(point + map)).value.zones[0]?.color?.key).toBe('#FF0000');
  });
});

describe('hostile input', () => {
  test.each([
    ['', 0],
    ['1,2 1;2', 1],
    ['1,2 NaN,1', 1],
    ['1e400,1', 0],
    ['0x10,1', 0],
    ['1,2,3,4', 0],
    ['١,٢', 0],
    ['1,2 3,4 5', 2],
  ])('Formats 40: coordinates %j are rejected, with the index of the tuple', (text, tuple) => {
    const [issue] = fromKml(placemark(`<LineString><coordinates>${text}</coordinates></LineString>`)).issues;
    const index = text === '' ? '' : `[${tuple}]`;
    expect(issue).toMatchObject({
      code: 'kml-coordinates',
      severity: 'error',
      field: `Placemark[0].coordinates${index}`,
      line: 3,
    });
  });

  test('an altitude that is not a number is left out with a warning; ten megabytes of spaces are read fast', () => {
    const text = `1,2,nan${' '.repeat(10_000_000)}3,4,5`;
    const { value, issues } = fromKml(
      placemark(`<LineString><coordinates>${text}</coordinates></LineString>`),
    );
    expect(value.zones[0]?.geometry).toEqual(wkt('1 2, 3 4'));
    expect(issues.map((issue) => issue.code)).toEqual(['altitude-dropped']);
  });

  test.each([
    '<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
    '<!DOCTYPE kml SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE kml>',
  ])('%s is forbidden', (doctype) => {
    const { value, issues } = fromKml(
      `<?xml version="1.0"?>\n${doctype}<kml><Placemark><name>&b;</name></Placemark></kml>`,
    );
    expect(issues).toMatchObject([{ code: 'xml-dtd-forbidden', severity: 'error', line: 2 }]);
    expect(value.zones).toEqual([]);
  });

  test('depth is limited while reading', () => {
    expect(codes(document('<Folder>'.repeat(65)))).toEqual(['limit-depth']);
    expect(codes('<a>'.repeat(100_000))).toContain('limit-depth');
  });

  test.each([
    ['<kml><Placemark a="1" a="2"/></kml>', 'xml-malformed'],
    ['<kml><Placemark></kml>', 'xml-malformed'],
    ['<kml/><kml/>', 'xml-malformed'],
    ['<kml><Placemark>', 'xml-truncated'],
    ['', 'xml-truncated'],
    ['<kml><name>&#0;</name></kml>', 'xml-bad-char-ref'],
  ])('%s is %s', (text, code) => {
    expect(codes(text)).toContain(code);
  });

  test('a file cut at any byte gives the zones before the cut and never throws', () => {
    const text = placemark('<Point><coordinates>1,2</coordinates></Point>');
    const bytes = Buffer.from(text);
    for (let end = 0; end < bytes.length; end++) {
      const { value, issues } = fromKml(bytes.subarray(0, end));
      expect(issues.length).toBeGreaterThan(0);
      expect(value.zones).toHaveLength(end >= text.indexOf('</Placemark>') + 12 ? 1 : 0);
    }
  });

  test('links are reported and never followed; any namespace prefix is read', () => {
    const link = '<NetworkLink><Link><href>http://169.254.169.254/</href></Link></NetworkLink>';
    expect(codes(document(link))).toEqual(['kml-unsupported']);
    const prefixed =
      '<k:kml xmlns:k="x"><k:Placemark><k:Point><k:coordinates>1,2</k:coordinates></k:Point></k:Placemark></k:kml>';
    expect(fromKml(prefixed).value.zones).toHaveLength(1);
  });

  test('a missing geometry and an invalid colour are warnings', () => {
    expect(codes(placemark(''))).toEqual(['geometry-missing']);
    expect(codes(document('<Style><LineStyle><color>red</color></LineStyle></Style>'))).toEqual([
      'kml-color',
    ]);
  });
});

interface PlainGeometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly PlainGeometry[];
}

/** Every `lon,lat` in the geometry, in order. */
function positionsOf(geometry: PlainGeometry | null): string[] {
  if (geometry === null) return [];
  if (geometry.geometries !== undefined) return geometry.geometries.flatMap(positionsOf);
  const walk = (value: unknown): string[] =>
    Array.isArray(value)
      ? typeof value[0] === 'number'
        ? [`${value[0]},${value[1]}`]
        : value.flatMap(walk)
      : [];
  return walk(geometry.coordinates);
}

const CORPUS = 'kml/mapbox-togeojson';
describe('the togeojson corpus (needs ../shared/data)', () => {
  const files = dataFiles(CORPUS, '.kml');
  needs(sharedData(CORPUS)).test(
    'every file is read without an exception, with the positions that togeojson reads',
    () => {
      expect(files.length).toBeGreaterThan(20);
      let compared = 0;
      for (const file of files) {
        const text = readFileSync(file, 'utf8');
        const { value, issues } = fromKml(text);
        if (/Track|<coordinates\s*\/>/.test(text) || issues.some((issue) => issue.severity === 'error'))
          continue;
        const twin = toGeoJson(
          new DOMParser().parseFromString(text.trim(), 'text/xml') as unknown as Parameters<
            typeof toGeoJson
          >[0],
        );
        const wanted = twin.features.flatMap((feature) =>
          positionsOf(feature.geometry as PlainGeometry | null),
        );
        const got = value.zones.flatMap((zone) =>
          positionsOf({ type: zone.type.key, coordinates: zone.parts ?? zone.geometry }),
        );
        // togeojson closes open rings. So sets of positions are compared, and counts only if no ring was open.
        expect([...new Set(got)].sort(), file).toEqual([...new Set(wanted)].sort());
        if (!file.endsWith('timespan.kml')) expect(got.length, file).toBe(wanted.length);
        compared++;
      }
      expect(compared).toBeGreaterThan(12);
    },
  );
});
