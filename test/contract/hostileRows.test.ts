import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TRAPS } from '../interchange/traps.js';
import { needs } from '../needs.js';

/** The tests of each row of `../shared/notes/hostile-inputs.md`: a file, and words that the file contains. */

const ROOT = resolve(import.meta.dirname, '../..');
const NOTES = resolve(ROOT, '../shared/notes/hostile-inputs.md');

const ROWS: Readonly<Record<number, readonly (readonly [file: string, words: string])[]>> = {
  1: [
    ['core/input', 'rows 1 and 2'],
    ['zones/consumers', 'row 1:'],
    ['zones/shapeProblems', 'row 1'],
  ],
  2: [
    ['core/input', 'rows 2, 3 and 4'],
    ['zones/consumers', 'row 2:'],
  ],
  3: [
    ['zones/consumers', 'row 3:'],
    ['zones/contains', 'rows 3, 4 and 12'],
  ],
  4: [
    ['zones/contains', 'rows 3, 4 and 12'],
    ['zones/index/hostile', 'rows 4, 12, 13 and 15'],
  ],
  5: [
    ['zones/consumers', 'row 5: swapped'],
    ['zones/shapeProblems', 'rows 2 and 5'],
  ],
  6: [
    ['zones/consumers', 'row 6:'],
    ['zones/shape', 'row 6'],
    ['zones/shapeProblems', 'rows 6 and 7'],
  ],
  7: [
    ['zones/consumers', 'row 7:'],
    ['zones/shapeProblems', 'rows 6 and 7'],
  ],
  8: [
    ['zones/contains', 'rows 8 and 11'],
    ['zones/shapeProblems', 'rows 4, 8 and 11'],
  ],
  9: [
    ['zones/contains', 'row 9'],
    ['zones/shapeProblems', 'row 9: self-intersecting rings'],
  ],
  10: [
    ['zones/consumers', 'rows 9 and 10'],
    ['zones/shapeProblems', 'rows 9 and 10: holes and parts'],
  ],
  11: [
    ['zones/contains', 'rows 8 and 11'],
    ['zones/shapeProblems', 'rows 4, 8 and 11'],
  ],
  12: [
    ['zones/contains', 'rows 3, 4 and 12'],
    ['zones/index/hostile', 'rows 4, 12, 13 and 15'],
  ],
  13: [
    ['zones/contains', 'row 13'],
    ['zones/consumers', 'row 13:'],
    ['zones/shape', 'row 13'],
  ],
  14: [
    ['zones/contains', 'row 14'],
    ['zones/validity', 'rows 14 and 15'],
  ],
  15: [
    ['zones/contains', 'row 15'],
    ['zones/validity', 'rows 14 and 15'],
  ],
  16: [
    ['zones/shape', 'row 16'],
    ['zones/shapeProblems', 'row 16'],
  ],
  17: [
    ['zones/consumers', 'row 17:'],
    ['zones/shape', 'row 17'],
    ['zones/shapeProblems', 'row 17'],
  ],
  18: [
    ['zones/consumers', 'row 18:'],
    ['zones/shape', 'row 18'],
    ['zones/shapeProblems', 'row 18'],
  ],
  19: [
    ['zones/shape', 'row 19'],
    ['zones/corridor', 'a width of a decimetre'],
  ],
  20: [['zones/corridor', 'row 20']],
  21: [
    ['zones/corridor', 'row 21'],
    ['zones/corridor', 'a hairpin tighter than the width'],
  ],
  22: [
    ['zones/corridor', 'row 22: lines'],
    ['zones/corridor', 'row 22: the inputs'],
  ],
  23: [
    ['zones/corridor', 'across the antimeridian and back, twice'],
    ['zones/corridor', 'along the antimeridian'],
    ['zones/corridor', 'at 89.9° north'],
  ],
  24: [['zones/corridor', '2,000 km at 60° north in two positions']],
  25: [['zones/corridor', 'row 25']],
  26: [
    ['zones/corridor', 'grow with the width'],
    ['planar/windingRings', 'union'],
  ],
  27: [['zones/measure', 'row 27']],
  28: [['zones/measure', 'row 28']],
  29: [['zones/measure', 'row 29']],
  30: [
    ['zones/measure', 'row 30'],
    ['zones/shapeProblems', 'row 30'],
  ],
  31: [
    ['zones/zoneIndex', 'rows 31 and 32'],
    ['zones/index/hostile', 'row 31'],
    ['core/input', 'row 31'],
  ],
  32: [['zones/zoneIndex', 'rows 31 and 32']],
  33: [['zones/zoneIndex', 'row 33']],
  34: [
    ['zones/zoneIndex', 'row 34'],
    ['zones/index/hostile', 'row 34'],
  ],
  35: [['zones/zoneIndex', 'row 35']],
  36: [['zones/zoneIndex', 'row 36']],
  37: [['interchange/hostile', 'TRAPS']],
  38: [['interchange/hostile', 'Formats 38']],
  39: [['interchange/hostile', 'TRAPS']],
  40: [['interchange/fromKml', 'Formats 40']],
  41: [['interchange/hostile', 'Formats 41']],
  42: [['interchange/hostile', 'TRAPS']],
  43: [['interchange/hostile', 'Formats 43']],
  44: [['interchange/kmz', 'Formats 44']],
  45: [['interchange/kmz', 'Formats 45']],
  46: [['interchange/kmz', 'Formats 46']],
  47: [['interchange/hostile', 'Formats 47']],
  48: [['interchange/hostile', 'TRAPS']],
  49: [['interchange/hostile', 'TRAPS']],
  50: [['interchange/hostile', 'TRAPS']],
  51: [['interchange/kmlOut', 'Formats 51']],
  52: [['interchange/kmlOut', 'Formats 52']],
  53: [['interchange/writers', 'Formats 53']],
  54: [['cli/convert', 'Formats 54']],
  55: [
    ['routing/engines', 'hostile rows 55, 56'],
    ['routing/sequencePoints', 'hostile row 55'],
  ],
  56: [
    ['routing/engines', 'hostile rows 55, 56'],
    ['routing/sequencePoints', 'hostile row 56'],
  ],
  57: [['routing/sequencePoints', 'hostile row 57']],
  58: [['routing/sequencePoints', 'hostile row 58']],
  59: [['routing/timedOrder', 'hostile row 59']],
  60: [
    ['routing/improveTour', 'hostile row 60'],
    ['routing/sequenceRoute', 'hostile row 60'],
  ],
  61: [
    ['tracks/movement', 'row 61'],
    ['tracks/visitTracker', 'row 61'],
    ['trips/hostileRows', 'row 61'],
  ],
  62: [
    ['tracks/visitStream', 'row 62'],
    ['trips/hostileRows', 'row 62'],
  ],
  63: [
    ['tracks/visitTracker', 'row 63'],
    ['trips/hostileRows', 'row 63'],
  ],
  64: [
    ['tracks/visitTracker', 'row 64'],
    ['trips/hostileRows', 'row 64'],
  ],
  65: [['tracks/visitTracker', 'row 65']],
  66: [
    ['tracks/readTrack', 'row 66'],
    ['trips/hostileRows', 'row 66'],
  ],
  67: [
    ['tracks/visitTracker', 'row 67'],
    ['trips/hostileRows', 'row 67'],
  ],
  68: [
    ['tracks/visitTracker', 'row 68'],
    ['trips/hostileRows', 'row 68'],
  ],
  69: [
    ['tracks/visitTracker', 'row 69'],
    ['trips/hostileRows', 'row 69'],
  ],
  70: [
    ['tracks/visitTracker', 'row 70'],
    ['trips/hostileRows', 'row 70'],
  ],
  71: [
    ['tracks/visitTracker', 'row 71'],
    ['trips/hostileRows', 'row 71'],
  ],
  72: [['trips/slowAndFast', 'row 72']],
  73: [['trips/localTime', 'row 73']],
  74: [
    ['tracks/visitTracker', 'row 74'],
    ['trips/hostileRows', 'row 74'],
  ],
  75: [
    ['tracks/visitStream', 'row 75'],
    ['tracks/movementStream', 'row 75'],
  ],
  78: [['tracks/visitTracker', 'row 78']],
  82: [['contract/layers', 'no clock, no randomness and no environment below cli']],
};

