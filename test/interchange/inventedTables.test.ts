import { expect, test } from 'vitest';
import type { Issue } from '../../src/core/fix.js';
import { describeTable, fromCsv } from '../../src/interchange/index.js';
import { volume } from '../volume.js';
import { type InventedTable, inventTable } from './inventedTables.js';

/** Tables in invented dialects are read as their fixes, or a question names what they leave open. Seeds are counted, so that a failure names its own. */

const SEEDS = Array.from({ length: volume(4000) }, (_, i) => i);

/** Null: as it must be; else what is wrong. */
function faultOf(seed: number): string | null {
  const table = inventTable(seed);
  const description = describeTable(table.bytes, table.hints);
  const asked = description.questions.map(({ code }) => code as string);
  const open = new Set(asked);
  for (const code of table.asks)
    if (!open.has(code))
      return `not asked: ${code}, but ${description.questions.map((question) => `${question.code} ${question.message}`).join('; ')}`;
  const beyond = asked.filter((code) => !table.asks.includes(code) && !table.mayAsk.includes(code));
  if (beyond.length > 0)
    return `asked: ${beyond.join(', ')}: ${description.questions.map(({ message }) => message).join('; ')}`;
  if (asked.length > 0) {
    // What is asked is not read.
    const { value } = fromCsv(table.bytes, { table: description, fileName: table.hints.fileName });
    const partial = asked.every((code) => code === 'speed-unit');
    const count = value.tracks.reduce((sum, { fixes }) => sum + fixes.length, 0);
    if (!partial && count > 0) return `${count} fixes read before the answers to ${asked.join(', ')}`;
    if (
      value.tracks.some(({ fixes }) => fixes.some(({ speedKph }) => speedKph !== undefined)) &&
      asked.includes('speed-unit')
    )
      return 'speeds read without a unit';
  }
  const answered = describeTable(table.bytes, { ...table.hints, ...(asked.length > 0 ? table.answers : {}) });
  if (answered.questions.length > 0)
    return `asked after the answers: ${answered.questions.map(({ code, message }) => `${code} ${message}`).join('; ')}`;
  const { value, issues } = fromCsv(table.bytes, { table: answered, fileName: table.hints.fileName });
  const difference = differenceOf(table, value.tracks) ?? skippedDifference(table, issues);
  if (difference === null) return null;
  return `${difference}; ${issues
    .map(({ code, message }) => `${code} ${message}`)
    .slice(0, 3)
    .join('; ')}`;
}

/** A time that the clocks skip is an error of its row. */
function skippedDifference({ skipped }: InventedTable, issues: readonly Issue[]): string | null {
  const found = issues.filter(({ code, severity }) => code === 'time-skipped' && severity === 'error').length;
  return found === skipped ? null : `${found} skipped times instead of ${skipped}`;
}

type Tracks = ReturnType<typeof fromCsv>['value']['tracks'];

function differenceOf({ fixes, degrees, milliseconds, kph }: InventedTable, tracks: Tracks): string | null {
  const byUnit = new Map<string, InventedTable['fixes'][number][]>();
  for (const fix of fixes) byUnit.set(fix.unit, [...(byUnit.get(fix.unit) ?? []), fix]);
  const units = tracks.map(({ unitId }) => unitId);
  if (units.length !== byUnit.size || units.some((unit) => !byUnit.has(unit)))
    return `units ${units.join(', ')} instead of ${[...byUnit.keys()].join(', ')}`;
  for (const { unitId, fixes: read } of tracks) {
    const expected = byUnit.get(unitId)!;
    if (read.length !== expected.length)
      return `${unitId}: ${read.length} fixes instead of ${expected.length}`;
    for (const [i, fix] of read.entries()) {
      const truth = expected[i]!;
      const say = (): string =>
        `${unitId} fix ${i}: ${JSON.stringify(fix)} instead of ${JSON.stringify(truth)}`;
      if (Math.abs(fix.time - truth.time) > milliseconds) return say();
      if (Math.abs(fix.lat - truth.lat) > degrees || Math.abs(fix.lon - truth.lon) > degrees) return say();
      const speed = fix.speedKph ?? null;
      if ((speed === null) !== (truth.kph === null)) return say();
      if (speed !== null && Math.abs(speed - truth.kph!) > kph) return say();
    }
  }
  return null;
}

test('invented tables are read as they were meant, or asked about', () => {
  const faults: string[] = [];
  for (const seed of SEEDS) {
    let fault: string | null;
    try {
      fault = faultOf(seed);
    } catch (error) {
      fault = `threw ${String(error)}`;
    }
    if (fault !== null) faults.push(`${inventTable(seed).dialect}: ${fault}`);
  }
  expect(faults.slice(0, Number(process.env['FAULTS'] ?? 20))).toEqual([]);
});
