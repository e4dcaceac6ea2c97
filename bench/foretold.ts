/**
 * Quality of the delays that `predictByRoute` predicts: how long before plan + tolerance, and how often wrongly. The data are generated
 * runs along generated routes, and real bus days whose first run of a route serves as the plan of the later ones.
 */

import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Fix, lengthMeters, type Position } from '../src/index.js';
import { readTrack } from '../src/tracks/index.js';
import {
  evaluateTrip,
  type PredictionLeg,
  predictByRoute,
  type TripReport,
  tripFromRoute,
} from '../src/trips/index.js';
import { seeded } from '../test/volume.js';

const DATE = '2026-03-02';
const START = Date.parse(`${DATE}T08:00Z`);
const BUS_DAYS = ['2015-03-07', '2015-03-18', '2016-11-25'];
const STOPS = 8;

/** Counts correct and false predictions over some runs. */
class Score {
  runs = 0;
  onTime = 0;
  late = 0;
  foretold = 0;
  inVain = 0;
  /** Minutes from the prediction to plan + tolerance. */
  readonly ahead: number[] = [];

  add({ points, events }: TripReport, toleranceMinutes: number): void {
    this.runs++;
    for (const { index, arrivalStatus, plannedArrival } of points.slice(1)) {
      if (plannedArrival === null || (arrivalStatus !== 'late' && arrivalStatus !== 'on_time')) continue;
      const forecasts = events.filter(
        ({ type, pointIndex }) =>
          pointIndex === index && (type === 'late_expected' || type === 'late_averted'),
      );
      const isForetold = forecasts.at(-1)?.type === 'late_expected';
      if (arrivalStatus === 'on_time') {
        this.onTime++;
        if (forecasts.length > 0) this.inVain++;
        continue;
      }
      this.late++;
      const dueAt = plannedArrival + toleranceMinutes * 60_000;
      if (!isForetold || forecasts.at(-1)!.time >= dueAt) continue;
      this.foretold++;
      this.ahead.push((dueAt - forecasts.at(-1)!.time) / 60_000);
    }
  }

  row(name: string): string {
    const sorted = this.ahead.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(0);
    const percent = (part: number, all: number): string =>
      all === 0 ? '–' : `${((100 * part) / all).toFixed(0)} %`;
    return `| ${[
      name,
      this.runs,
      this.late,
      percent(this.foretold, this.late),
      `${at(0.1)} / ${at(0.5)} / ${at(0.9)} min`,
      percent(this.inVain, this.onTime),
      percent(this.inVain, this.inVain + this.foretold),
    ].join(' | ')} |`;
  }
}

