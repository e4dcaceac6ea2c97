/** Readers keep unknown content under `properties` or report it. Writers throw a coded error for input that they cannot write. */

import { describe, expect, test } from 'vitest';
import {
  type Crs,
  fromCsv,
  fromGeoJson,
  fromGpx,
  fromKml,
  readKml,
  toFeatureCollection,
  toFixCsv,
  toGpx,
  toKml,
  toZoneCsv,
} from '../../src/interchange/index.js';
import { errorOf } from '../errorOf.js';
import { kml } from './traps.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const feature = (properties: unknown, more: object = {}): string =>
  JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [1, 2] }, ...more });
const textsOf = (issues: readonly { code: string; severity: string; field: string }[]): string[] =>
  issues.map(({ code, severity, field }) => `${severity} ${code} ${field}`);

describe('GeoJSON', () => {
  test.each(['text', 7, [1]])('properties other than an object give a warning: %j', (properties) => {
    const { value, issues } = fromGeoJson(feature(properties));
    expect(value.zones).toHaveLength(1);
    expect(textsOf(issues)).toEqual(['warning geojson-type properties']);
    expect(fromGeoJson(feature(null)).issues).toEqual([]);
  });

  test('members of a Feature that GeoJSON does not define are counted by name in one warning', () => {
    const features = [1, 2].map(() => JSON.parse(feature({}, { title: 'A', bbox: [1, 2, 1, 2] })) as unknown);
    const { issues } = fromGeoJson(JSON.stringify({ type: 'FeatureCollection', name: 'x', features }));
    expect(textsOf(issues)).toEqual(['warning fields-left-out ']);
    expect(issues[0]!.message).toContain('title (2)');
  });

  test('mapped properties and properties with the name of a mapped field are both kept', () => {
    const fill = { fill: '#112233', color: 'school' };
    const [both] = fromGeoJson(feature(fill), { fieldProperties: { color: 'fill', icon: 'color' } }).value
      .zones;
    expect(both).toMatchObject({ color: { key: '#112233' }, icon: { key: 'school' } });
    const width = { width: 7, 'width~2': 8, radius_m: 50 };
    const [zone] = fromGeoJson(feature(width), { fieldProperties: { width: 'radius_m' } }).value.zones;
    expect(zone).toMatchObject({ width: 50, properties: { 'width~3': 7, 'width~2': 8 } });
  });

  test('a wire zone keeps a name that is not text; a second id gives a warning', () => {
    const type = { key: 'point' };
    const named = fromGeoJson(feature({ type, name: 5 }));
    expect(named.value.zones[0]).toMatchObject({ name: '', properties: { name: 5 } });
    expect(textsOf(named.issues)).toEqual(['warning type-mismatch properties.type']);
    const second = fromGeoJson(feature({ type, name: 'A', id: 'abc' }, { id: 7 }));
    expect(second.value.zones[0]).toMatchObject({ id: '7', name: 'A' });
    expect(textsOf(second.issues)).toEqual(['warning type-mismatch properties.id']);
    expect(fromGeoJson(feature({ type, name: 'A', id: 7 }, { id: 7 })).issues).toEqual([]);
  });

  test('CRS84 and EPSG codes may be addresses of opengis.net', () => {
    const named = (name: string): string => feature({}, { crs: { type: 'name', properties: { name } } });
    expect(fromGeoJson(named('http://www.opengis.net/def/crs/OGC/1.3/CRS84')).issues).toEqual([]);
    expect(fromGeoJson(named('https://www.opengis.net/def/crs/EPSG/0/4326')).issues).toEqual([]);
    expect(textsOf(fromGeoJson(named('http://www.opengis.net/def/crs/OGC/1.3/CRS83')).issues)).toEqual([
      'error crs-unsupported crs',
    ]);
  });
});

