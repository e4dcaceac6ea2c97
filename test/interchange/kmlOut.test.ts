import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kml as toGeoJson } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Geozone, GeozoneGroup } from '../../src/core/wire.js';
import { geodesicDistance } from '../../src/geodesy/distanceMeters.js';
import { zoneGeometry } from '../../src/interchange/common/zoneGeometry.js';
import {
  fromKml,
  type KmlSection,
  type KmlStreamOptions,
  toKml,
  writeKml,
} from '../../src/interchange/index.js';
import { zoneOutline } from '../../src/zones/zoneOutline.js';
import { needs, OGR2OGR, sharedData, XMLLINT } from '../needs.js';
import { LONG, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { NASTY, quad, zones } from './arbitraryZones.js';
import { chunksOf } from './chunksOf.js';
import { dataPath } from './realData.js';

const POINT: Geozone = { id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]] };
const RED = { key: '#F56C6C' };

const written = (source: Parameters<typeof writeKml>[0], options: KmlStreamOptions = {}): Promise<string[]> =>
  chunksOf((sink) => writeKml(source, sink, options));

function body(document: string): string {
  return document.slice(document.indexOf('\n', 40) + 1);
}

describe('a Placemark', () => {
  test('has the shared style of its colour and icon, in the order aabbggrr', () => {
    const text = toKml([
      { ...POINT, color: RED, icon: { key: 'school' } },
      { ...POINT, id: 'q', color: { key: '#f56c6c' }, icon: { key: 'school' } },
      { ...POINT, id: 'r', color: RED },
      { ...POINT, id: 's', icon: { key: 'unknown' } },
    ]);
    expect(text.match(/<Style id=/g)).toHaveLength(2);
    expect(text.match(/<styleUrl>#style-2<\/styleUrl>/g)).toHaveLength(2);
    expect(text.match(/<styleUrl>#style-1<\/styleUrl>/g)).toHaveLength(1);
    expect(text).toContain('<Style id="style-1"><IconStyle><color>ff6c6cf5</color></IconStyle></Style>');
    expect(text).toContain('/schools.png</href>');
  });

  test('Formats 52: has its visibility, and its description as text that viewers do not run', () => {
    const html = { ...POINT, is_show_on_map: false, description: '<b onclick="x">&amp;' } as Geozone;
    expect(toKml([html])).toContain(
      '<visibility>0</visibility><description>&amp;lt;b onclick="x"&amp;gt;&amp;amp;amp;</description>',
    );
    expect(toKml([{ ...POINT, is_show_on_map: true }])).toContain('<visibility>1</visibility>');
    expect(toKml([POINT], { description: (zone) => `zone ${zone.id}` })).toContain(
      '<description>zone p</description>',
    );
  });

  test('characters that XML forbids are U+FFFD in the visible name', () => {
    expect(toKml([{ ...POINT, name: 'a\u0003\uD800]]>' }])).toContain('<name>a\uFFFD\uFFFD]]&gt;</name>');
  });

  test('Formats 51: nasty texts and a name of a megabyte survive a round trip', () => {
    const name = NASTY.join('').padEnd(1_000_000, 'я<');
    const zone = { ...POINT, name, further: NASTY } as Geozone;
    expect(fromKml(toKml([zone])).value.zones).toEqual([JSON.parse(JSON.stringify(zone))]);
  });

  test('a line is written with its corridor, if it has a width', () => {
    const line: Geozone = {
      ...POINT,
      type: { key: 'line' },
      geometry: wkt('1 2, 1.001 2'),
      width: 30,
    };
    const text = toKml([line]);
    expect(text).toMatch(
      /<MultiGeometry><LineString>.*<\/LineString><Polygon>.*<\/Polygon><\/MultiGeometry>/,
    );
    expect(fromKml(text)).toMatchObject({ value: { zones: [line], groups: [] }, issues: [] });
    const { width: _, ...bare } = line;
    expect(toKml([bare])).not.toContain('MultiGeometry');
  });

  test("an icon's address that is not text is rejected", () => {
    const iconHref = (): string => 1 as unknown as string;
    expect(() => toKml([{ ...POINT, icon: { key: 'x' } }], { iconHref })).toThrow(
      expect.objectContaining({ code: 'option-value', field: 'iconHref' }),
    );
  });

  test.each([0.05, 1, 100, 5000, 200_000])("a circle's outline of %d m is within 0.1 %% of it", (width) => {
    const zone: Geozone = { id: 'c', name: '', type: { key: 'circle' }, geometry: [[37.6, 61.7]], width };
    const geometry = zoneGeometry(zone, {});
    if (geometry.type !== 'Polygon') throw new Error('expected a Polygon');
    const ring = geometry.coordinates[0]!;
    const limit = Math.max(width / 1000, 1.1e-4) * 1.001;
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1]!, ring[i]!];
      for (const share of [0, 0.25, 0.5, 0.75]) {
        const lon = a[0] + (b[0] - a[0]) * share;
        const lat = a[1] + (b[1] - a[1]) * share;
        expect(Math.abs(geodesicDistance(37.6, 61.7, lon, lat) - width)).toBeLessThan(limit);
      }
    }
    const text = toKml([zone]);
    expect(text).toContain('<Data name="wayzone.geometry"><value>[[37.6,61.7]]</value></Data>');
    expect(text).toContain(`<Data name="wayzone.width"><value>${width}</value></Data>`);
  });

  test('the fast writer of stored rings and the general writer give the same text', () => {
    const ring = fc.oneof(
      quad,
      fc
        .array(fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 })), {
          minLength: 3,
          maxLength: 6,
        })
        .map((list) => [...list, list[0]!]),
    );
    fc.assert(
      fc.property(ring, (geometry) => {
        const zone: Geozone = { id: 'a', name: '', type: { key: 'polygon' }, geometry };
        let outline: unknown;
        try {
          outline = zoneOutline(zone);
        } catch {
          expect(() => zoneGeometry(zone, {})).toThrow();
          return;
        }
        expect(zoneGeometry(zone, {})).toEqual(outline);
      }),
      { numRuns: volume(20_000), seed: 20_261_125 },
    );
  });
});