/** A winding route from stop to stop. Each leg is driven slower or faster than planned, and some stops take longer. */
function generated(seed: number, spread: number, score: Score): void {
  const random = seeded(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let [lon, lat, heading] = [37.6, 55.7, 2 * Math.PI * random()];
  const legs: PredictionLeg[] = [];
  for (let i = 1; i < STOPS; i++) {
    const geometry: Position[] = [[lon, lat]];
    for (let k = 4 + Math.floor(12 * random()); k > 0; k--) {
      heading += 0.5 * normal();
      lon += 0.012 * Math.sin(heading);
      lat += 0.007 * Math.cos(heading);
      geometry.push([lon, lat]);
    }
    legs.push({ durationSeconds: lengthMeters(geometry) / (8 + 8 * random()), geometry });
  }
  const service = 300;
  const points = [legs[0]!.geometry[0]!, ...legs.map(({ geometry }) => geometry.at(-1)!)];
  const trip = tripFrom(points, legs, 150, { serviceSeconds: service, deviationMinutes: 10 });
  const fixes: Fix[] = [];
  let time = START - 120_000;
  const stand = (place: Position, seconds: number): void => {
    for (const until = time + seconds * 1000; time < until; time += 30_000) {
      fixes.push({ time: Math.round(time), lon: place[0] + 1e-5 * random(), lat: place[1] });
    }
  };
  stand(points[0]!, 120 + service);
  for (const leg of legs) {
    const seconds = leg.durationSeconds * Math.exp(spread * normal());
    const from = time;
    for (; time < from + seconds * 1000; time += 30_000) {
      const [x, y] = along(leg.geometry, (time - from) / (seconds * 1000));
      fixes.push({ time: Math.round(time), lon: x + 2e-5 * normal(), lat: y + 1e-5 * normal() });
    }
    time = from + seconds * 1000;
    stand(leg.geometry.at(-1)!, service * Math.exp(spread * normal()));
  }
  const predict = predictByRoute(legs, { serviceSeconds: service });
  score.add(evaluateTrip(trip, DATE, readTrack(fixes), { timeZone: 'UTC', predict }), 10);
}

function tripFrom(
  points: readonly Position[],
  legs: readonly PredictionLeg[],
  width: number,
  more: { serviceSeconds?: number; deviationMinutes: number },
): ReturnType<typeof tripFromRoute> {
  const route = {
    name: 'Route',
    points: points.map(([lon, lat], i) => ({
      name: `Stop ${i}`,
      type: { key: 'circle' as const },
      geometry: [[lon, lat]] as [number, number][],
      width,
    })),
  };
  const durationsSeconds = legs.map(({ durationSeconds }) => durationSeconds);
  return tripFromRoute(route, { dates: [DATE], times: { start: '08:00', durationsSeconds, ...more } });
}

/** The position at a share of a line's length. */
function along(line: readonly Position[], share: number): Position {
  let left = share * lengthMeters(line);
  for (let i = 1; i < line.length; i++) {
    const [[aLon, aLat], [bLon, bLat]] = [line[i - 1]!, line[i]!];
    const meters = lengthMeters([line[i - 1]!, line[i]!]);
    if (left <= meters && meters > 0) {
      const t = left / meters;
      return [aLon + t * (bLon - aLon), aLat + t * (bLat - aLat)];
    }
    left -= meters;
  }
  return line.at(-1)!;
}

/** Runs grouped by route and direction. A run is one GTFS trip of the day with a long enough line. */
function busRuns(day: string): Fix[][][] {
  const url = new URL(`../../shared/data/tracks/austin-bus/${day}.csv.gz`, import.meta.url);
  if (!existsSync(url)) return [];
  const runs = new Map<string, Map<string, Fix[]>>();
  for (const line of gunzipSync(readFileSync(url)).toString().split('\n').slice(1)) {
    const [vehicle, timestamp, , route, trip, lat, lon, headsign] = line.trim().split(',');
    if (headsign === undefined || trip === '') continue;
    const group = `${route} ${headsign}`;
    if (!runs.has(group)) runs.set(group, new Map());
    const own = runs.get(group)!;
    const key = `${trip} ${vehicle}`;
    if (!own.has(key)) own.set(key, []);
    own.get(key)!.push({ time: Date.parse(timestamp!), lon: Number(lon), lat: Number(lat) });
  }
  return [...runs.values()].map((group) => [...group.values()].map(moving).filter((run) => run.length >= 12));
}

/** The run without the time that the bus stood at its first terminus. */
function moving(fixes: readonly Fix[]): Fix[] {
  const track = readTrack(fixes);
  const all = Array.from(track.time, (time, i) => ({ time, lon: track.lon[i]!, lat: track.lat[i]! }));
  const first = all.findIndex(
    (fix, i) => i + 1 < all.length && lengthMeters([[fix.lon, fix.lat], [all[i + 1]!.lon, all[i + 1]!.lat]]) > 200, // biome-ignore format: a condition
  );
  return first < 0 ? [] : all.slice(first);
}

/** Uses the first run as the plan, cut into legs of equal length with the durations that it took, and scores the other runs. */
function busGroup(runs: readonly Fix[][], score: Score): void {
  const [template, ...others] = runs;
  if (template === undefined || others.length === 0) return;
  const line = template.map(({ lon, lat }): Position => [lon, lat]);
  const total = lengthMeters(line);
  if (total < 8000) return;
  const legs: PredictionLeg[] = [];
  let [geometry, walked, from]: [Position[], number, number] = [[line[0]!], 0, template[0]!.time];
  for (let i = 1; i < line.length; i++) {
    walked += lengthMeters([line[i - 1]!, line[i]!]);
    geometry.push(line[i]!);
    if (walked < ((legs.length + 1) * total) / (STOPS - 1) && i + 1 < line.length) continue;
    legs.push({ durationSeconds: (template[i]!.time - from) / 1000, geometry });
    [geometry, from] = [[line[i]!], template[i]!.time];
  }
  const points = [line[0]!, ...legs.map((leg) => leg.geometry.at(-1)!)];
  const trip = tripFrom(points, legs, 400, { deviationMinutes: 5 });
  const predict = predictByRoute(legs);
  for (const run of others) {
    // Shift the run so that it departs at the planned time.
    const shift = START - run[0]!.time;
    const day = readTrack(run.map((fix) => ({ ...fix, time: fix.time + shift })));
    const report = evaluateTrip(trip, DATE, day, { timeZone: 'UTC', serviceSeconds: 0, predict });
    const isWhole = report.points[0]!.arrivalStatus === 'on_time' && report.totals.passed > points.length / 2;
    if (isWhole) score.add(report, 5);
  }
}

export function foretoldBench(quick: boolean): string {
  const rows = [
    [0.15, 'a steady driver'],
    [0.4, 'an unsteady one'],
  ].map(([spread, name]) => {
    const score = new Score();
    for (let seed = 0; seed < (quick ? 20 : 300); seed++) generated(seed, Number(spread), score);
    return score.row(`generated, ${name}`);
  });
  for (const day of BUS_DAYS) {
    const score = new Score();
    for (const group of busRuns(day).slice(0, quick ? 10 : undefined)) busGroup(group, score);
    if (score.runs > 0) rows.push(score.row(`Austin buses, ${day}`));
  }
  return [
    '### Delays foretold by predictByRoute, two minutes of hold',
    '',
    '| | runs | late arrivals | foretold | ahead of plan + tolerance (10, 50, 90 of 100) | of those on time: foretold late | of all foretold: in vain |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
