import { expect, test } from 'vitest';
import { completeGeozone, type Geozone, measureZone, ZoneIndex } from '../../src/index.js';
import {
  fromCsv,
  fromGeoJson,
  fromKml,
  fromKmz,
  toFeatureCollection,
  toGpx,
  toKml,
  toKmz,
  toZoneCsv,
  writeFeatureCollection,
  writeKml,
  writeZoneCsv,
} from '../../src/interchange/index.js';
import { validateGeozone } from '../../src/schemas/index.js';
import { zoneTile } from '../../src/tiles/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { hostileZone } from '../zones/hostileZones.js';

/** A zone that validation accepts is written and read back by every format, drawn and measured. */

const ID = '00000000-0000-4000-8000-000000000000';

/** The row of an accepted zone, as a database returns it; null for a refused one. */
function accepted(zone: object): Geozone | null {
  try {
    const row = { ...completeGeozone(validateGeozone({ ...zone, id: ID })) };
    return JSON.parse(JSON.stringify(row)) as Geozone;
  } catch {
    return null;
  }
}

const READERS: Readonly<Record<string, (row: Geozone) => Geozone | undefined>> = {
  kml: (row) => fromKml(toKml([row])).value.zones[0],
  kmz: (row) => fromKmz(toKmz([row])).value.zones[0],
  csv: (row) => fromCsv(toZoneCsv([row])).value.zones[0],
  geojson: (row) => fromGeoJson(JSON.stringify(toFeatureCollection([row], { all: true }))).value.zones[0],
};

const shapeOf = ({ type, geometry, width, parts }: Geozone): unknown => [type.key, geometry, width, parts];

test('each accepted hostile zone goes through all formats, map, tile, index and measures, and back in', () => {
  const random = seeded(53);
  let count = 0;
  const cases = volume(2000);
  for (let i = 0; i < cases; i++) {
    const row = accepted(hostileZone(random, `Zone ${i}`));
    if (row === null) continue;
    count++;
    for (const [format, read] of Object.entries(READERS)) {
      const back = read(row);
      expect([format, back && shapeOf(back)]).toEqual([format, shapeOf(row)]);
    }
    expect(toFeatureCollection([row], { onlyShownOnMap: true }).features).toHaveLength(1);
    if (row.type.key === 'point' || row.type.key === 'circle')
      expect(toGpx({ zones: [row] })).toContain('<wpt');
    const index = new ZoneIndex([row]);
    expect(index.nearest([0, 0], { count: 1 })).toHaveLength(1);
    expect(zoneTile(index, { z: 0, x: 0, y: 0 })).toBeInstanceOf(Uint8Array);
    expect(Number.isFinite(measureZone(row).area)).toBe(true);
    expect(shapeOf(completeGeozone(validateGeozone(row), { stored: row }))).toEqual(shapeOf(row));
  }
  expect(count).toBeGreaterThan(cases / 4);
});

const circle = (width: number): object => ({
  name: 'C',
  type: { key: 'circle' },
  geometry: [[30, 60]],
  width,
});
const line = (...geometry: number[][]): object => ({ name: 'L', type: { key: 'line' }, geometry, width: 50 });
const FLAT: readonly (readonly [object, string, string])[] = [
  [circle(0), 'radius-range', 'width'],
  [circle(1e-9), 'radius-range', 'width'],
  [circle(9.9e-4), 'radius-range', 'width'],
  [line([30, 60]), 'line-too-short', 'geometry'],
  [line([30, 60], [30, 60]), 'line-too-short', 'geometry'],
  [line([180, 60], [-180, 60]), 'line-too-short', 'geometry'],
];

test('circles and lines without an extent are refused; 1 mm and points are not', () => {
  for (const [zone, code, field] of FLAT) {
    expect(errorOf(() => validateGeozone(zone)).errors).toMatchObject([{ reason: code, field }]);
    expect(errorOf(() => completeGeozone(zone as Geozone))).toMatchObject({ code, field });
  }
  for (const zone of [circle(1e-3), { ...circle(0), type: { key: 'point' } }, line([30, 60], [30, 60.001])])
    expect(accepted(zone)).not.toBeNull();
});

test('as a stored row such a zone is its position in every file', () => {
  for (const [i, [zone]] of FLAT.entries()) {
    const row = { ...zone, id: `${i}` } as Geozone;
    const position = row.geometry[0];
    expect(toFeatureCollection([row]).features[0]?.geometry).toEqual({
      type: 'Point',
      coordinates: position,
    });
    expect(toKml([row])).toContain(`<Point><coordinates>${String(position)}</coordinates></Point>`);
    expect(toZoneCsv([row])).toContain(`POINT (${position?.join(' ')})`);
    for (const read of Object.values(READERS)) expect(read(row)?.geometry[0]).toEqual(position);
    expect(new ZoneIndex([row]).at(row.geometry[0] as [number, number])).toEqual([row.id]);
  }
});

test('with onIssue a shape that cannot be written ends no file, and its row is named in it', async () => {
  const sound = { ...circle(50), id: 'sound' } as Geozone;
  const broken = [
    { ...line(), id: 'no-vertex' },
    { ...circle(50), geometry: [[30, 95]], id: 'no-latitude' },
    { name: 'P', type: { key: 'polygon' }, geometry: [[1, 2]], id: 'no-ring' },
  ] as unknown as Geozone[];
  const rows = [broken[0]!, sound, ...broken.slice(1)];
  const found: string[] = [];
  const onIssue = ({ code, field }: { code: string; field: string }, { id }: Geozone): void => {
    found.push(`${id} ${code} ${field.split('[')[0]}`);
  };
  const expected = [
    'no-vertex line-too-short geometry',
    'no-latitude lat-range geometry',
    'no-ring ring-too-short geometry',
  ];
  const textOf = async (write: (sink: (chunk: string) => void) => Promise<void>): Promise<string> => {
    let text = '';
    await write((chunk) => {
      text += chunk;
    });
    expect(found.splice(0)).toEqual(expected);
    for (const { id } of rows) expect(text).toContain(id);
    return text;
  };
  const csv = await textOf((sink) => writeZoneCsv(rows, sink, { onIssue }));
  expect(fromCsv(csv).value.zones.map(({ id }) => id)).toEqual(['sound']);
  const kml = await textOf((sink) => writeKml(rows, sink, { onIssue }));
  expect(fromKml(kml).value.zones.map(({ id }) => id)).toEqual(['sound']);
  const json = await textOf((sink) => writeFeatureCollection(rows, sink, { onIssue }));
  expect(JSON.parse(json)).toMatchObject({
    features: [{ id: 'sound' }],
    leftOut: [{ id: 'no-vertex', code: 'line-too-short' }, { id: 'no-latitude' }, { id: 'no-ring' }],
  });
  expect(fromKmz(toKmz(rows, { onIssue })).value.zones.map(({ id }) => id)).toEqual(['sound']);
  expect(found).toEqual(expected);
  // Without it, the first one throws.
  await expect(writeKml(rows, () => {})).rejects.toMatchObject({ code: 'line-too-short' });
});
