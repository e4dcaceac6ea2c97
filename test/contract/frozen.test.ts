import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as algebra from '../../src/algebra/index.js';
import * as hours from '../../src/hours/index.js';
import * as main from '../../src/index.js';
import * as interchange from '../../src/interchange/index.js';
import * as listing from '../../src/listing/index.js';
import * as operator from '../../src/operator/index.js';
import * as parallel from '../../src/parallel/index.js';
import * as routing from '../../src/routing/index.js';
import * as schemas from '../../src/schemas/index.js';
import * as tiles from '../../src/tiles/index.js';
import * as tracks from '../../src/tracks/index.js';
import * as trips from '../../src/trips/index.js';
import { corridor } from '../../src/zones/corridor/corridor.js';
import { frozenCall, isFrozenCall } from '../frozenCalls.js';
import { PUBLIC_NAMES, testFiles } from '../frozenPlugin.js';
import { wkt } from '../wkt.js';

/** Inputs never change: every test freezes what it passes to public functions, property tests above all. */

const TEST = resolve(import.meta.dirname, '..');
/** Tests that change an input after the call on purpose, to check that nothing refers to it. */
const CHANGING: readonly string[] = ['zones/zoneIndex.test.ts'];

const SUBPATHS = {
  main,
  algebra,
  hours,
  interchange,
  listing,
  operator,
  parallel,
  routing,
  schemas,
  tiles,
  tracks,
  trips,
};

describe('inputs are frozen', () => {
  test.each(Object.entries(SUBPATHS))('by every function and class of %s', (_, names) => {
    const values = Object.entries(names as Record<string, unknown>);
    for (const [name, value] of values) {
      const isError = typeof value === 'function' && value.prototype instanceof Error;
      if (typeof value === 'function' && !isError) expect([name, isFrozenCall(value)]).toEqual([name, true]);
      expect(PUBLIC_NAMES.has(name)).toBe(true);
    }
  });

  test('also if a test imports the source module', () => {
    expect(corridor).toBe(main.corridor);
  });

  test('deeply and before the call, by functions, constructors, methods and static methods', () => {
    const line: [number, number][] = wkt('0 0, 0 1');
    const zone = {
      id: 'a',
      type: { key: 'circle' as const },
      geometry: [[1, 2]] as [number, number][],
      width: 5,
    };
    const fix = { time: 0, lon: 1, lat: 2 };
    main.lengthMeters(line);
    const index = new main.ZoneIndex([zone]);
    const tracker = new tracks.VisitTracker(index);
    tracker.push('u', fix);
    const options = { verify: true };
    main.ZoneIndex.fromBuffer(index.toBuffer(), options);
    const again = { time: 1, lon: 1, lat: 2 };
    tracks.VisitTracker.restore(index, tracker.snapshot()).push('u', again);
    const inputs = [line, line[0], zone, zone.type, zone.geometry, zone.geometry[0], fix, options, again];
    expect(inputs.map((input) => Object.isFrozen(input))).toEqual(inputs.map(() => true));
  });

  test('a function that changes an input fails', async () => {
    const push = frozenCall((list: number[]) => list.push(1));
    expect(() => push([])).toThrow(TypeError);
    const set = frozenCall((track: { readonly lon: Float64Array }) => track.lon.fill(1));
    expect(() => set({ lon: new Float64Array(2) })).toThrow('received a changed one');
    const later = frozenCall(async (numbers: Float64Array) => {
      await Promise.resolve();
      numbers[0] = 1;
    });
    await expect(later(new Float64Array(1))).rejects.toThrow('received a changed one');
  });
});

describe('property tests', () => {
  // An adapter uses the built package, as its users do.
  const files = testFiles().filter(
    (name) =>
      !name.startsWith('adapters/') && /\bfc\.|\bseeded\(/.test(readFileSync(`${TEST}/${name}`, 'utf8')),
  );

  test('there are many', () => {
    expect(files.length).toBeGreaterThan(70);
  });

  test.each(files)('%s calls public functions with frozen inputs only', (name) => {
    const text = readFileSync(`${TEST}/${name}`, 'utf8');
    // `frozenPlugin.ts` handles imports with a literal path. Tests must not reach src/ in any other way.
    const ways =
      /\bimport\([^'"][^)]*(?:src|dist)[^)]*\)|\brequire\([^)]*(?:src|dist|wayzone)|(?:from |import\()['"](?:wayzone|[^'"]*\/dist\/)[^'"]*['"]/g;
    expect(text.match(ways) ?? []).toEqual([]);
    expect(text.includes('unfrozen(')).toBe(CHANGING.includes(name));
  });
});
