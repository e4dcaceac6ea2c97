/** The laws of fairness on rounds at night, which look like none of the other generated runs. */

import { expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';
import { cleared, forgiven, type Judge, movedBack, shifted } from './laws.js';
import { nightRound } from './nightRounds.js';
import { differences } from './oracle/differences.js';

const COUNT = LONG ? 2000 : 40;
const DAY = 86_400_000;

test('nobody cleared is blamed without some fixes, a larger tolerance adds no violation, and a shift changes nothing', () => {
  const seen = { finished: 0, shifted: 0, removed: 0 };
  for (let seed = 0; seed < COUNT; seed++) {
    const [run, random] = [nightRound(seeded(seed)), seeded(seed + 1_000_000)];
    if (run.fixes.length === 0) continue;
    const judge: Judge = ({ trip, date, fixes, options }) =>
      evaluateTrip(trip, date, readTrack(fixes), options as TripOptions);
    const { now: _, ...plain } = run.options;
    const whole = { ...run, options: plain };
    if (judge(whole).status === 'finished') seen.finished++;
    for (let k = 0; k < 3; k++) {
      const from = Math.floor(random() * run.fixes.length);
      const found = cleared(whole, from, 1 + Math.floor(random() * 20), judge);
      if (found !== undefined) seen.removed++;
      expect({ seed, found: found ?? null }).toEqual({ seed, found: null });
    }
    expect({ seed, found: forgiven(run, 1 + Math.floor(random() * 30), judge) ?? null }).toEqual({
      seed,
      found: null,
    });
    if (run.options.timeZone !== 'UTC') continue;
    seen.shifted++;
    const [days, hours] = [Math.floor(random() * 40) - 20, Math.floor(random() * 24) - 11];
    const later = movedBack(judge(shifted(run, days, hours)), days * DAY + hours * 3_600_000);
    expect({ seed, found: differences(movedBack(judge(run), 0) as never, later) }).toEqual({
      seed,
      found: [],
    });
  }
  expect(Math.min(seen.finished, seen.shifted, seen.removed)).toBeGreaterThan(COUNT / 10);
});
