import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Geozone, type Pair, ZoneIndex } from '../../../src/index.js';
import { LONG, seeded } from '../../volume.js';
import { PLACES, probeAt, zoneAt } from '../generators.js';
import { type PlainZone, plainZone } from '../oracle/plainZones.js';

type Kind =
  | 'add'
  | 'update'
  | 'remove'
  | 'at'
  | 'atMany'
  | 'crossing'
  | 'nearest'
  | 'get'
  | 'learn'
  | 'reopen';

interface Command {
  readonly kind: Kind;
  readonly id: number;
  readonly seed: number;
}

/** The same operations on a plain list, in order of insertion. */
class List {
  #rows: { readonly row: Geozone; readonly zone: PlainZone; readonly ordinal: number }[] = [];
  #next = 0;

  has(id: string): boolean {
    return this.#rows.some(({ row }) => row.id === id);
  }

  add(row: Geozone): void {
    this.#rows.push({ row, zone: plainZone(row), ordinal: this.#next++ });
  }

  update(row: Geozone): void {
    this.#rows = this.#rows.map((old) =>
      old.row.id === row.id ? { row, zone: plainZone(row), ordinal: old.ordinal } : old,
    );
  }

  remove(id: string): void {
    this.#rows = this.#rows.filter(({ row }) => row.id !== id);
  }

  get rows(): Geozone[] {
    return this.#rows.map(({ row }) => row);
  }

  ordinalsAt([lon, lat]: Pair): number[] {
    return this.#rows.filter(({ zone }) => zone.contains(lon, lat)).map(({ ordinal }) => ordinal);
  }

  at([lon, lat]: Pair): string[] {
    return this.#rows.filter(({ zone }) => zone.contains(lon, lat)).map(({ row }) => row.id);
  }

  crossing(a: Pair, b: Pair): { id: string; from: number; to: number }[] {
    return this.#rows
      .flatMap(({ row, zone }) => {
        const intervals = zone.intervals(a[0], a[1], b[0], b[1]);
        return intervals.flatMap((from, i) =>
          i % 2 === 0 ? [{ id: row.id, from, to: intervals[i + 1]! }] : [],
        );
      })
      .sort((p, q) => p.from - q.from);
  }

  nearest([lon, lat]: Pair, count: number): { id: string; distanceMeters: number }[] {
    return this.#rows
      .map(({ row, zone }) => ({
        id: row.id,
        distanceMeters: Math.max(0, zone.signedDistanceMeters(lon, lat)),
      }))
      .sort((p, q) => p.distanceMeters - q.distanceMeters)
      .slice(0, count);
  }
}

const command = fc.record<Command>({
  kind: fc.constantFrom<Kind[]>(
    ...([
      'add',
      'add',
      'add',
      'update',
      'remove',
      'at',
      'at',
      'atMany',
      'crossing',
      'nearest',
      'get',
    ] as const),
    ...(['learn', 'reopen'] as const),
  ),
  id: fc.integer({ min: 0, max: 40 }),
  seed: fc.integer({ min: 1, max: 1e9 }),
});

const wrapped = ([lon, lat]: Pair): Pair => [lon === -180 ? 180 : lon, lat];

test('model: any 200 commands equal a list', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 200, maxLength: 200 }), (commands) => {
      let index = new ZoneIndex<Geozone>([]);
      const list = new List();
      for (const { kind, id, seed } of commands) {
        const random = seeded(seed);
        const place = PLACES[id % 3]!;
        const zone = zoneAt(random, `${id}`, place, 0.3);
        const known = list.has(zone.id);
        const probe = wrapped(probeAt(random, place, 0.2));
        const other = wrapped(probeAt(random, place, 0.2));
        if (kind === 'add' && !known) {
          expect(index.add(zone)).toBe(true);
          list.add(zone);
        } else if (kind === 'update') {
          expect(index.update(zone)).toBe(known);
          list.update(zone);
        } else if (kind === 'remove') {
          expect(index.remove(zone.id)).toBe(known);
          list.remove(zone.id);
        } else if (kind === 'at') {
          expect(index.at(probe)).toEqual(list.at(probe));
        } else if (kind === 'atMany') {
          const { offsets, zones } = index.atMany(Float64Array.of(...probe, ...other));
          const ordinals = [list.ordinalsAt(probe), list.ordinalsAt(other)];
          expect([...zones]).toEqual(ordinals.flat());
          expect([...offsets]).toEqual([0, ordinals[0]!.length, ordinals.flat().length]);
        } else if (kind === 'crossing' && Math.abs(probe[0] - other[0]) !== 180) {
          expect(index.crossing(probe, other)).toEqual(list.crossing(probe, other));
        } else if (kind === 'nearest') {
          expect(index.nearest(probe, { count: 3 })).toEqual(list.nearest(probe, 3));
        } else if (kind === 'get') {
          expect(index.get(zone.id)).toEqual(list.rows.find((row) => row.id === zone.id) ?? null);
        } else if (kind === 'learn') {
          index.learnAll();
        } else if (kind === 'reopen') {
          index = ZoneIndex.fromBuffer(index.toBuffer({ cells: seed % 2 === 0 }));
        }
        expect(index.size).toBe(list.rows.length);
      }
      expect(index.ids()).toEqual(list.rows.map((row) => row.id));
    }),
    { numRuns: LONG ? 60 : 5 },
  );
});

test('a growing overlay is packed and removed shapes are cleared without losing zones', () => {
  const random = seeded(51);
  const index = new ZoneIndex<Geozone>([]);
  const list = new List();
  const ring = (centre: Pair, count: number): Pair[] =>
    Array.from({ length: count }, (_, k): Pair => {
      const angle = (2 * Math.PI * k) / count;
      return [centre[0] + 0.002 * Math.cos(angle), centre[1] + 0.001 * Math.sin(angle)];
    });
  const place = (): Pair => [37.6 + random() * 0.1, 55.7 + random() * 0.1];
  for (let i = 0; i < 2_000; i++) {
    const id = `${Math.floor(random() * 750)}`;
    const zone: Geozone = {
      id,
      name: '',
      type: { key: 'polygon' },
      geometry: ring(place(), i % 50 === 0 ? 3_000 : 12),
    };
    if (!list.has(id)) {
      index.add(zone);
      list.add(zone);
    } else if (random() < 0.6) {
      index.update(zone);
      list.update(zone);
    } else {
      index.remove(id);
      list.remove(id);
    }
    if (i % 40 === 0) {
      const probe = place();
      expect(index.at(probe)).toEqual(list.at(probe));
    }
  }
  expect(index.ids()).toEqual(list.rows.map((row) => row.id));
  expect(index.get(list.rows[5]!.id)).toEqual(list.rows[5]);
  expect(index.stats().overlay).toBeLessThan(500);
});