describe('Folders', () => {
  const a: Geozone = { ...POINT, id: 'a', color: RED };
  const b: Geozone = { ...POINT, id: 'b' };
  const c: Geozone = { ...POINT, id: 'c' };
  const groups: GeozoneGroup[] = [
    { id: 'g', name: 'G', geozones: [{ id: 'b' }, { id: 'a' }] },
    { id: 'h', name: 'H', geozones: [{ id: 'a' }, { id: 'gone' }] },
  ];

  test('a zone of several groups is written in each and read back once; zones without a group come last', () => {
    const text = toKml([c, a, b], { groups });
    const order = [...text.matchAll(/<Folder><name>(\w)|"wayzone.id"><value>"(\w)"/g)].map(
      ([, folder, id]) => folder ?? id,
    );
    expect(order).toEqual(['G', 'b', 'a', 'H', 'a', 'c']);
    expect(text.match(/<Style id=/g)).toHaveLength(1);
    const { value, issues } = fromKml(text);
    expect(issues).toEqual([]);
    expect(value.zones).toEqual([c, a, b]);
    expect(value.groups).toEqual(groups);
  });

  test('two zones with the same id stay two zones', () => {
    const { value, issues } = fromKml(toKml([a, { ...a }], { groups }));
    expect(value.zones.map((zone) => zone.id)).toEqual(['a', 'a~2']);
    expect(issues.map((issue) => issue.code)).toEqual(['duplicate-id']);
  });

  test('sections become Folders in order; a section without a group has no Folder', async () => {
    async function* later(): AsyncGenerator<Geozone> {
      yield a;
      yield c;
    }
    const sections: KmlSection[] = [
      { group: groups[1]!, zones: later() },
      { group: { id: 'e', name: 'E', geozones: [] }, zones: [a, b] },
      { group: null, zones: [{ ...POINT, id: 'd' }] },
    ];
    const { value, issues } = fromKml((await written(sections)).join(''));
    expect(issues).toEqual([]);
    expect(value.zones.map((zone) => zone.id)).toEqual(['a', 'c', 'b', 'd']);
    expect(value.groups.map(({ name, geozones }) => [name, geozones.map(({ id }) => id).join()])).toEqual([
      ['H', 'a,gone,c'],
      ['E', 'a,b'],
    ]);
  });
});

