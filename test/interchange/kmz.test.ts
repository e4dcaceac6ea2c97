import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync, crc32 as nodeCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { Geozone } from '../../src/core/wire.js';
import { fromKmz, toKml, toKmz } from '../../src/interchange/index.js';
import { crc32 } from '../../src/interchange/kmz/readZipDirectory.js';
import { needs, OGR2OGR } from '../needs.js';
import { seeded, volume } from '../volume.js';
import { zones } from './arbitraryZones.js';
import { CENTRAL, changed, END, zip } from './zips.js';

const POINT: Geozone = { id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]] };
const KML = toKml([POINT]);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codes = (file: Uint8Array, options = {}): string[] =>
  fromKmz(file, options).issues.map(({ code }) => code);

describe('toKmz', () => {
  test('doc.kml comes first, then a picture for each known icon; the styles refer to them', () => {
    const icon = { ...POINT, icon: { key: 'school' }, color: { key: '#F56C6C' } };
    const files = unzipSync(
      toKmz([icon, { ...POINT, icon: { key: 'tree' } }], { icons: { tree: bytes('x') } }),
    );
    expect(Object.keys(files)).toEqual([
      'doc.kml',
      'icons/hospital.png',
      'icons/school.png',
      'icons/tree.png',
    ]);
    const text = new TextDecoder().decode(files['doc.kml']);
    expect(text).toContain('<href>icons/school.png</href>');
    expect(text).toContain('<href>icons/tree.png</href>');
  });

  test('the pictures are valid PNG files of 32 by 32 pixels', () => {
    for (const [name, file] of Object.entries(unzipSync(toKmz([])))) {
      if (!name.endsWith('.png')) continue;
      const png = Buffer.from(file);
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([32, 32]);
      const length = png.readUInt32BE(33);
      expect(inflateSync(png.subarray(41, 41 + length))).toHaveLength(32 * (1 + 64));
    }
  });

  test('the same zones give the same bytes, and survive a round trip', () => {
    fc.assert(
      fc.property(zones, (list) => {
        const file = toKmz(list, { name: 'n' });
        expect(toKmz(list, { name: 'n' })).toEqual(file);
        expect(fromKmz(file)).toMatchObject({ value: { zones: list }, issues: [] });
      }),
      { numRuns: volume(200) },
    );
  });

  test.each([{ '../x': bytes('') }, { a: 'text' as unknown as Uint8Array }])(
    'icons %j are rejected',
    (icons) => {
      expect(() => toKmz([], { icons })).toThrow(expect.objectContaining({ code: 'option-value' }));
    },
  );

  needs(OGR2OGR).test('GDAL reads it (needs ogr2ogr)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-kmz-'));
    try {
      writeFileSync(join(folder, 'a.kmz'), toKmz([POINT]));
      const out = execFileSync('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', join(folder, 'a.kmz')], {
        stdio: 'pipe',
      });
      expect(JSON.parse(out.toString())).toMatchObject({ features: [{ properties: { Name: 'P' } }] });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('the checksum equals the one of zlib, in one piece or several', () => {
  const random = seeded(4);
  const data = Uint8Array.from({ length: 1000 }, () => random() * 256);
  expect(crc32(data.subarray(300), crc32(data.subarray(0, 300), 0))).toBe(nodeCrc32(data));
});

describe('Formats 44: the document, and invalid files', () => {
  test('reads doc.kml at any index, else the first .kml; others are reported', () => {
    const other = toKml([{ ...POINT, id: 'other' }]);
    const two = fromKmz(zip({ 'a.kml': other, 'doc.kml': KML }));
    expect(two.value.zones.map(({ id }) => id)).toEqual(['p']);
    expect(two.issues).toMatchObject([{ code: 'kmz-more-kml', severity: 'warning', field: 'a.kml' }]);
    expect(fromKmz(zip({ 'x/B.KML': other, 'z.kml': KML })).value.zones[0]?.id).toBe('other');
  });

  test('reports a file without a .kml, also a KMZ inside a KMZ', () => {
    expect(codes(zip({ 'a.txt': KML }))).toEqual(['kmz-no-kml']);
    expect(codes(zip({ 'a.kmz': zip({ 'doc.kml': KML }) }))).toEqual(['kmz-no-kml']);
    expect(codes(zip({}))).toEqual(['kmz-no-kml']);
  });

  const file = zip({ 'doc.kml': KML });
  test.each([
    ['encrypted', changed(file, CENTRAL, 8, 1), 'kmz-unsupported'],
    ['another method', changed(changed(file, CENTRAL, 10, 12), null, 8, 12), 'kmz-unsupported'],
    ['ZIP64 by count', changed(changed(file, END, 10, 0xffff), END, 8, 0xffff), 'kmz-unsupported'],
    ['ZIP64 by size', changed(file, CENTRAL, 24, 0xffffffff, 4), 'kmz-unsupported'],
    ['several disks', changed(file, END, 4, 1), 'kmz-unsupported'],
    ['a local method that disagrees', changed(file, null, 8, 0), 'kmz-corrupt'],
    ['a local name that disagrees', changed(file, null, 30, 0x4444), 'kmz-corrupt'],
    ['a wrong checksum', changed(changed(file, CENTRAL, 16, 7, 4), null, 14, 7, 4), 'kmz-corrupt'],
    ['a length too small', changed(changed(file, CENTRAL, 24, 7, 4), null, 22, 7, 4), 'kmz-corrupt'],
    [
      'a length above the real one',
      changed(changed(file, CENTRAL, 24, 70_000, 4), null, 22, 70_000, 4),
      'kmz-corrupt',
    ],
    ['junk before it', Buffer.concat([bytes('junk'), file]), 'kmz-corrupt'],
    ['an offset out of the file', changed(file, CENTRAL, 42, 99_999, 4), 'kmz-corrupt'],
    ['no ZIP', Buffer.from(KML), 'kmz-corrupt'],
    [
      'bytes that cannot be inflated',
      (() => {
        const copy = Buffer.from(file);
        copy.fill(0xff, 40, 90);
        return copy;
      })(),
      'kmz-corrupt',
    ],
  ])('%s', (_, hostile, code) => {
    expect(codes(hostile)).toContain(code);
  });

  test('entries that overlap', () => {
    const two = zip({ 'doc.kml': KML, 'b.kml': KML });
    const first = two.indexOf(CENTRAL);
    const second = two.indexOf(CENTRAL, first + 4);
    const copy = Buffer.from(two);
    copy.writeUInt32LE(0, second + 42);
    copy.write('doc.k', second + 46);
    expect(codes(copy)).toEqual(['kmz-corrupt']);
  });

  test('zones read before a wrong checksum are returned', () => {
    const wrong = changed(changed(file, CENTRAL, 16, 7, 4), null, 14, 7, 4);
    expect(fromKmz(wrong).value.zones).toHaveLength(1);
  });
});

describe('Formats 45: names', () => {
  test.each([
    '../x.kml',
    '/etc/x.kml',
    'C:\\x.kml',
    'a\\..\\b.kml',
    'a\u0000.kml',
    `${'a'.repeat(60_000)}.kml`,
    'a//b.kml',
    './a.kml',
  ])('%j is left out', (name) => {
    const { value, issues } = fromKmz(zip({ [name]: KML }));
    expect(value.zones).toEqual([]);
    expect(issues.map(({ code }) => code)).toEqual(['kmz-entry-name', 'kmz-no-kml']);
  });

  test('a link, and two names that differ by case alone', () => {
    const link = changed(zip({ 'doc.kml': KML }), CENTRAL, 38, 0xa1ff0000, 4);
    expect(codes(link)).toEqual(['kmz-entry-name', 'kmz-no-kml']);
    expect(codes(zip({ 'a.kml': KML, 'A.kml': KML }))).toEqual(['kmz-entry-name']);
  });
});

describe('Formats 46: bombs', () => {
  const bomb = zip({ 'doc.kml': Buffer.alloc(60_000_000, ' ') });

  test('a ratio of a thousand to one ends at the limit', () => {
    expect(bomb.length).toBeLessThan(100_000);
    expect(codes(bomb)).toContain('limit-inflated');
    expect(codes(zip({ 'doc.kml': KML }), { limits: { maxBytes: 100 } })).toContain('limit-bytes');
    const kml = toKml(Array.from({ length: 200 }, (_, i) => ({ ...POINT, id: String(i) })));
    expect(codes(zip({ 'doc.kml': kml }), { limits: { maxBytes: 10_000 } })).toEqual(['limit-inflated']);
  });

  test('an entry that inflates beyond its declared length ends there', () => {
    const lying = changed(changed(bomb, CENTRAL, 24, 10, 4), null, 22, 10, 4);
    expect(codes(lying)).toContain('kmz-corrupt');
  });

  test('a folder entry with data is never inflated; 100,000 entries exceed the limit', () => {
    const padded = zip({ 'padding/': Buffer.alloc(1_000_000), 'doc.kml': KML });
    expect(fromKmz(padded)).toMatchObject({ value: { zones: [{ id: 'p' }] }, issues: [] });
    const many = zip(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [String(i), ''])));
    expect(codes(many)).toEqual(['limit-entries']);
    expect(codes(zip({ a: '', 'doc.kml': KML }), { limits: { maxEntries: 1 } })).toEqual(['limit-entries']);
  });
});

