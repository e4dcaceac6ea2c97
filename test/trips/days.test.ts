import { describe, expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions, TripTracker } from '../../src/trips/index.js';
import { type Plan, readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { objections } from './days/dayVerdict.js';
import { type DayText, readDays } from './days/readDays.js';
import { slowReport } from './oracle/slowReport.js';

const DAYS = readDays();

/** A report of the day at a time, or at the window's end. */
type Judge = (plan: Plan, fixes: readonly Fix[], now: number | null) => ReturnType<typeof evaluateTrip>;

const optionsAt = ({ options }: Plan, now: number | null): TripOptions =>
  ({ ...options, ...(now === null ? {} : { now }) }) as TripOptions;

const JUDGES: Readonly<Record<string, Judge>> = {
  evaluateTrip: (plan, fixes, now) =>
    evaluateTrip(plan.trip, plan.date, readTrack(fixes), optionsAt(plan, now)),
  TripTracker: (plan, fixes, now) => {
    const tracker = new TripTracker(plan.trip, plan.date, optionsAt(plan, null) as never);
    const end = now ?? tracker.report().window.to;
    for (const fix of fixes) if (fix.time <= end) tracker.push(fix);
    if (end > (fixes.findLast(({ time }) => time <= end)?.time ?? 0)) tracker.advance(end);
    return tracker.report();
  },
  'the slow model': (plan, fixes, now) =>
    slowReport(plan.trip, plan.date, readTrack(fixes), optionsAt(plan, now) as never),
};

function judged({ plan: planLines, script, verdicts }: DayText, judge: Judge): string[] {
  const plan = readPlan(planLines);
  const fixes = fixesOfScript(script, plan.clock);
  return verdicts.flatMap(({ at, lines }) => {
    const report = judge(plan, fixes, at === null ? null : plan.clock(at));
    return objections(report, lines, plan.clock).map((text) => (at === null ? text : `at ${at}: ${text}`));
  });
}

test('at least a hundred days are told, each by its own name', () => {
  expect(DAYS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(DAYS.map(({ name }) => name)).size).toBe(DAYS.length);
});

describe.each(Object.entries(JUDGES))('a day told as a story, judged by %s', (_name, judge) => {
  test.each(DAYS.map((day) => [`${day.file}: ${day.name}`, day] as const))('%s', (_title, day) => {
    expect(judged(day, judge)).toEqual([]);
  });
});