describe('writeKml', () => {
  test('writes the Placemarks of toKml, in pieces of at most 65,536 characters', async () => {
    const list = fc.sample(zones, { numRuns: 800, seed: 3 }).flat();
    const chunks = await written(list);
    expect(chunks.length).toBeGreaterThan(5);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(65_536);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThan(65_530);
    const style = /<styleUrl>[^<]*<\/styleUrl>|<Style>.*?<\/Style>/g;
    expect(body(chunks.join('')).replace(style, '')).toBe(body(toKml(list)).replace(style, ''));
  });

  test('shares the styles of `looks`, writes others inline, and has no style that no zone uses', async () => {
    const odd = { ...POINT, color: { key: '#123456' } };
    const one = (await written([odd, { ...POINT, color: RED }])).join('');
    expect(one).toContain('<Placemark><name>P</name><Style><IconStyle><color>ff563412</color></IconStyle>');
    expect(one).not.toContain('<Style id');
    const text = (await written([odd], { looks: [odd] })).join('');
    expect(text).not.toContain('<Placemark><name>P</name><Style>');
  });

  test('styles have the parts that their zones draw, and no others', () => {
    const ring = [
      [1, 1],
      [2, 1],
      [2, 2],
    ] as const;
    const looks = [
      { ...POINT, id: 'p', color: RED },
      { ...POINT, id: 'q', color: RED, icon: { key: 'school' } },
      { ...POINT, id: 'a', color: RED, type: { key: 'polygon' as const }, geometry: ring },
      { ...POINT, id: 'b', color: RED, type: { key: 'polygon' as const }, geometry: ring },
      { ...POINT, id: 'l', color: RED, type: { key: 'line' as const }, geometry: ring },
    ];
    const text = toKml(looks);
    const parts = [...text.matchAll(/<Style id="([^"]*)">(.*?)<\/Style>/g)].map(([, id, body]) => [
      id,
      [...body!.matchAll(/<(\w+Style)>/g)].map(([, name]) => name).join(' '),
      text.split(`<styleUrl>#${id}</styleUrl>`).length - 1,
    ]);
    expect(parts).toEqual([
      ['style-1', 'IconStyle', 1],
      ['style-2', 'LineStyle PolyStyle', 3],
      ['style-3', 'IconStyle', 1],
    ]);
    expect(text).toContain('<LineStyle><color>ff6c6cf5</color><width>2</width></LineStyle>');
    expect(text).toContain('<PolyStyle><color>4d6c6cf5</color></PolyStyle>');
    expect(fromKml(text).value.zones.map(({ id, color }) => [id, color?.key])).toEqual(
      looks.map(({ id, color }) => [id, color.key]),
    );
  });

  test('waits for the sink before it takes further zones', async () => {
    const name = 'x'.repeat(30_000);
    let taken = 0;
    let open = 0;
    function* source(): Generator<Geozone> {
      for (let i = 0; i < 40; i++) {
        taken++;
        yield { ...POINT, id: String(i), name };
      }
    }
    let seen = 0;
    await writeKml(source(), async (chunk) => {
      expect(++open).toBe(1);
      seen += chunk.length;
      expect(taken * 60_000 - seen).toBeLessThan(200_000);
      await Promise.resolve();
      open--;
    });
    expect(taken).toBe(40);
  });

  test('rejects items and sources of the wrong type, and with the error of the sink', async () => {
    await expect(written([null as unknown as Geozone])).rejects.toMatchObject({ code: 'source-type' });
    await expect(written(7 as unknown as Geozone[])).rejects.toMatchObject({ code: 'source-type' });
    await expect(written([{ ...POINT, geometry: [[1, 95]] }])).rejects.toMatchObject({
      code: 'lat-range',
      field: 'zones[0].geometry[0][1]',
    });
    const full = new Error('disk full');
    await expect(writeKml([POINT], () => Promise.reject(full))).rejects.toBe(full);
  });
});