describe('GPX', () => {
  const points = (tag: string, count: number): string => `<${tag} lat="1" lon="2"/>`.repeat(count);

  test('points of routes count as vertices, and points of lines count once', () => {
    const limits = { maxVertices: 10 };
    const route = fromGpx(`<gpx><rte>${points('rtept', 11)}</rte></gpx>`, { limits });
    expect(textsOf(route.issues)).toEqual(['error limit-vertices ']);
    expect(route.value.routes[0]!.points).toHaveLength(10);
    const lines = { as: 'lines', limits } as const;
    const track = `<gpx><trk><trkseg>${points('trkpt', 10)}</trkseg></trk></gpx>`;
    expect(fromGpx(track, lines).issues).toEqual([]);
    expect(fromGpx(track.replace('<trkpt', '<trkpt lat="3" lon="3"/><trkpt'), lines).value.zones).toEqual([]);
  });

  test('points of a track outside its segments are read as a segment', () => {
    const file = `<gpx><trk>${points('trkpt', 2)}</trk></gpx>`;
    expect(fromGpx(file, { as: 'lines' }).value.zones).toMatchObject([
      {
        geometry: [
          [2, 1],
          [2, 1],
        ],
      },
    ]);
    expect(fromGpx(file.replace('lat="1"', 'lat="91"'), { as: 'lines' }).issues).toMatchObject([
      { code: 'element-misplaced', severity: 'warning' },
      { code: 'lat-range', field: 'trk[0].trkseg[0].trkpt[0].lat' },
    ]);
  });

  test('Garmin’s points between route points give a warning', () => {
    const between =
      '<extensions><x:RoutePointExtension><x:rpt lat="1" lon="3"/><x:rpt lat="1" lon="4"/></x:RoutePointExtension></extensions>';
    const { issues } = fromGpx(`<gpx xmlns:x="x"><rte><rtept lat="1" lon="2">${between}</rtept></rte></gpx>`);
    expect(textsOf(issues)).toEqual(['warning gpx-fields ']);
    expect(issues[0]!.message).toContain('rpt (2)');
  });

  test('the second name of a track is kept as a property', () => {
    const { tracks } = fromGpx('<gpx><trk><name>A</name><name>B</name></trk></gpx>').value;
    expect(tracks).toEqual([{ name: 'A', unitId: 'A', fixes: [], properties: { name: 'B' } }]);
  });
});

describe('KML', () => {
  const point = '<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>';

  test('the content of a Folder besides its name is kept as properties of its group', () => {
    const more =
      '<visibility>0</visibility><open>1</open><description>D</description><TimeSpan><begin>2020</begin></TimeSpan><ExtendedData><Data name="a"><displayName>A</displayName><value>1</value></Data><SchemaData><SimpleData name="b">2</SimpleData></SchemaData></ExtendedData>';
    const { value, issues } = fromKml(kml(`<Folder><name>F</name>${more}${point}</Folder>`));
    const properties = {
      visibility: '0',
      description: 'D',
      begin: '2020',
      'a.displayName': 'A',
      a: '1',
      b: '2',
    };
    expect(value.groups).toMatchObject([{ name: 'F', properties }]);
    expect(issues).toEqual([]);
    const plain = '<Folder><name>F</name><visibility>1</visibility><description> </description></Folder>';
    expect(fromKml(kml(plain)).value.groups).toEqual([{ id: 'group-1', name: 'F', geozones: [] }]);
  });

  test('elements of other namespaces in ExtendedData are kept as properties', () => {
    const own =
      '<ExtendedData xmlns:c="c"><c:number>14</c:number><c:row><c:seat>A</c:seat></c:row></ExtendedData>';
    const [zone] = fromKml(kml(point.replace('<Point>', `${own}<Point>`))).value.zones;
    expect(zone).toMatchObject({ properties: { number: '14', seat: 'A' } });
  });

  test('an invalid height or angle of a track is left out with a warning', () => {
    const track =
      '<Placemark><Track><when>2020-01-01T00:00:00Z</when><coord>1 2 high</coord><angles>x 0 0</angles></Track></Placemark>';
    const { value, issues } = fromKml(kml(track));
    expect(value.tracks[0]!.fixes).toEqual([{ time: Date.UTC(2020, 0, 1), lon: 1, lat: 2 }]);
    expect(textsOf(issues)).toEqual([
      'warning number-invalid Placemark[0].Track[0].coord',
      'warning number-invalid Placemark[0].Track[0].angles',
    ]);
  });

  test('with onZone a route is read as a group of its points, with a warning', async () => {
    const points = [{ name: 'p', type: { key: 'point' as const }, geometry: [[1, 2] as const] }];
    const file = toKml([], { routes: [{ id: 'r', name: 'R', points }] });
    const taken: string[] = [];
    const { value, issues } = await readKml([bytes(file)], { onZone: ({ id }) => taken.push(id) });
    expect(taken).toEqual(['r-1']);
    expect(value.routes).toEqual([]);
    expect(value.groups).toMatchObject([{ name: 'R', geozones: [{ id: 'r-1' }] }]);
    expect(textsOf(issues)).toEqual(['warning kml-data Folder']);
  });

  test('a UTF-8 file that declares UTF-16 is read as UTF-8, with a warning', () => {
    const file = `<?xml version="1.0" encoding="utf-16"?>${kml(point.replace('<Point>', '<name>Ж</name><Point>')).slice(22)}`;
    const { value, issues } = fromKml(bytes(file));
    expect(value.zones).toMatchObject([{ name: 'Ж' }]);
    expect(textsOf(issues)).toEqual(['warning encoding encoding']);
    const spaced = new Uint8Array(2 * file.length);
    new Uint16Array(spaced.buffer).set(Array.from(file, (unit) => unit.charCodeAt(0)));
    expect(fromKml(spaced)).toMatchObject({ value: { zones: [{ name: 'Ж' }] }, issues: [] });
  });

  test('a declaration after white space is read', () => {
    const file = `\n<?xml version="1.0" encoding="windows-1251"?>${kml(point.replace('<Point>', '<name>?</name><Point>')).slice(22)}`;
    const input = bytes(file);
    input[file.indexOf('?</name>')] = 0xc6;
    expect(fromKml(input)).toMatchObject({ value: { zones: [{ name: 'Ж' }] }, issues: [] });
  });
});

