import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { corridor, type MultiPolygon, type Polygon } from '../../src/index.js';
import { wkt } from '../wkt.js';
import { testFolder } from './wayzone.js';

const LINE: [number, number][] = wkt('37.6 55.7, 37.61 55.7');

const { folder, put: file } = testFolder('buffer');

async function buffer(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await run(['buffer', ...argv], {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

interface Corridors {
  readonly type: string;
  readonly features: { id: string; geometry: Polygon | MultiPolygon; properties: object }[];
}

function read(text: string): Corridors {
  return JSON.parse(text) as Corridors;
}

function lineString(properties: object): string {
  return JSON.stringify({
    type: 'Feature',
    id: 'l',
    properties,
    geometry: { type: 'LineString', coordinates: LINE },
  });
}

describe('wayzone buffer', () => {
  test('writes the corridor of a LineString', async () => {
    const { code, out, err } = await buffer(file('l.geojson', lineString({ name: 'L' })), '--width', '50');
    expect([code, err]).toEqual([0, '']);
    expect(read(out)).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'l',
          geometry: corridor(LINE, 50),
          properties: { name: 'L', widthMeters: 50 },
        },
      ],
    });
  });

  test('passes tolerance, caps, edges and the meaning of a width on', async () => {
    const path = file('l.geojson', lineString({}));
    const flags = ['--tolerance', '5', '--cap', 'flat', '--edges', 'geodesic', '--line-width', 'each-side'];
    const { out } = await buffer(path, '--width', '50', ...flags);
    expect(read(out).features[0]).toMatchObject({
      geometry: corridor(LINE, 100, { toleranceMeters: 5, cap: 'flat', edges: 'geodesic' }),
      properties: { widthMeters: 100 },
    });
  });

  test('buffers tracks without times, and routes, of a GPX file', async () => {
    const points = LINE.map(([lon, lat]) => `lat="${lat}" lon="${lon}"/>`);
    const gpx = file(
      'tour.gpx',
      `<gpx version="1.1"><trk><name>T</name><trkseg>${points.map((p) => `<trkpt ${p}`).join('')}</trkseg></trk>` +
        `<rte><name>R</name>${points.map((p) => `<rtept ${p}`).join('')}</rte></gpx>`,
    );
    const { code, out } = await buffer(gpx, '--width', '20');
    expect(code).toBe(0);
    const { features } = read(out);
    expect(features.map(({ properties }) => properties)).toEqual([
      { name: 'T', widthMeters: 20 },
      { name: 'R', widthMeters: 20 },
    ]);
    for (const { geometry } of features) expect(geometry).toEqual(corridor(LINE, 20));
  });

  test('keeps the width of a line zone, and reports other zones and lines without a width', async () => {
    const own = file('own.geojson', lineString({ width: 30 }));
    expect(read((await buffer(own)).out).features[0]?.geometry).toEqual(corridor(LINE, 30));
    expect(read((await buffer(own, '--width', '40')).out).features[0]?.geometry).toEqual(corridor(LINE, 40));
    const bare = await buffer(file('bare.geojson', lineString({})));
    expect([bare.code, read(bare.out).features]).toEqual([1, []]);
    expect(bare.err).toContain('error width-missing: 1');
    const point = '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}';
    const other = await buffer(file('point.geojson', point), '--width', '9');
    expect([other.code, read(other.out).features]).toEqual([0, []]);
    expect(other.err).toContain('warning not-a-line: 1');
  });

  test('writes --out completely and leaves no other file', async () => {
    const out = join(folder, 'out', 'corridors.geojson');
    const { code, out: text } = await buffer(
      file('l.geojson', lineString({})),
      '--width',
      '50',
      '--out',
      out,
    );
    expect([code, text]).toEqual([0, '']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['corridors.geojson']);
    expect(read(readFileSync(out, 'utf8')).features[0]?.geometry).toEqual(corridor(LINE, 50));
  });

  test.each([
    ['a width of 0', ['--width', '0'], 1, 'width-range'],
    ['a width that is too large', ['--width', '2000001'], 1, 'width-range'],
    ['a tolerance of 0', ['--width', '5', '--tolerance', '0'], 1, 'tolerance-range'],
    ['a width that is not a number', ['--width', 'wide'], 2, 'at least 0'],
    ['another cap', ['--width', '5', '--cap', 'square'], 2, 'square'],
  ])('%s', async (_, flags, code, message) => {
    const result = await buffer(file('l.geojson', lineString({})), ...flags);
    expect(result.code).toBe(code);
    expect(result.err).toContain(message);
  });
});
