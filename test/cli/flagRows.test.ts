import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addFlags, type FlagRow, optionsOf } from '../../src/cli/flags/flagRows.js';
import { LIMIT_FLAGS } from '../../src/cli/flags/movementFlags.js';
import { FIX_FLAG_LIST, GAP_FLAGS, VISIT_FLAGS } from '../../src/cli/flags/options.js';
import { TRIP_FLAGS } from '../../src/cli/flags/tripFlags.js';
import type { OptionRow } from '../../src/core/options.js';
import { FIX_OPTIONS } from '../../src/tracks/fixReader.js';
import { GAP_OPTIONS } from '../../src/tracks/meter/gapRules.js';
import { SPEEDING_OPTIONS } from '../../src/tracks/speeding/speedingOptions.js';
import { VISIT_OPTIONS } from '../../src/tracks/visitRules.js';
import { TRIP_OPTIONS } from '../../src/trips/terms/tripRules.js';

type Flags = Readonly<Record<string, FlagRow | null>>;
type Options = Readonly<Record<string, OptionRow>>;

const TABLES: readonly (readonly [name: string, flags: object, options: object])[] = [
  ['readTrack', FIX_FLAG_LIST, FIX_OPTIONS],
  ['gaps', GAP_FLAGS, GAP_OPTIONS],
  ['findVisits', VISIT_FLAGS, VISIT_OPTIONS],
  ['findSpeeding', LIMIT_FLAGS, SPEEDING_OPTIONS],
  ['evaluateTrip', TRIP_FLAGS, TRIP_OPTIONS],
];

describe.each(TABLES)('the flags of %s', (_, flagRows, optionRows) => {
  const options = optionRows as Options;
  const rows = Object.entries(flagRows as Flags).filter(
    (entry): entry is [string, FlagRow] => entry[1] !== null,
  );

  test('name the defaults and words of the library', () => {
    for (const [name, { flag, words, default: value, value: meant = true }] of rows) {
      const row = options[name]!;
      if ('words' in row) {
        expect([name, words, value]).toEqual([name, row.words, row.words[0]]);
      } else if ('own' in row) {
        expect([name, value]).toEqual([name, undefined]);
      } else if (typeof row.default === 'boolean') {
        // A flag that says what holds without it would say nothing.
        expect([name, meant, flag.includes('<')]).toEqual([name, !row.default, false]);
      } else if (value !== undefined) expect([name, value]).toEqual([name, row.default]);
    }
  });

  test('give nothing but their defaults without a command line', () => {
    const command = addFlags(new Command(), flagRows as never);
    command.parse([], { from: 'user' });
    const defaults = rows.flatMap(([name, row]) => (row.default === undefined ? [] : [[name, row.default]]));
    expect(optionsOf(command.opts(), flagRows as never)).toEqual(Object.fromEntries(defaults));
  });

  test('each give the value of their option', () => {
    for (const [name, { flag, words, read, value }] of rows) {
      const text =
        words === undefined ? (read === undefined ? '7' : '2026-03-02T09:00:00Z') : String(words.at(-1));
      const command = addFlags(new Command(), flagRows as never);
      command.parse([flag.split(' ')[0]!, ...(flag.includes('<') ? [text] : [])], { from: 'user' });
      const wanted = words?.at(-1) ?? (flag.includes('<') ? (read?.(text) ?? 7) : (value ?? true));
      expect(optionsOf<Record<string, unknown>>(command.opts(), flagRows as never)[name]).toEqual(wanted);
    }
  });
});

test('a flag that two tables share is added once', () => {
  const command = addFlags(addFlags(new Command(), FIX_FLAG_LIST), VISIT_FLAGS);
  const names = command.options.map(({ long }) => long);
  expect(new Set(names).size).toBe(names.length);
});
