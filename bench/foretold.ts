/**
 * Quality of the forecasts of `predictByRoute` on generated fleets and real bus days, beside two baselines: the plan plus the present delay,
 * and the engine alone.
 */

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Fix, lengthMeters, type Position } from '../src/index.js';
import { readTrack } from '../src/tracks/index.js';
import {
  evaluateTrip,
  learnLegs,
  type PendingPoint,
  type PendingRun,
  type Predict,
  type PredictionLeg,
  predictByRoute,
  type TripInput,
  type TripReport,
} from '../src/trips/index.js';
import { driveRoute, FLEETS, type FleetRoute, makeRoute } from './foretoldFleets.js';

const DATE = '2026-03-02';
const BUS_DAYS = ['2015-03-07', '2015-03-18', '2016-11-25'];
const STOPS = 8;

/** The forecasts that are compared. */
const NAMES = ['wayzone', 'learned', 'plan + delay', 'engine alone'] as const;
type Name = (typeof NAMES)[number];
type Predicts = Readonly<Partial<Record<Name, Predict>>>;

interface Forecast {
  readonly time: number;
  readonly arrival: number;
}

/** Lateness said 15 min before due, errors 30 min before arrival, and changes of the event. */
class Score {
  hits = 0;
  said = 0;
  late = 0;
  errors = 0;
  count = 0;
  changes = 0;
  needless = 0;
  points = 0;

  get recall(): number {
    return this.late === 0 ? 1 : this.hits / this.late;
  }
  get precision(): number {
    return this.said === 0 ? 1 : this.hits / this.said;
  }
  get meanErrorSeconds(): number {
    return this.errors / this.count / 1000;
  }

  add(report: TripReport, forecasts: readonly (readonly Forecast[])[], toleranceMinutes: number): void {
    for (const { index, arrival, plannedArrival } of report.points.slice(1)) {
      if (arrival === null || plannedArrival === null) continue;
      const last = (time: number): Forecast | undefined =>
        (forecasts[index] ?? []).findLast((forecast) => forecast.time <= time);
      const due = plannedArrival + toleranceMinutes * 60_000;
      this.points++;
      const changes = report.events.filter(
        (event) => event.pointIndex === index && event.type.startsWith('late_'),
      ).length;
      const isLate = arrival > due;
      this.changes += changes;
      this.needless += isLate ? Math.max(0, changes - 1) : changes;
      const isSaid = (last(due - 900_000)?.arrival ?? 0) > due;
      if (arrival > due - 900_000) {
        this.late += Number(isLate);
        this.said += Number(isSaid);
        this.hits += Number(isLate && isSaid);
      }
      const ahead = last(arrival - 1_800_000);
      if (ahead === undefined) continue;
      this.errors += Math.abs(ahead.arrival - arrival);
      this.count++;
    }
  }
}

/** The plan plus the delay of the last departure or arrival that has a plan. */
const planPlusDelay: Predict = (_from, { plannedArrival }, time, { delaySeconds, start }) => {
  if (plannedArrival === null) return null;
  const arrival = Math.max(time, plannedArrival + (delaySeconds ?? 0) * 1000);
  return Math.max(0, arrival - start) / 1000;
};

/** `predictByRoute` without plan, delay and stay. Its answer counts from the fix. */
function engineAlone(legs: readonly PredictionLeg[], serviceSeconds: number | readonly number[]): Predict {
  const predict = predictByRoute(legs, { serviceSeconds });
  const bare = (point: PendingPoint): PendingPoint => ({
    ...point,
    plannedArrival: null,
    plannedDeparture: null,
  });
  return (from, point, time, pending) => {
    const points = pending.points.map(bare);
    const run: PendingRun = { ...pending, points, start: time, served: [], delaySeconds: null };
    const seconds = predict(from, bare(point), time, run);
    return seconds === null ? null : Math.max(0, time + 1000 * seconds - pending.start) / 1000;
  };
}

/**
 * Adds a run to the scores of all forecasts. With `isQuick` the run is evaluated once, and all get the changes of the first.
 */
function scoreRun(
  trip: TripInput,
  fixes: readonly Fix[],
  predicts: Predicts,
  scores: Map<Name, Score>,
  toleranceMinutes: number,
  isQuick: boolean,
): void {
  const track = readTrack(fixes);
  const names = NAMES.filter((name) => predicts[name] !== undefined);
  for (const group of isQuick ? [names] : names.map((name) => [name])) {
    const forecasts = group.map((): Forecast[][] => trip.points.map(() => []));
    const noted: Predict = (from, point, time, pending) => {
      const answers = group.map((name) => predicts[name]!(from, point, time, pending));
      answers.forEach((seconds, k) => {
        if (seconds !== null)
          forecasts[k]![point.index]!.push({ time, arrival: pending.start + 1000 * seconds });
      });
      return answers[0]!;
    };
    const report = evaluateTrip(trip, DATE, track, { ...OPTIONS, predict: noted });
    group.forEach((name, k) => {
      if (!scores.has(name)) scores.set(name, new Score());
      scores.get(name)!.add(report, forecasts[k]!, toleranceMinutes);
    });
  }
}

