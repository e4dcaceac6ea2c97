import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareHours, splitByHours } from '../../src/hours/index.js';
import { ZoneIndex } from '../../src/index.js';
import {
  findVisits,
  type HoursEvent,
  readTrack,
  type VisitEvent,
  VisitTracker,
} from '../../src/tracks/index.js';
import { volume } from '../volume.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 2);
const circle = (id: string, width: number) => ({
  id,
  type: { key: 'circle' as const },
  geometry: [[37.6, 55.7] as [number, number]],
  width,
});
const index = new ZoneIndex([circle('yard', 300), circle('gate', 100), circle('free', 200)]);
const hours = {
  yard: prepareHours(
    {
      weekly: [
        { days: [1, 2], from: '01:00', to: '02:00' },
        { days: [1], from: '04:30', to: '05:00' },
      ],
    },
    { timeZone: 'UTC' },
  ),
  gate: prepareHours({ weekly: [{ days: [1], from: '03:10', to: '03:20' }] }, { timeZone: 'UTC' }),
};
const hoursOf = (zoneId: string) => hours[zoneId as keyof typeof hours];

const fixes = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.constantFrom(60, 300, 900, 4000)), {
    minLength: 1,
    maxLength: 30,
  })
  .map((steps) => {
    let time = START;
    return steps.map(([x, seconds]) => {
      time += seconds * 1000;
      return { time, lon: 37.6 + x / 62_800, lat: 55.7 };
    });
  });
const options = fc.record({
  exitBufferMeters: fc.constantFrom(0, 50),
  minInsideSeconds: fc.constantFrom(0, 400),
  minOutsideSeconds: fc.constantFrom(0, 700),
});

describe('a VisitTracker with hours', () => {
  test('emits what splitByHours gives of the visits, from a snapshot at every point', () => {
    fc.assert(
      fc.property(fixes, options, (list, given) => {
        let tracker = new VisitTracker<VisitEvent | HoursEvent>(index, { ...given, hoursOf });
        const events: (VisitEvent | HoursEvent)[] = [];
        for (const fix of list) {
          tracker = VisitTracker.restore(index, JSON.stringify(tracker.snapshot()), { hoursOf });
          events.push(...tracker.push('u', fix), ...tracker.advance(fix.time + 60_000));
        }
        const visits = findVisits(readTrack(list), index, given).filter(({ exit }) => exit !== null);
        const parts = splitByHours(visits, hoursOf);
        for (const [i, visit] of visits.entries()) {
          const own = events.filter(({ zoneId }) => zoneId === visit.zoneId);
          const last = own.findIndex((event) => event.type === 'exit' && event.visit?.enter === visit.enter);
          const first = own.findIndex((event) => event.type === 'enter' && event.time === visit.enter);
          const told = own.slice(first, last).filter(({ type }) => type === 'enter' || type === 'hours');
          const wanted = parts.filter((part) => part.visit === i).map(({ from, open }) => [from, open]);
          expect(told.map((event) => [event.time, 'open' in event ? event.open : null])).toEqual(wanted);
        }
        // Nothing is told of a time at which the unit was not seen inside.
        const inside = new Map(tracker.openVisits('u').map((visit) => [visit.zoneId, visit.enter]));
        for (const event of events) {
          if (event.type !== 'hours') continue;
          expect(Object.keys(event).sort()).toEqual(['open', 'time', 'type', 'unitId', 'zoneId']);
          const isOfVisit = visits.some(
            ({ zoneId, enter, exit }) => zoneId === event.zoneId && enter < event.time && event.time < exit!,
          );
          expect(isOfVisit || (inside.get(event.zoneId) ?? Number.POSITIVE_INFINITY) < event.time).toBe(true);
          expect(event.time).toBeLessThanOrEqual(list.at(-1)!.time);
        }
      }),
      { numRuns: volume(2000), seed: 20_261_125 },
    );
  });

  const fix = (time: number, x = 0) => ({ time, lon: 37.6 + x / 62_800, lat: 55.7 });

  test('tells nothing by the clock alone, and what a sleep hid when it is found', () => {
    const tracker = new VisitTracker<VisitEvent | HoursEvent>(index, { hoursOf });
    const yard = (events: readonly (VisitEvent | HoursEvent)[]) =>
      events.filter(({ zoneId }) => zoneId === 'yard').map(({ type, time }) => [type, (time - START) / HOUR]);
    expect(
      tracker.push('u', fix(START)).map((event) => [event.zoneId, 'open' in event && event.open]),
    ).toEqual([
      ['yard', false],
      ['gate', false],
      ['free', true],
    ]);
    expect(yard(tracker.advance(START + 90 * 60_000))).toEqual([['lost', 0]]);
    expect(yard(tracker.push('u', fix(START + 2.5 * HOUR)))).toEqual([
      ['hours', 1],
      ['hours', 2],
      ['found', 2.5],
    ]);
    expect(yard(tracker.push('u', fix(START + 4.6 * HOUR)))).toEqual([['hours', 4.5]]);
  });

  test('has no `open` without hours, and refuses hours that are not prepared', () => {
    const [event] = new VisitTracker(index).push('u', fix(START));
    expect('open' in event!).toBe(false);
    expect(() => new VisitTracker(index, { hoursOf: {} as never })).toThrow('a function');
    const tracker = new VisitTracker(index, { hoursOf: () => ({}) as never });
    expect(() => tracker.push('u', fix(START))).toThrow('prepareHours');
  });
});
