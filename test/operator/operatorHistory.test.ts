import { expect, test } from 'vitest';
import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { ZoneIndex } from '../../src/index.js';
import {
  describeEvents,
  lastTimeOf,
  type UnitEvents,
  type UnitMessage,
  type UnitOutput,
  type UnitStep,
  unitOperator,
} from '../../src/operator/index.js';
import { detectTrips, findSpeeding, findVisits, readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, planTrip } from '../../src/trips/index.js';
import { LONG, seeded } from '../volume.js';

/** Fixes of several days arrive hours late. Each demand is answered with exactly the history that it names, and the end is that of the batch. */

const START = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;
const DAY = 1440;
const ZONES = [0, 4, 8].map((at) => ({
  id: `zone ${at}`,
  type: { key: 'circle' as const },
  geometry: [[30 + at / 100, 60]] as [number, number][],
  width: 400,
}));
const INDEX = new ZoneIndex(ZONES);
const LIMITS = { 'zone 0': 20, 'zone 4': null, 'zone 8': 60 } as Record<string, number | null>;
const TRIP = {
  id: 'round',
  name: 'round',
  unit: { id: 'van' },
  passage_order_type: { key: 'arbitrary' },
  dates: Array.from({ length: 7 }, (_, i) => `2026-03-0${2 + i}`),
  points: ZONES.map(({ id, ...shape }) => ({ ...shape, name: id, arrival: { time: '08:00' } })),
} as unknown as Trip;

/** Drives and rests of some days, with nights and silences. */
function drive(random: () => number): Fix[] {
  const fixes: Fix[] = [];
  let [minute, at, direction] = [0, 0, 1];
  while (minute < 5 * DAY) {
    const dice = random();
    const isDrive = dice < 0.5;
    const lasts = isDrive ? 5 + 30 * random() : dice < 0.9 ? 5 + 40 * random() : 500 * random();
    for (const end = minute + lasts; minute < end; minute += 3) {
      if (Math.abs(at) > 0.2) direction = at > 0 ? -1 : 1;
      at += isDrive ? 0.016 * direction : (random() - 0.5) * 1e-5;
      const speedKph = isDrive ? 20 + 40 * random() : 0;
      fixes.push({ time: START + Math.round(minute * MINUTE), lon: 30 + at, lat: 60, speedKph });
    }
    if (random() < 0.1) minute += 600 * random();
  }
  return fixes;
}

/** Messages of up to an hour and a half, some of them up to two days late. */
function messagesOf(random: () => number, fixes: readonly Fix[]): Fix[][] {
  const messages: { readonly due: number; readonly own: Fix[] }[] = [];
  for (let from = 0; from < fixes.length; ) {
    const own = fixes.slice(from, from + 1 + Math.floor(30 * random()));
    from += own.length;
    const isLate = random() < 0.12 && own.at(-1)!.time < START + 3 * DAY * MINUTE;
    messages.push({ due: own.at(-1)!.time + (isLate ? 2 * DAY * MINUTE * random() : 0), own });
  }
  return messages.sort((a, b) => a.due - b.due).map(({ own }) => own);
}

const plain = (items: readonly object[]): string[] => items.map((item) => JSON.stringify(item)).sort();

