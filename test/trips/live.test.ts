import { readFileSync } from 'node:fs';
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
 * The days on which an alarm is taken back although no fix came late. No other day may join them, and one that leaves them is taken off its list.
 * By the contract: the slow model takes back the same.
 */
const BY_CONTRACT: Readonly<Record<string, readonly string[]>> = {
  // T29: a stop at a later point serves it until the earlier point is visited.
  'An early visit, then a visit on time': ['point_skipped 1', 'arrival_early 2'],
  'He delivered to the near shop first although the plan said the far one': [
    'point_skipped 1',
    'arrival_early 2',
  ],
  'It turned back before the first customer': ['point_skipped 1', 'arrival_early 2'],
  // T29: a visit serves the nearest free point until a better one comes.
  'No speeds, but it stood': ['arrival_early 1', 'arrival_early 2'],
  // T12: a drive-by begins the run until a stop does.
  'It drove past the depot before it came to load': [
    'arrival_early 0',
    'departure_early 0',
    'arrival_early 1',
  ],
  'Past the depot on an errand': ['arrival_early 0', 'arrival_early 1'],
  // T18: drift is known only when the unit comes back.
  "A customer's ramp at the border": Array.from({ length: 4 }, () => 'departure_early 1'),
  'Twelve hours at the border': ['departure_early 0'],
  'Positions thrown by half a kilometre while he unloaded': Array.from(
    { length: 7 },
    () => 'departure_early 1',
  ),
  // T32: an open stay skips no point until the unit has stood.
  'The same yard without shared visits': ['point_skipped 1', 'arrival_early 2'],
  'A stay that is too early for one of its tasks': [
    'arrival_overdue 2',
    'point_skipped 1',
    'arrival_early 2',
  ],
};
/** `revised` events over all days. */
const REVISED = 116;

test('T46: on no day an alarm is withdrawn later, but for those listed', () => {
  const found = [...EMITTED]
    .map(([name, events]) => [name, withdrawn(events)] as const)
    .filter(([, alarms]) => alarms.length > 0);
  expect(Object.fromEntries(found)).toEqual(BY_CONTRACT);
});

test('the number of revised events is stated', () => {
  const revised = [...EMITTED.values()].flat().filter(({ type }) => type === 'revised');
  expect(revised).toHaveLength(REVISED);
  const taken = Object.values(BY_CONTRACT);
  expect(readFileSync(new URL('../../docs/fairness.md', import.meta.url), 'utf8')).toContain(
    `${REVISED} \`revised\` events on ${EMITTED.size} days. Of these events ${taken.flat().length} withdraw an alarm, on ${taken.length} days.`,
  );
});
