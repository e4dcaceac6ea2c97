import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, explainTrip, type TripOptions } from '../../src/trips/index.js';
import { readPlan } from './days/dayPlan.js';
import { fixesOfScript } from './days/dayScript.js';
import { type DayText, readDays } from './days/readDays.js';

/** The days that docs/fairness.md quotes: heading, story, sentences. */
function quotes(): { name: string; story: string; sentences: string }[] {
  const text = readFileSync(new URL('../../docs/fairness.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^### (.+)\n\n([^`]+)\n```text\n([^`]+)```/gm)].map(
    ([, name, story, sentences]) => ({
      name: name!,
      story: flat(story!),
      sentences: sentences!.trim(),
    }),
  );
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

function sentencesOf({ plan: lines, script }: DayText): string {
  const { trip, date, options, clock } = readPlan(lines);
  const report = evaluateTrip(trip, date, readTrack(fixesOfScript(script, clock)), options as TripOptions);
  const { trip: ofTrip, points } = explainTrip(report, 'en');
  return [ofTrip, ...points].join('\n');
}

test('docs/fairness.md quotes ten days as they are told and as the report explains them', () => {
  const days = readDays();
  const expected = quotes().map(({ name }) => {
    const day = days.find((other) => other.name === name);
    if (!day) throw new Error(`no day is named "${name}"`);
    return { name, story: flat(day.story), sentences: sentencesOf(day) };
  });
  expect(quotes()).toEqual(expected);
  expect(expected).toHaveLength(10);
});