test('late fixes of days are computed from the history that is demanded, and the end is that of the batch', () => {
  const read = { runs: 0, demands: 0, bounded: 0, fixes: 0, kept: 0, again: 0 };
  for (let seed = 1; seed <= (LONG ? 100 : 2); seed++) {
    const random = seeded(seed);
    const fixes = drive(random);
    const options = { latenessSeconds: 30, maxAheadSeconds: Number.POSITIVE_INFINITY };
    const places = { zones: INDEX, speedLimitOf: (id: string) => LIMITS[id] ?? null };
    // The trip is planned from the beginning, or added when some of its runs have begun.
    const planned = { ...places, trips: () => [TRIP] };
    const operator = unitOperator((version) => (version === 1 ? places : planned), options);
    let zonesVersion = seed % 2 === 0 ? 2 : 1;
    let added = Number.NEGATIVE_INFINITY;
    const all: UnitOutput[] = [];
    const sent: Fix[] = [];
    let step: UnitStep | null = null;
    const take = (input: UnitMessage['input']): UnitStep => {
      step = operator.step(step?.state ?? null, { unitId: 'van', zonesVersion, input });
      all.push(...step.outputs);
      return step;
    };
    const answer = (demand: NonNullable<UnitStep['rebuild']>, before: number): void => {
      const { of } = demand;
      const first = Math.min(...sent.map(({ time }) => time));
      const from = demand.from === null || demand.from <= first ? null : demand.from;
      const least = from ?? Number.NEGATIVE_INFINITY;
      expect(least).toBeLessThan(before);
      const known = sent.filter(({ time }) => time >= least);
      read.demands++;
      if (from !== null) read.bounded++;
      read.fixes += known.length;
      read.kept += sent.length;
      const outputs = all.filter(({ event }) => lastTimeOf(event) >= least);
      const next = take({ kind: 'rebuild', of, from, fixes: known, outputs });
      if (next.rebuild === null) return;
      read.again++;
      // After late fixes, runs of an added trip may ask for theirs.
      answer(next.rebuild, next.rebuild.of === of ? least : Number.POSITIVE_INFINITY);
    };
    for (const own of messagesOf(random, fixes)) {
      sent.push(...own);
      if (zonesVersion === 1 && random() < 0.02) {
        zonesVersion = 2;
        added = Math.max(...sent.map(({ time }) => time));
      }
      const { rebuild } = take({ kind: 'fixes', fixes: own });
      if (rebuild !== null) answer(rebuild, Number.POSITIVE_INFINITY);
    }
    const end = fixes.at(-1)!.time + 31_000;
    take({ kind: 'time', time: end });
    const track = readTrack(fixes);
    const events = all.map(({ event }) => event);
    const isOver = ({ to }: { to: number | null }): boolean => to !== null;
    expect(
      plain(describeEvents('visits', events).filter(({ exit }) => exit !== null)),
      `seed ${seed}`,
    ).toEqual(plain(findVisits(track, INDEX).filter(({ exit }) => exit !== null)));
    // What is under way at the end of the batch has no end in the stream.
    const last = track.time[track.length - 1]!;
    const report = detectTrips(track, {});
    for (const [kind, items] of [
      ['trip', report.trips],
      ['parking', report.parkings],
      ['stop', report.stops],
    ] as const) {
      const own = describeEvents('movement', events).filter((one) => one.kind === kind && isOver(one));
      const plainItems = own.flatMap(({ kind: is, ...item }) => (is === kind ? [item] : []));
      expect(plain(plainItems), `seed ${seed}`).toEqual(
        plain(items.filter(({ to }) => to < last || own.some((one) => one.to === to))),
      );
    }
    const limits = { index: INDEX, zoneLimits: LIMITS };
    expect(plain(describeEvents('speeding', events).filter(isOver)), `seed ${seed}`).toEqual(
      plain(findSpeeding(track, limits).filter((one) => one.end !== 'track')),
    );
    for (const date of zonesVersion === 2 ? TRIP.dates.slice(0, 5) : []) {
      const { from, to } = planTrip(TRIP, date, { timeZone: 'UTC' }).window;
      // A run that was over when the trip was added is not followed.
      if (to + 61 * MINUTE < added) continue;
      read.runs++;
      const own = fixes.filter(({ time }) => time >= from - DAY * MINUTE && time <= to + 60 * MINUTE);
      const now = Math.min(Math.floor(end / 30_000) * 30_000, to + 60 * MINUTE);
      const given = { timeZone: 'UTC', now: Math.max(now, own.at(-1)?.time ?? now) };
      const run = events.filter(
        (event): event is UnitEvents['trips'] => 'tripId' in event && event.date === date,
      );
      expect(plain(describeEvents('trips', run)), `seed ${seed} ${date}`).toEqual(
        plain(evaluateTrip(TRIP, date, readTrack(own), given).events),
      );
    }
  }
  expect(read.runs).toBeGreaterThan(6);
  expect(read.demands).toBeGreaterThan(10);
  // Most demands need a part of what is kept.
  expect(read.bounded / read.demands).toBeGreaterThan(0.5);
  expect(read.fixes / read.kept).toBeLessThan(0.8);
});
