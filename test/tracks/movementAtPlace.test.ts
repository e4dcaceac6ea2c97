import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UNKNOWN, UNKNOWN_IGNITION } from '../../src/tracks/fixReader.js';
import {
  keepRows,
  type Movement,
  MovementMachine,
  movementAt,
  movementNow,
  noMovement,
} from '../../src/tracks/movement/movementMachine.js';
import { movementRules, readMovement } from '../../src/tracks/movementRules.js';
import { plainCopy } from '../../src/tracks/stream/sealed.js';
import { volume } from '../volume.js';
import { drives } from './features/drivesArbitrary.js';

it('returns to an earlier fix as to a whole copy of the movement there, however far it went on', () => {
  let overwritten = 0;
  fc.assert(
    fc.property(
      fc.oneof(drives(4, 30), drives(60, 150)),
      fc.nat(1000),
      fc.nat(1000),
      fc.constantFrom(30, 300),
      (fixes, pick, more, minparktime) => {
        const items: unknown[] = [];
        const add =
          (kind: string) =>
          (...item: readonly unknown[]): void => {
            items.push([kind, ...item]);
          };
        const rules = movementRules(readMovement({ tripdetector_minparktime: minparktime }, undefined));
        const machine = new MovementMachine(rules, {
          beginTrip: add('trip'),
          endTrip: add('trip'),
          beginParking: add('parking'),
          endParking: add('parking'),
          endStop: add('stop'),
          endUnknown: add('unknown'),
        });
        const next = (movement: Movement, i: number): void => {
          const { time, lon, lat, speedKph = UNKNOWN } = fixes[i]!;
          machine.next(movement, {
            time,
            lon,
            lat,
            speedKph,
            ignition: UNKNOWN_IGNITION,
            accuracyMeters: UNKNOWN,
            mileageMeters: UNKNOWN,
            mileageDeltaMeters: UNKNOWN,
          });
        };
        const at = 1 + (pick % (fixes.length - 2));
        const until = at + 1 + (more % (fixes.length - at));
        const movement = noMovement();
        for (let i = 0; i < at; i++) next(movement, i);
        const copy = plainCopy(movement);
        const saved = movementNow(movement);
        for (let i = at; i < until; i++) {
          keepRows(saved, movement.ring);
          next(movement, i);
        }
        if (saved.rows !== null) overwritten++;
        // The rest of the track is that of the copy.
        const ends = [copy, movementAt(JSON.parse(JSON.stringify(saved)), movement.ring)].map((start) => {
          items.length = 0;
          for (let i = at; i < fixes.length; i++) next(start, i);
          machine.end(start);
          return plainCopy(items);
        });
        expect(ends[1]).toEqual(ends[0]);
      },
    ),
    { numRuns: volume(1500), seed: 55 },
  );
  expect(overwritten).toBeGreaterThan(0);
});
