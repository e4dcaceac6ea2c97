import { expect, test } from 'vitest';
import { type TripOptions, TripTracker, type TripTrackerEvent } from '../../src/trips/index.js';
import { readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { type DayText, readDays } from './days/readDays.js';

/** What a dispatcher is called for. */
const ALARMS: readonly string[] = [
  'departure_early',
  'departure_late',
  'point_skipped',
  'arrival_early',
  'arrival_late',
  'arrival_overdue',
  'point_out_of_order',
  'trip_aborted',
];

/** All that the tracker emits while the day goes on: each fix as it comes, and the clock every ten minutes. */
function emitted({ plan: planLines, script }: DayText): TripTrackerEvent[] {
  const plan = readPlan(planLines);
  const tracker = new TripTracker(plan.trip, plan.date, plan.options as TripOptions as never);
  const { window } = tracker.report();
  const events: TripTrackerEvent[] = [];
  let clock = window.from;
  for (const fix of fixesOfScript(script, plan.clock)) {
    for (; clock < fix.time; clock += 600_000) events.push(...tracker.advance(clock));
    events.push(...tracker.push(fix));
  }
  events.push(...tracker.advance(window.to));
  return events;
}

/** The alarms that a later event takes back, as `type index`. */
function withdrawn(events: readonly TripTrackerEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'revised') return [];
    const { was, is } = event;
    if (was === null || !ALARMS.includes(was.type)) return [];
    return is !== null && is.type === was.type ? [] : [`${was.type} ${was.pointIndex ?? ''}`.trim()];
  });
}

const EMITTED = new Map(readDays().map((day) => [day.name, emitted(day)] as const));

/**
 * The days on which an alarm is taken back although no fix came late, each with the rule that makes it so. No other day may join them, and one
 * that leaves them is taken off the list.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {};
/** `revised` events over all days. */
const REVISED = 0;

test('T46: on no day an alarm is withdrawn later, but for those listed', () => {
  const found = [...EMITTED]
    .map(([name, events]) => [name, withdrawn(events)] as const)
    .filter(([, alarms]) => alarms.length > 0);
  expect(Object.fromEntries(found)).toEqual(KNOWN);
});

test('the number of revised events is stated', () => {
  const revised = [...EMITTED.values()].flat().filter(({ type }) => type === 'revised');
  expect(revised).toHaveLength(REVISED);
});
