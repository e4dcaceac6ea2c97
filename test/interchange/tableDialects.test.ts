/** Random tables in random dialects give the same fixes, or a question that names the ambiguity; none is read wrong in silence. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, type TableHints } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { type Dialect, dialects, journeys, type TrueFix, truth, writeTable } from './randomTables.js';

const FILE = 'monday.csv';

/** What a person who knows the dialect answers to a question. */
function answer(code: string, { time, zone, speed }: Dialect): TableHints | null {
  switch (code) {
    case 'time-zone-missing':
      return { timeZone: zone };
    case 'date-order-unknown':
      return { dateOrder: time === 'mdy-ampm' ? 'mdy' : 'dmy' };
    case 'speed-unit':
      return speed === 'none' ? { speedUnit: 'kph' } : null;
    case 'coordinate-form-unknown':
      return { coordinates: 'ddmm' };
    case 'encoding-unknown':
      return null;
    default:
      return null;
  }
}

function questions({ issues }: ForeignData): string[] {
  return issues.filter(({ severity }) => severity === 'error').map(({ code }) => String(code));
}

/** Differences between what was read and the truth. */
function wrong(data: ForeignData, fixes: readonly TrueFix[], isFinal: boolean): string[] {
  const own = data.value.tracks.flatMap(({ unitId, fixes: list }) => list.map((fix) => ({ ...fix, unitId })));
  if (own.length === 0 && !isFinal) return [];
  const key = (unit: string, time: number): string => `${unit} ${time}`;
  const wanted = new Map(fixes.map((fix) => [key(fix.unit, fix.time), fix]));
  const found: string[] = [];
  if (isFinal && own.length !== fixes.length) found.push(`${own.length} fixes instead of ${fixes.length}`);
  for (const { unitId, time, lat, lon, speedKph } of own) {
    const fix = wanted.get(key(unitId, time));
    if (fix === undefined) found.push(`${unitId} at ${new Date(time).toISOString()} does not exist`);
    else if (Math.abs(fix.lat - lat) > 2e-6 || Math.abs(fix.lon - lon) > 2e-6)
      found.push(`${lat}, ${lon} instead of ${fix.lat}, ${fix.lon}`);
    else if (speedKph === undefined ? isFinal : Math.abs(speedKph - fix.kph) > 0.01)
      found.push(`speed ${speedKph} instead of ${fix.kph}`);
  }
  return found;
}

test('random tables in random dialects', () => {
  let asked = 0;
  let read = 0;
  fc.assert(
    fc.property(journeys, dialects, (all, dialect) => {
      const fixes = truth(all, dialect, FILE);
      const bytes = writeTable(fixes, dialect);
      let hints: TableHints = { fileName: FILE };
      let data = fromCsv(bytes, { fileName: FILE });
      for (let round = 0; round < 5; round++) {
        const codes = questions(data);
        expect(
          wrong(data, fixes, codes.length === 0),
          JSON.stringify({ dialect, issues: data.issues }),
        ).toEqual([]);
        if (codes.length === 0) {
          read++;
          return;
        }
        const answers = codes.map((code) => answer(code, dialect));
        if (answers.includes(null)) {
          // Asked for good: the question must be one of the known ambiguities.
          const known = [
            'encoding-unknown',
            'time-skipped',
            'columns-unknown',
            'unit-missing',
            'unit-column-unknown',
          ];
          expect(
            codes.filter((code, i) => answers[i] === null && !known.includes(code)),
            JSON.stringify({ dialect, issues: data.issues }),
          ).toEqual([]);
          asked++;
          return;
        }
        hints = Object.assign({}, hints, ...answers) as TableHints;
        data = fromCsv(bytes, { table: hints });
      }
      expect.fail(`questions without end: ${JSON.stringify({ dialect, issues: data.issues })}`);
    }),
    { numRuns: volume(4000), seed: 37 },
  );
  // Most tables are read; few are refused for good.
  expect(asked).toBeLessThan(0.05 * (asked + read));
});
