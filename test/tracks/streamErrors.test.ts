import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { MovementTracker, VisitTracker } from '../../src/tracks/index.js';
import { sealed } from '../../src/tracks/stream/sealed.js';
import { errorText, trap, UNREADABLE } from '../errorOf.js';
import { fix, INDEX, WIDE } from './threeFixes.js';

describe('the whole text of a stream’s error', () => {
  const tracker = new VisitTracker(INDEX, { maxUnits: 1 });
  tracker.push('u', fix(0));
  const snapshot = tracker.snapshot();
  const restored = (given: unknown) => (): unknown => VisitTracker.restore(INDEX, given as string);
  const { checksum: _, ...body } = snapshot;
  /** A snapshot of which everything is right but what it says. */
  const withOptions = (more: object): object => sealed({ ...body, options: { ...body.options, ...more } });
  const other = new VisitTracker(INDEX, { latenessSeconds: 5 });
  const movements = new MovementTracker({}, { maxUnits: 1 }).snapshot();

  test.each<[string, () => unknown]>([
    ['unit-id unitId: expected a text, received 5', () => tracker.push(5 as never, fix(1))],
    ['limit-units unitId: expected at most 1 units, received 2', () => tracker.push('v', fix(1))],
    [
      'limit-units unitId: expected at most 1 units, received 2',
      () => {
        const more = new VisitTracker(INDEX, { maxUnits: 1 });
        more.push('v', fix(1));
        more.adopt(snapshot);
      },
    ],
    [
      'unit-known snapshot.units: expected units not followed yet, received "u"',
      () => tracker.adopt(snapshot),
    ],
    [
      `state-options snapshot.options: expected the options ${JSON.stringify(other.snapshot().options)}, received ${JSON.stringify(JSON.stringify(snapshot.options).slice(0, 57))}… (${JSON.stringify(snapshot.options).length} characters)`,
      () => other.adopt(snapshot),
    ],
    [
      'option-type options: expected an object of options, received null',
      () => tracker.push('u', fix(1), null as never),
    ],
    [
      `option-value options.receivedAt: ${WIDE} "5"`,
      () => tracker.push('u', fix(1), { receivedAt: '5' } as never),
    ],
    [
      `input-unreadable options.receivedAt: ${UNREADABLE}`,
      () => tracker.push('u', fix(1), trap('receivedAt')),
    ],
    [`input-unreadable fix: ${UNREADABLE}`, () => tracker.push('u', trap('time') as Fix)],
    [`option-value time: ${WIDE} NaN`, () => tracker.advance(Number.NaN)],
    ['state-corrupt snapshot: expected JSON, received "{"', restored('{')],
    ['state-corrupt snapshot: expected an object, received 5', restored(5)],
    ['state-corrupt snapshot: expected an object, received null', restored(null)],
    ['state-corrupt snapshot: expected an object, received an array', restored([])],
    [`input-unreadable snapshot: ${UNREADABLE}`, restored(trap('version'))],
    ['state-corrupt snapshot.version: expected a number, received undefined', restored({})],
    ['state-version snapshot.version: expected version 9, received 1', restored({ ...snapshot, version: 1 })],
    ['state-corrupt snapshot.kind: expected \'visits\', received "movement"', restored(movements)],
    ["state-corrupt snapshot.kind: expected 'visits', received 5", restored({ ...snapshot, kind: 5 })],
    [
      'state-corrupt snapshot.kind: expected \'movement\', received "visits"',
      () => MovementTracker.restore(snapshot),
    ],
    [
      'state-corrupt snapshot.options.maxUnits: expected an option of a tracker, received "expected a number from 0 to Infinity, received -1"',
      restored(withOptions({ maxUnits: -1 })),
    ],
    [
      'state-corrupt snapshot.settings.advanced_mileagecoeff: expected a setting of a tracker, received "expected a number from 0 to 1000000, received -1"',
      () => {
        const { checksum: _, ...own } = movements;
        MovementTracker.restore(sealed({ ...own, options: { ...own.options, advanced_mileagecoeff: -1 } }));
      },
    ],
    [
      'state-corrupt snapshot.units: expected each unit once, received 1',
      restored(sealed({ ...body, units: [...body.units, ...body.units] })),
    ],
    // Without a new seal, whatever is changed.
    ...[
      { clock: 9e15 },
      { options: {} },
      { units: 5 },
      { units: [5] },
      { units: [{ ...snapshot.units[0], id: 'v' }] },
    ].map((more): [string, () => unknown] => [
      `state-corrupt snapshot.checksum: expected the checksum of the rest, ${sealed({ ...body, ...more }).checksum}, received "${snapshot.checksum}"`,
      restored({ ...snapshot, ...more }),
    ]),
    [
      `state-corrupt snapshot.checksum: expected the checksum of the rest, ${snapshot.checksum}, received "x"`,
      restored({ ...snapshot, checksum: 'x' }),
    ],
  ])('%s', (text, run) => {
    expect(errorText(run)).toBe(text);
  });
});