const OPTIONS = { timeZone: 'UTC', serviceSeconds: 0, leaveConfirmSeconds: 30 };

const clock = (time: number): { time: string; after_days: number } => {
  const minutes = Math.floor((time - Date.parse(`${DATE}T00:00Z`)) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return {
    time: `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`,
    after_days: Math.floor(minutes / 1440),
  };
};

function tripOf(
  points: readonly { position: Position; arrival: number; departure: number | null }[],
  start: number,
  width: number,
  deviation: number,
): TripInput {
  const due = (seconds: number): object => ({
    ...clock(start + 1000 * seconds),
    deviation_minutes: deviation,
  });
  return {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    passage_order_type: { key: 'strict' },
    dates: [DATE],
    points: points.map(({ position, arrival, departure }, i) => ({
      name: `Stop ${i}`,
      type: { key: 'circle' },
      geometry: [[...position]],
      width,
      arrival: due(arrival),
      ...(departure === null ? {} : { departure: due(departure) }),
    })),
  } as TripInput;
}

/**
 * Scores `days` of each of `routes` routes of a fleet. With `isQuick` nothing is learned and only the first forecast has its own changes;
 * else eight other days are learned from.
 */
export function scoreFleet(
  name: keyof typeof FLEETS,
  routes: number,
  days: number,
  seed: number,
  isQuick: boolean,
): Map<Name, Score> {
  const fleet = FLEETS[name];
  const scores = new Map<Name, Score>();
  for (let r = 0; r < routes; r++) {
    const route: FleetRoute = makeRoute(fleet, seed * 1000 + r);
    const start = Date.parse(`${DATE}T00:00Z`) + Math.round(route.startHour * 60) * 60_000;
    const width = fleet.rests ? 300 : 100;
    const trip = tripOf(route.points, start, width, fleet.toleranceMinutes);
    const drive = (day: number): Fix[] => driveRoute(route, (seed * 1000 + r) * 1000 + day, start);
    const before = Array.from({ length: isQuick ? 0 : 8 }, (_, day) =>
      evaluateTrip(trip, DATE, readTrack(drive(500 + day)), OPTIONS),
    );
    const serviceSeconds = route.points.map(({ service }) => service);
    const predicts: Predicts = {
      wayzone: predictByRoute(route.legs, { serviceSeconds }),
      ...(isQuick ? {} : { learned: predictByRoute(route.legs, { serviceSeconds, ...learnLegs(before) }) }),
      'plan + delay': planPlusDelay,
      'engine alone': engineAlone(route.legs, serviceSeconds),
    };
    for (let day = 0; day < days; day++)
      scoreRun(trip, drive(day), predicts, scores, fleet.toleranceMinutes, isQuick);
  }
  return scores;
}

/** The runs of a day, by route and direction. A run is one GTFS trip of one bus. */
function busRuns(day: string): Map<string, Fix[][]> {
  const url = new URL(`../../shared/data/tracks/austin-bus/${day}.csv.gz`, import.meta.url);
  const groups = new Map<string, Map<string, Fix[]>>();
  if (!existsSync(url)) return new Map();
  for (const line of gunzipSync(readFileSync(url)).toString().split('\n').slice(1)) {
    const [vehicle, timestamp, , route, trip, lat, lon, headsign] = line.trim().split(',');
    if (headsign === undefined || trip === '') continue;
    // The names of 2016 have the route and a short direction.
    const heading = /(N|S|E|W)(ORTH|OUTH|AST|EST)?B?(OUND)?$/.exec(headsign)?.[1] ?? headsign;
    const group = `${route} ${heading}`;
    if (!groups.has(group)) groups.set(group, new Map());
    const own = groups.get(group)!;
    const key = `${trip} ${vehicle}`;
    if (!own.has(key)) own.set(key, []);
    own.get(key)!.push({ time: Date.parse(timestamp!), lon: Number(lon), lat: Number(lat) });
  }
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      [...group.values()].map(moving).filter((run) => run.length >= 12),
    ]),
  );
}