describe('CSV', () => {
  const HEADER = 'unit,time,lat,lon';
  const ROW = 'a,2020-01-01T00:00:00Z,1,2';

  test('columns without a field of a fix, and cells beyond the header, give a warning', () => {
    const { value, issues } = fromCsv(`${HEADER},driver\n${ROW},Ann,more\n${ROW},Bob,\n${ROW},\n`);
    expect(value.tracks[0]!.fixes).toHaveLength(3);
    expect(issues.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['csv-columns', 'warning', 1],
      ['csv-columns', 'warning', 2],
    ]);
    expect(issues[0]!.message).toContain('"driver"');
    const wide = Array.from({ length: 25 }, (_, i) => `x${i}`).join(',');
    expect(fromCsv(`${HEADER},${wide}\n`).issues[0]!.message).toContain('"x19" and 5 more; left out');
  });

  test('a row with fewer cells than the header is read, with a warning that has its line', () => {
    const text = `${HEADER},speed_kph\n${ROW},50\n${ROW.slice(0, -1)}37.\n${ROW},\n`;
    const { value, issues } = fromCsv(text);
    expect(value.tracks[0]!.fixes.map(({ lon }) => lon)).toEqual([2, 37, 2]);
    expect(issues.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['csv-columns', 'warning', 3],
    ]);
    expect(issues[0]!.message).toContain('expected 5 cells as in the header, received 4');
    const zones = fromCsv('id,wkt,name,width\na,POINT(1 2),A,5\nb,POINT(1 2),B\n');
    expect(zones.value.zones).toHaveLength(2);
    expect(zones.issues).toMatchObject([{ code: 'csv-columns', severity: 'warning', line: 3 }]);
  });

  test('a file truncated within a row always gives an issue for that row', () => {
    const text = `${HEADER},speed_kph\n${ROW},50.5\n`;
    for (let end = text.indexOf('\n') + 2; end < text.length - 5; end++) {
      expect(fromCsv(text.slice(0, end)).issues.map(({ line }) => line)).toContain(2);
    }
  });

  test.each(['speed_kph', 'accuracy', 'satellites'])('a negative %s is left out with a warning', (column) => {
    const { value, issues } = fromCsv(`${HEADER},${column}\n${ROW},-1\n${ROW},0\n`);
    expect(textsOf(issues)).toEqual([`warning number-invalid ${column.replace('_kph', '')}`]);
    expect(value.tracks[0]!.fixes.map((fix) => Object.keys(fix).length)).toEqual([3, 4]);
  });

  const zone = {
    id: 'a',
    name: 'A',
    type: { key: 'circle' as const },
    geometry: [[1, 2] as const],
    width: 50,
  };
  const file = toZoneCsv([{ ...zone, is_show_on_map: true }]);
  const [header = '', row = ''] = file.split('\r\n');

  test('further columns in a file of toZoneCsv are read as properties', () => {
    const { value, issues } = fromCsv(`${header},comment,id\r\n${row},hello,b\r\n`);
    expect(value.zones).toMatchObject([{ id: 'a', properties: { comment: 'hello', 'id~2': 'b' } }]);
    expect(issues).toEqual([]);
  });

  test('an edited cell that cannot be read gives a warning, and the field keeps its value', () => {
    const { value, issues } = fromCsv(file.replace(',50,', ',"1,500",').replace(',true,', ',ИСТИНА,'));
    expect(value.zones).toEqual([{ ...zone, is_show_on_map: true }]);
    expect(textsOf(issues)).toEqual([
      'warning number-invalid width',
      'warning number-invalid is_show_on_map',
    ]);
    const changed = fromCsv(file.replace(',50,', ',12.5,').replace(',true,', ',FALSE,'));
    expect(changed).toMatchObject({ value: { zones: [{ width: 12.5, is_show_on_map: false }] }, issues: [] });
    // A spreadsheet program with decimal commas; 1,500 could be thousands.
    const comma = fromCsv(file.replace(',50,', ',"12,5",'));
    expect(comma).toMatchObject({ value: { zones: [{ width: 12.5 }] }, issues: [] });
  });
});