test('any changed byte and any cut gives issues or zones and never throws', () => {
  const file = Buffer.from(toKmz([POINT]));
  const random = seeded(9);
  for (let run = 0; run < volume(4000); run++) {
    const copy = Buffer.from(file);
    for (let k = 0; k < 1 + (run % 3); k++) copy[Math.floor(random() * copy.length)] = random() * 256;
    fromKmz(copy);
    fromKmz(file.subarray(0, Math.floor(random() * file.length)));
  }
});

test('an input that is not bytes is rejected', () => {
  expect(() => fromKmz('x' as unknown as Uint8Array)).toThrow(
    expect.objectContaining({ code: 'input-type' }),
  );
});

describe('documents that an archive links', () => {
  const link = (href: string, name = ''): string =>
    `<NetworkLink>${name === '' ? '' : `<name>${name}</name>`}<Link><href>${href}</href></Link></NetworkLink>`;
  const kml = (body: string): string => `<kml><Document>${body}</Document></kml>`;
  const point = (name: string, more = ''): string =>
    `<Placemark><name>${name}</name>${more}<Point><coordinates>1,2</coordinates></Point></Placemark>`;
  const names = (file: Uint8Array): string[] => fromKmz(file).value.zones.map(({ name }) => name);

  test('are read where their links stand, relative to the document of the link', () => {
    const file = zip({
      'doc.kml': kml(
        `${point('a')}<Folder><name>F</name>${link('files/b.kml', 'B')}</Folder>${link('files%2Fd%20e.KML')}${point('z')}`,
      ),
      'files/b.kml': kml(`${point('b')}${link('../files/./sub/c.kml')}`),
      'files/sub/c.kml': `<kml>${point('c')}</kml>`,
      'files/d e.kml': kml(`<name>D</name>${point('d')}`),
    });
    const { value, issues } = fromKmz(file);
    expect(issues).toEqual([]);
    expect(value.zones.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'zone-1 a',
      'zone-2 b',
      'zone-3 c',
      'zone-4 d',
      'zone-5 z',
    ]);
    expect(value.groups.map(({ name, geozones }) => [name, geozones.map(({ id }) => id)])).toEqual([
      ['B', ['zone-2', 'zone-3']],
      ['F', ['zone-2', 'zone-3']],
      ['D', ['zone-4']],
    ]);
  });

  test('keep their own styles', () => {
    const style = (color: string): string =>
      `<Style id="s"><LineStyle><color>${color}</color></LineStyle></Style><StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>`;
    const used = '<styleUrl>#m</styleUrl>';
    const file = zip({
      'doc.kml': kml(`${style('ff0000ff')}${point('red', used)}${link('b.kml')}${point('red too', used)}`),
      'b.kml': kml(`${point('blue', used)}${style('ffff0000')}`),
    });
    expect(fromKmz(file).value.zones.map(({ color }) => color?.key)).toEqual([
      '#FF0000',
      '#0000FF',
      '#FF0000',
    ]);
  });

  test.each([
    ['a cycle', 'doc.kml'],
    ['one that is missing', 'c.kml'],
    ['one that leaves the archive', '../../b.kml'],
    ['one in a further archive', 'b.kmz/doc.kml'],
  ])('%s is said', (_, href) => {
    const file = zip({ 'doc.kml': kml(link('b.kml')), 'b.kml': kml(`${point('b')}${link(href)}`) });
    const { value, issues } = fromKmz(file);
    expect(value.zones).toHaveLength(1);
    expect(issues).toMatchObject([
      { code: 'kmz-link', severity: 'warning', field: 'b.kml NetworkLink', line: 1 },
    ]);
  });

  test('a document that is linked twice is read once', () => {
    const file = zip({ 'doc.kml': kml(link('b.kml') + link('B.KML')), 'b.kml': kml(point('b')) });
    expect(names(file)).toEqual(['b']);
    expect(codes(file)).toEqual(['kmz-link']);
  });

  test('addresses of the web and of the disk are not followed', () => {
    for (const href of ['http://a/b.kml', 'file:///b.kml', '/b.kml', 'C:\\b.kml', '\\\\a\\b.kml']) {
      const file = zip({ 'doc.kml': kml(link(href)), 'b.kml': kml(point('b')) });
      expect(codes(file)).toEqual(['kml-unsupported', 'kmz-more-kml']);
    }
  });

  test('damage of one ends with it, and is said with its name and line', () => {
    const cut = '<kml>\n<Document><Folder><Style id="x"><LineStyle><Placemark><name>b</name>';
    const file = zip({ 'doc.kml': kml(`${link('b.kml')}${point('z')}`), 'b.kml': cut });
    const { value, issues } = fromKmz(file);
    expect(value.zones.map(({ name }) => name)).toEqual(['z']);
    expect(issues).toMatchObject([
      { code: 'element-misplaced', field: 'b.kml Placemark', line: 2 },
      { code: 'xml-truncated', field: 'b.kml', line: 2 },
    ]);
    const other = zip({ 'doc.kml': kml(`${link('b.kml')}${point('z')}`), 'b.kml': kml(point('b')) });
    const second = other.indexOf(CENTRAL, other.indexOf(CENTRAL) + 4);
    other.writeUInt32LE(7, second + 16);
    other.writeUInt32LE(7, other.readUInt32LE(second + 42) + 14);
    expect(names(other)).toEqual(['b', 'z']);
    expect(codes(other)).toEqual(['kmz-corrupt']);
  });

  test('a chain of links is read to a depth', () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `${i}.kml`,
        `<kml>${point(String(i))}${link(`${i + 1}.kml`)}</kml>`,
      ]),
    );
    const { value, issues } = fromKmz(zip({ 'doc.kml': kml(link('0.kml')), ...files }));
    expect(value.zones).toHaveLength(63);
    expect(issues[0]).toMatchObject({ code: 'kmz-link' });
  });

  test('many bombs have one limit', () => {
    const bombs = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`${i}.kml`, Buffer.alloc(3_000_000, ' ')]),
    );
    const links = Object.keys(bombs).map((href) => link(href));
    expect(codes(zip({ 'doc.kml': kml(links.join('')), ...bombs }))).toContain('limit-inflated');
  });
});