/** The run without the time that the bus stood at its first terminus. */
function moving(fixes: readonly Fix[]): Fix[] {
  const track = readTrack(fixes);
  const all = Array.from(track.time, (time, i) => ({ time, lon: track.lon[i]!, lat: track.lat[i]! }));
  const first = all.findIndex((fix, i) => {
    const next = all[i + 1];
    return next !== undefined && lengthMeters([[fix.lon, fix.lat], [next.lon, next.lat]]) > 200; // biome-ignore format: a line
  });
  return first < 0 ? [] : all.slice(first);
}

/**
 * Scores the bus runs of one day. A route's first run of the other days gives the line and, cut into legs of equal length, the
 * timetable; the others of those days are learned from.
 */
function scoreBuses(day: string, scores: Map<Name, Score>, limit: number): number {
  const others = BUS_DAYS.filter((other) => other !== day).map(busRuns);
  const start = Date.parse(`${DATE}T08:00Z`);
  let count = 0;
  for (const [key, runs] of [...busRuns(day)].slice(0, limit)) {
    const [template, ...earlier] = others.flatMap((groups) => groups.get(key) ?? []);
    if (template === undefined) continue;
    const line = template.map(({ lon, lat }): Position => [lon, lat]);
    const total = lengthMeters(line);
    if (total < 8000) continue;
    const legs: PredictionLeg[] = [];
    let [geometry, walked, from]: [Position[], number, number] = [[line[0]!], 0, template[0]!.time];
    const points = [{ position: line[0]!, arrival: 0, departure: null }];
    for (let i = 1; i < line.length; i++) {
      walked += lengthMeters([line[i - 1]!, line[i]!]);
      geometry.push(line[i]!);
      if (walked < ((legs.length + 1) * total) / (STOPS - 1) && i + 1 < line.length) continue;
      legs.push({ durationSeconds: (template[i]!.time - from) / 1000, geometry });
      points.push({
        position: line[i]!,
        arrival: (template[i]!.time - template[0]!.time) / 1000,
        departure: null,
      });
      [geometry, from] = [[line[i]!], template[i]!.time];
    }
    const trip = tripOf(points, start, 400, 5);
    // Each run is moved so that it departs at the planned time.
    const moved = (run: readonly Fix[]): Fix[] =>
      run.map((fix) => ({ ...fix, time: fix.time + start - run[0]!.time }));
    const isWhole = (report: TripReport): boolean =>
      report.points[0]!.status === 'passed' && report.totals.passed > points.length / 2;
    const known = earlier
      .map((run) => evaluateTrip(trip, DATE, readTrack(moved(run)), OPTIONS))
      .filter(isWhole);
    const predicts: Predicts = {
      wayzone: predictByRoute(legs),
      ...(known.length > 0 ? { learned: predictByRoute(legs, learnLegs(known)) } : {}),
      'plan + delay': planPlusDelay,
      'engine alone': engineAlone(legs, 0),
    };
    if (known.length === 0) continue;
    for (const run of runs.map(moved)) {
      if (!isWhole(evaluateTrip(trip, DATE, readTrack(run), OPTIONS))) continue;
      scoreRun(trip, run, predicts, scores, 5, false);
      count++;
    }
  }
  return count;
}

function rowsOf(label: string, scores: ReadonlyMap<Name, Score>): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [...scores].map(([name, score]) => {
    const { late, recall, precision, meanErrorSeconds, changes, needless, points } = score;
    return `| ${[
      label,
      name,
      points,
      late,
      percent(recall),
      percent(precision),
      `${(meanErrorSeconds / 60).toFixed(2)} min`,
      (changes / points).toFixed(2),
      (needless / points).toFixed(2),
    ].join(' | ')} |`;
  });
}

export function foretoldBench(quick: boolean): string {
  const rows: string[] = [];
  for (const name of Object.keys(FLEETS) as (keyof typeof FLEETS)[]) {
    rows.push(...rowsOf(name, scoreFleet(name, quick ? 6 : 30, quick ? 5 : 10, 1, false)));
  }
  for (const day of BUS_DAYS) {
    const scores = new Map<Name, Score>();
    if (scoreBuses(day, scores, quick ? 6 : Number.POSITIVE_INFINITY) > 0)
      rows.push(...rowsOf(`Austin ${day}`, scores));
  }
  return [
    '### Forecasts of predictByRoute beside two baselines',
    '',
    '"Late" is said 15 min before plan + tolerance, the mean error is that of 30 min before the arrival. `learned` knows eight earlier days, of',
    'Austin all days but one. `needless`: all changes a point but the one that a late arrival asks for.',
    '',
    '| days | forecast | points | late | recall | precision | mean error | changes a point | needless |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