describe('writers', () => {
  const any = (value: unknown): never => value as never;
  const nowhere: Crs = { name: 'nowhere', toWgs84: () => [0, 0], fromWgs84: () => [Number.NaN, 0] };
  const fixes = [{ time: 0, lon: 1, lat: 2 }];

  test.each<readonly [string, () => unknown, string, string]>([
    ['null as zones', () => toKml(any(null)), 'source-type', 'zones'],
    ['a text as zones', () => toFeatureCollection(any('a')), 'source-type', 'zones'],
    ['a number as zones', () => toZoneCsv(any(7)), 'source-type', 'zones'],
    ['an object as tracks', () => toFixCsv(any({})), 'source-type', 'tracks'],
    ['a number as groups', () => toKml([], { groups: any(7) }), 'source-type', 'groups'],
    ['a number as routes', () => toKml([], { routes: any(7) }), 'source-type', 'routes'],
    ['a number as tracks', () => toGpx({ tracks: any(7) }), 'source-type', 'tracks'],
    [
      'a group without zones',
      () => toKml([], { groups: any([{ id: 'g', name: 'G' }]) }),
      'input-unreadable',
      'groups[0]',
    ],
    ['a track without fixes', () => toFixCsv(any([{ unitId: 'u' }])), 'fixes-type', 'tracks[0].fixes'],
    [
      'null as a fix',
      () => toGpx({ tracks: any([{ name: 'a', fixes: [...fixes, null] }]) }),
      'fixes-type',
      'tracks[0].fixes[1]',
    ],
    ['null as a track', () => toFixCsv(any([null])), 'input-unreadable', 'tracks[0]'],
    ['null as a route', () => toGpx({ routes: any([null]) }), 'route-points', 'routes[0].points'],
    [
      'null as a point',
      () => toGpx({ routes: any([{ points: [null] }]) }),
      'input-unreadable',
      'routes[0].points[0]',
    ],
    [
      'a position outside the domain of the system',
      () => toFixCsv([{ name: 'a', unitId: 'u', fixes }], { crs: nowhere }),
      'crs-range',
      'tracks[0].fixes[0]',
    ],
  ])('%s is a coded error', (_, write, code, field) => {
    expect(errorOf(write)).toMatchObject({ code, field });
  });

  test('a missing name is written as empty text', () => {
    const zone = { id: 'a', type: { key: 'point' }, geometry: [[1, 2]] };
    expect(toKml([any(zone)])).toContain('<Placemark><name></name>');
    expect(toGpx({ zones: [any({ ...zone, name: null })], tracks: [any({ fixes })] })).not.toMatch(
      /undefined|null/,
    );
  });
});
