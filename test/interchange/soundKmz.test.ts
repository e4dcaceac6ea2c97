import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Geozone } from '../../src/core/wire.js';
import { toKmz } from '../../src/interchange/index.js';
import { soundKmz } from '../../src/interchange/kmz/toKmz.js';
import { volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { zones } from './arbitraryZones.js';

/** A polygon without an area, of a colour of its own. */
function flat(id: string, color: number): Geozone {
  const key = `#0000${color.toString(16).padStart(2, '0')}`;
  const geometry: [number, number][] = wkt('1 2, 2 2, 3 2');
  return { id, name: id, type: { key: 'polygon' }, color: { key }, geometry };
}

/** Zones, some of them flat, and for each group the indices of its zones. */
const mixed = fc
  .tuple(
    zones,
    fc.array(fc.nat({ max: 255 }), { maxLength: 4 }),
    fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 6 }), { maxLength: 3 }),
  )
  .chain(([sound, colors, groups]) => {
    const broken = colors.map((color, i) => flat(`flat-${i}`, color));
    const all = [...sound, ...broken];
    const order = fc.shuffledSubarray([...all.keys()], { minLength: all.length });
    return order.map((indices) => ({ list: indices.map((i) => all[i]!), sound: new Set(sound), groups }));
  });

test('the file is that of the accepted zones alone, with their styles, Folders and order', () => {
  fc.assert(
    fc.property(mixed, ({ list, sound, groups: places }) => {
      const groups = places.map((indices, i) => {
        const geozones = indices.flatMap((at) => (list[at] === undefined ? [] : [{ id: list[at].id }]));
        return { id: `g-${i}`, name: `Group ${i}`, geozones };
      });
      const refused: Geozone[] = [];
      const file = soundKmz(list, { groups, name: 'n' }, (zone) => refused.push(zone));
      const accepted = list.filter((zone) => sound.has(zone));
      expect(refused).toEqual(list.filter((zone) => !sound.has(zone)));
      expect(file).toEqual(toKmz(accepted, { groups, name: 'n' }));
    }),
    { numRuns: volume(200) },
  );
});

test('a zone of several groups is built once', () => {
  const zone: Geozone = { id: 'p', name: 'P', type: { key: 'point' }, geometry: [[1, 2]] };
  const group = { name: 'G', geozones: [{ id: 'p' }] };
  const groups = [
    { ...group, id: 'a' },
    { ...group, id: 'b' },
  ];
  const built: string[] = [];
  const description = ({ id }: Geozone): null => {
    built.push(id);
    return null;
  };
  const file = soundKmz([zone], { groups, description }, () => {});
  expect(built).toEqual(['p']);
  const text = new TextDecoder().decode(unzipSync(file)['doc.kml']);
  expect(text.match(/<Placemark>/g)).toHaveLength(2);
});

test('an error that the caller throws ends the writing', () => {
  const stop = (_zone: Geozone, error: unknown): never => {
    throw error;
  };
  expect(() => soundKmz([flat('a', 1)], {}, stop)).toThrow(
    expect.objectContaining({ code: 'ring-zero-area', field: expect.stringMatching(/^zones\[0\]/) }),
  );
});
