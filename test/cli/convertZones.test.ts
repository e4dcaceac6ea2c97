import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WayzoneError } from '../../src/core/errors.js';
import type { Geozone } from '../../src/core/wire.js';
import { fromGeoJson, toFeatureCollection, toKmz, writeKml } from '../../src/interchange/index.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('convert-zones');

/** A ring of 3 to 9 corners: open or closed, of either orientation; some cross themselves, are flat or lie beyond the antimeridian. */
function ringOf(random: () => number): number[][] {
  const count = 3 + Math.floor(random() * 7);
  const lon = random() < 0.1 ? 179.999 : random() * 40;
  const isFlat = random() < 0.1;
  const ring = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    const away = 0.01 * (0.5 + random());
    return [lon + away * Math.cos(angle), isFlat ? 55 : 55 + away * Math.sin(angle)];
  });
  if (random() < 0.5) ring.reverse();
  if (random() < 0.1) [ring[0], ring[1]] = [ring[1]!, ring[0]!];
  if (random() < 0.5) ring.push(ring[0]!);
  return ring;
}

function featureOf(random: () => number, i: number): object {
  const kind = random();
  const geometry =
    kind < 0.6
      ? { type: 'Polygon', coordinates: [ringOf(random)] }
      : kind < 0.7
        ? { type: 'Polygon', coordinates: [ringOf(random), ringOf(random)] }
        : kind < 0.8
          ? { type: 'LineString', coordinates: ringOf(random) }
          : { type: 'Point', coordinates: [37, 55] };
  const properties = {
    name: `Zone <${i}>`,
    width: random() < 0.3 ? 40 : undefined,
    note: [i],
    color: { key: `#0000${(i + 16).toString(16)}` },
  };
  const more = kind > 0.9 ? { type: 'circle', width: random() < 0.2 ? undefined : 30 } : {};
  return { type: 'Feature', id: `z${i}`, properties: { ...properties, ...more }, geometry };
}

function refusalOf(zone: Geozone): string | null {
  try {
    toFeatureCollection([zone], { all: true });
    return null;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return `zone ""${zone.id}"" ${error.field.replace('zones[0].', '')}`;
  }
}

test('each zone is written as by the library, or reported as an issue, in the order of the zones', async () => {
  const random = seeded(20);
  const features = Array.from({ length: 120 }, (_, i) => featureOf(random, i));
  const text = JSON.stringify({ type: 'FeatureCollection', features });
  const { value, issues: unread } = fromGeoJson(text);
  const { zones } = value;
  // Flat rings are refused when they are read, circles without a radius when they are written.
  expect(unread.filter(({ code }) => code === 'ring-zero-area').length).toBeGreaterThan(5);
  const refusals = zones.flatMap((zone) => refusalOf(zone) ?? []);
  expect(refusals.length).toBeGreaterThan(0);
  const file = put('zones.geojson', text);
  const sound = zones.filter((zone) => refusalOf(zone) === null);
  expect(sound.length).toBeGreaterThan(80);
  for (const to of ['kml', 'geojson', 'kmz']) {
    const { code, out } = await wayzone(
      'convert',
      file,
      at(`a.${to}`),
      '--issues',
      at('issues.csv'),
      '--force',
    );
    expect([code, out]).toEqual([1, expect.stringContaining(`${sound.length} zones; written to`)]);
    const issues = readFileSync(at('issues.csv'), 'utf8').trim().split('\r\n').slice(1);
    expect(issues.length).toBe(unread.length + refusals.length);
    for (const [i, refusal] of refusals.entries()) expect(issues[unread.length + i]).toContain(refusal);
  }
  let kml = '';
  await writeKml(
    sound,
    (chunk) => {
      kml += chunk;
    },
    // The command shares Styles of zones of one look that are written.
    {
      name: 'zones.geojson',
      looks: sound.map(({ color, icon, type }) => ({ color: color ?? null, icon: icon ?? null, type })),
    },
  );
  expect(readFileSync(at('a.kml'), 'utf8')).toBe(kml);
  expect(new Uint8Array(readFileSync(at('a.kmz')))).toEqual(toKmz(sound, { name: 'zones.geojson' }));
  const written = JSON.parse(readFileSync(at('a.geojson'), 'utf8')) as { features: unknown[] };
  expect(written.features).toEqual(toFeatureCollection(sound, { all: true }).features);
});

test('no file is written if all zones are rejected', async () => {
  const flat = {
    type: 'Polygon',
    coordinates: [wkt('1 2, 2 2, 3 2, 1 2')],
  };
  const feature = { type: 'Feature', id: 'flat', properties: {}, geometry: flat };
  const file = put('flat.geojson', JSON.stringify(feature));
  for (const to of ['kml', 'kmz', 'geojson']) {
    const { code, out, err } = await wayzone('convert', file, at(`none.${to}`));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('ring-zero-area');
    expect(() => readFileSync(at(`none.${to}`))).toThrow('ENOENT');
  }
});

test('a KML document has no Style of zones that are left out', async () => {
  const feature = (id: string, color: string, properties: object, coordinates: number[]): object => ({
    type: 'Feature',
    id,
    properties: { name: id, color: { key: color }, ...properties },
    geometry: { type: 'Point', coordinates },
  });
  const path = put(
    'left-out.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        feature('good', '#112233', { type: 'circle', width: 40 }, [37, 55]),
        feature('bad', '#445566', { type: 'circle', width: -1 }, [37, 55]),
      ],
    }),
  );
  const out = at('left-out.kml');
  await wayzone('convert', path, out);
  const text = readFileSync(out, 'utf8');
  expect(text).toContain('<name>good</name>');
  expect(text).not.toContain('<name>bad</name>');
  const used = [...text.matchAll(/<styleUrl>#([^<]*)</g)].map(([, id]) => id);
  expect([...text.matchAll(/<Style id="([^"]*)"/g)].map(([, id]) => id)).toEqual([...new Set(used)]);
  expect(text).not.toContain('665544');
});