describe('other programs', () => {
  function inFolder<T>(run: (folder: string) => T): T {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-kml-'));
    try {
      return run(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  needs(XMLLINT, sharedData('kml/xsd')).test(
    `${LONG ? 1000 : 50} documents are valid by the OGC schema (needs xmllint and ../shared/data)`,
    () => {
      inFolder((folder) => {
        const samples = fc.sample(fc.tuple(zones, zones), { numRuns: LONG ? 1000 : 50, seed: 7 });
        const files = samples.map(([first, second], i) => {
          const file = join(folder, `${i}.kml`);
          const list = [...first, ...second];
          const geozones = first.map(({ id }) => ({ id }));
          const groups = [
            { id: 'g', name: NASTY.join(' '), geozones },
            { id: 'h', name: NASTY[i % NASTY.length]!, geozones },
          ];
          writeFileSync(file, toKml(list, { groups: i % 2 === 0 ? groups : [], name: NASTY.join('') }));
          return file;
        });
        const schema = dataPath('kml/xsd/ogckml22.xsd');
        execFileSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...files], { stdio: 'pipe' });
      });
    },
  );

  // Names without characters that XML or a viewer's trimming would change.
  const plain = fc.sample(zones, { numRuns: 60, seed: 11 }).flat();
  const list = plain.map((zone, i): Geozone => ({ ...zone, id: `z${i}`, name: `Зона "${i}" <&> '` }));

  interface Feature {
    readonly properties: Readonly<Record<string, unknown>> | null;
    readonly geometry: {
      readonly type: string;
      readonly coordinates?: unknown;
      readonly geometries?: unknown;
    } | null;
  }

  /** Every number of the geometry, without altitudes. */
  function numbersOf(value: unknown): number[] {
    if (!Array.isArray(value)) return [];
    if (typeof value[0] === 'number') return value.slice(0, 2) as number[];
    return value.flatMap(numbersOf);
  }

  function coordinatesOf(geometry: Feature['geometry']): number[] {
    if (geometry?.geometries === undefined) return numbersOf(geometry?.coordinates);
    return (geometry.geometries as Feature['geometry'][]).flatMap(coordinatesOf);
  }

  /** A line is followed by its corridor. */
  function drawn(zone: Geozone): number[] {
    const hasCorridor = zone.type.key === 'line' && zone.width !== undefined;
    const corridor = hasCorridor ? numbersOf(zoneOutline(zone).coordinates) : [];
    return [...numbersOf(zoneGeometry(zone, {}).coordinates), ...corridor];
  }

  test('togeojson reads the same names, counts and coordinates', () => {
    const dom = new DOMParser({ onError: () => {} }).parseFromString(toKml(list), 'text/xml');
    const { features } = toGeoJson(dom as unknown as Parameters<typeof toGeoJson>[0]);
    expect(features.map((feature) => feature.properties?.['name'])).toEqual(list.map((zone) => zone.name));
    for (const [i, feature] of features.entries()) {
      const wanted = drawn(list[i]!);
      expect(coordinatesOf(feature.geometry as Feature['geometry'])).toEqual(wanted);
    }
  });

  needs(OGR2OGR).test('GDAL reads the same names, counts and coordinates (needs ogr2ogr)', () => {
    inFolder((folder) => {
      const file = join(folder, 'a.kml');
      const out = join(folder, 'a.geojson');
      writeFileSync(file, toKml(list));
      execFileSync('ogr2ogr', ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=15', out, file], {
        stdio: 'pipe',
      });
      const text = execFileSync('cat', [out], { encoding: 'utf8', maxBuffer: 1e9 });
      const { features } = JSON.parse(text) as { features: Feature[] };
      expect(features.map((feature) => feature.properties?.['Name'])).toEqual(list.map((zone) => zone.name));
      for (const [i, feature] of features.entries()) {
        const wanted = drawn(list[i]!);
        const got = coordinatesOf(feature.geometry);
        expect(got.length).toBe(wanted.length);
        // GDAL writes 15 decimals.
        for (const [k, value] of got.entries()) expect(Math.abs(value - wanted[k]!)).toBeLessThan(1e-13);
      }
    });
  });
});