/** Rows that a host must handle: brokers, memory of devices, HTTP server. */
const OF_A_HOST = [76, 77, 79, 80, 81];

/** Rows whose cases are in the list of traps. */
const TRAPPED = Object.entries(ROWS)
  .filter(([, places]) => places.some(([, words]) => words === 'TRAPS'))
  .map(([row]) => Number(row));

describe('the rows of hostile inputs', () => {
  test.each(Object.entries(ROWS))('row %s is tested in the listed places', (_, places) => {
    expect(places.length).toBeGreaterThan(0);
    for (const [file, words] of places) {
      expect(readFileSync(`${ROOT}/test/${file}.test.ts`, 'utf8')).toContain(words);
    }
  });

  test.each(TRAPPED)('row %i has a trap', (row) => {
    expect(TRAPS.filter((trap) => trap.row === row).length).toBeGreaterThan(0);
  });

  needs({ name: '../shared/notes', isThere: existsSync(NOTES) }).test(
    'the notes have these rows and no others (needs ../shared/notes)',
    () => {
      const [list] = readFileSync(NOTES, 'utf8').split('\n## 2.');
      // A line may hold several rows: "27. … 28. …".
      const rows = [...list!.matchAll(/(?:^|[ *])(\d+)\. (?=\S)/gm)].map(([, row]) => Number(row));
      const all = [...Object.keys(ROWS).map(Number), ...OF_A_HOST].sort((a, b) => a - b);
      expect([...new Set(rows)].sort((a, b) => a - b)).toEqual(all);
    },
  );
});
