import { expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import type { FollowedTrip, VersionedTrips } from '../src/stream/tripSource.js';
import { memoryRun } from './memoryRun.js';

/** Edits of trips on the stream. */

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 2, 6);
const NOWHERE = new ZoneIndex([{ id: 'far', type: { key: 'circle' }, geometry: [[-30, -60]], width: 100 }]);

function trip(date: string): FollowedTrip {
  const point = {
    name: 'Shop',
    type: { key: 'circle' },
    geometry: [[30.03, 60]],
    width: 300,
    arrival: { time: '06:30' },
  };
  return {
    id: 't',
    name: 'Milk',
    unit: { id: 'van' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [date],
    points: [point],
  } as unknown as FollowedTrip;
}
const versionOf = (version: number, followed: FollowedTrip): VersionedTrips => ({
  version,
  timeZone: 'UTC',
  unitsOf: () => new Map([['van', [followed]]]),
});

test.each([0, 1, 3])(
  'a date that an edit adds to a trip has its events at once, %i days after the last fix',
  async (days) => {
    const run = memoryRun(NOWHERE, { trips: versionOf(1, trip('2026-04-01')) });
    const fixes: Fix[] = Array.from({ length: 60 }, (_, i) => ({
      time: START + i * MINUTE,
      lon: 30 + i / 1000,
      lat: 60,
    }));
    let clock = START;
    for (const fix of fixes) {
      clock = fix.time;
      await run.handle(clock, [fix]);
      await run.handle(clock);
    }
    clock += days * 1440 * MINUTE;
    await run.handle(clock);
    run.commit();
    const typesAt = (): string[] => run.events.flatMap((event) => ('tripId' in event ? [event.type] : []));
    expect(typesAt()).toEqual([]);
    await run.changeTrips(versionOf(2, trip('2026-03-02')));
    expect(typesAt()).toEqual(expect.arrayContaining(['trip_activated', 'point_entered', 'point_left']));
  },
);
