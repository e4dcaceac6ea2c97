/**
 * A second implementation of trips, parkings and stops over whole lists: cut the track, label every fix, find the runs, relabel runs that are not trips,
 * repeat. It shares nothing with `src/tracks`, and measures by GeographicLib.
 */

import geographiclib from 'geographiclib-geodesic';
import type { Track } from '../../../src/core/fix.js';

export interface SlowSettings {
  readonly minparktime: number;
  readonly minmovespeed: number;
  readonly mintripdist: number;
  readonly mintriptime: number;
  readonly maxdistancemsg: number;
  readonly maxintervalmsg: number;
  readonly mileagecoeff: number;
  readonly ignition: boolean;
  readonly gpscorrect: boolean;
  /** null: any step longer than `maxdistancemsg` is a jump. */
  readonly maxJumpSpeedKph: number | null;
  readonly mileage:
    | 'mileage_GPS'
    | 'mileage_GPS_ignition'
    | 'mileage_mileage_sensor'
    | 'mileage_relative_mileage';
}

export interface SlowItem {
  readonly from: number;
  readonly to: number;
  readonly distanceMeters: number;
  readonly maxSpeedKph: number | null;
}

export interface SlowReport {
  readonly trips: SlowItem[];
  readonly parkings: SlowItem[];
  readonly stops: SlowItem[];
}

/** A run of fixes, first and last number included. */
type Run = readonly [first: number, last: number];

export function slowMovement(track: Track, settings: SlowSettings): SlowReport {
  const count = track.length;
  const time = (i: number): number => (track.time[i] as number) / 1000;
  const steps = Array.from({ length: count }, (_, i) => (i === 0 ? 0 : stepMeters(track, i)));
  const jumps = steps.map(
    (meters, i) =>
      i > 0 &&
      meters > settings.maxdistancemsg &&
      (settings.maxJumpSpeedKph === null ||
        (meters / (time(i) - time(i - 1))) * 3.6 > settings.maxJumpSpeedKph),
  );
  const speeds = steps.map((meters, i) => {
    const measured = track.speedKph?.[i] ?? -1;
    if (measured >= 0) return measured;
    return i === 0 || jumps[i] ? null : (meters / (time(i) - time(i - 1))) * 3.6;
  });
  const moves = speeds.map(
    (speed, i) =>
      speed !== null && speed >= settings.minmovespeed && !(settings.ignition && track.ignition?.[i] === 0),
  );
  const isCut = (i: number): boolean => {
    if (i === 0 || jumps[i]) return true;
    const isAsleep = !moves[i - 1] && !moves[i] && (steps[i] as number) <= 200;
    return time(i) - time(i - 1) > settings.maxintervalmsg && !isAsleep;
  };

  const item = ([first, last]: Run, isTrip: boolean): SlowItem => {
    let meters = 0;
    const counted = countedMeters(track, settings.mileage, steps, [first, last]);
    for (let i = first + 1; i <= last; i++) {
      const isDrift = settings.gpscorrect && (!isTrip || (!moves[i - 1] && !moves[i]));
      meters += isDrift ? 0 : (counted[i] as number);
    }
    const known = speeds.slice(first, last + 1).filter((speed) => speed !== null);
    return {
      from: track.time[first] as number,
      to: track.time[last] as number,
      distanceMeters: meters * settings.mileagecoeff,
      maxSpeedKph: known.length > 0 ? Math.max(...known) : null,
    };
  };
  const isLong = ([first, last]: Run): boolean => time(last) - time(first) >= settings.minparktime;

  const report: SlowReport = { trips: [], parkings: [], stops: [] };
  for (let first = 0; first < count; ) {
    let last = first;
    while (last + 1 < count && !isCut(last + 1)) last++;
    const labels = moves.slice();
    for (const trip of tripsIn([first, last], labels, isLong)) {
      const { from, to, distanceMeters } = item(trip, true);
      if ((to - from) / 1000 >= settings.mintriptime && distanceMeters >= settings.mintripdist) {
        report.trips.push(item(trip, true));
        const moving = runsOf(trip, moves, true);
        const inside: Run = [(moving[0] as Run)[1], (moving.at(-1) as Run)[0]];
        const stops = runsOf(inside, moves, false);
        report.stops.push(...stops.map((run) => item(run, false)));
      } else {
        labels.fill(false, trip[0], trip[1] + 1);
      }
    }
    report.parkings.push(
      ...runsOf([first, last], labels, false)
        .filter(isLong)
        .map((run) => item(run, false)),
    );
    first = last + 1;
  }
  return report;
}

/** The metres of each step of a run, by the setting that measures distances. Only fixes of the run are used. */
function countedMeters(
  track: Track,
  kind: SlowSettings['mileage'],
  steps: readonly number[],
  [first, last]: Run,
): number[] {
  const counted = [...steps];
  const measured = (column: Float64Array | null, i: number): number | null =>
    column === null || (column[i] as number) < 0 ? null : (column[i] as number);
  const reach = (i: number): number =>
    1000 + ((track.time[i] as number) - (track.time[i - 1] as number)) / 12;
  for (let i = first + 1; i <= last; i++) {
    if (kind === 'mileage_GPS_ignition' && track.ignition?.[i - 1] === 0) counted[i] = 0;
    if (kind === 'mileage_relative_mileage') {
      const growth = measured(track.mileageDeltaMeters, i);
      if (growth !== null && growth <= reach(i)) counted[i] = growth;
    }
    if (kind === 'mileage_mileage_sensor') {
      let base = i - 1;
      while (base > first && measured(track.mileageMeters, base) === null) base--;
      const [from, to] = [measured(track.mileageMeters, base), measured(track.mileageMeters, i)];
      if (from === null || to === null || to < from) continue;
      const between = counted.slice(base + 1, i).reduce((sum, meters) => sum + meters, 0);
      if (to - from - between <= reach(i)) counted[i] = Math.max(0, to - from - between);
    }
  }
  return counted;
}

/** The parts between the long rests of a piece: from the last fix at rest before to the first fix at rest after, if there is one. */
function tripsIn([first, last]: Run, moves: readonly boolean[], isLong: (run: Run) => boolean): Run[] {
  const parkings = runsOf([first, last], moves, false).filter(isLong);
  const edges = [first - 1, ...parkings.flat(), last + 1];
  const trips: Run[] = [];
  for (let k = 0; k < edges.length; k += 2) {
    const moving = runsOf([(edges[k] as number) + 1, (edges[k + 1] as number) - 1], moves, true);
    const [begin, end] = [moving[0]?.[0], moving.at(-1)?.[1]];
    if (begin === undefined || end === undefined) continue;
    trips.push([Math.max(first, begin - 1), Math.min(last, end + 1)]);
  }
  return trips;
}

/** The longest runs of one label. */
function runsOf([first, last]: Run, labels: readonly boolean[], label: boolean): Run[] {
  const runs: Run[] = [];
  for (let i = first; i <= last; i++) {
    if (labels[i] !== label) continue;
    let end = i;
    while (end + 1 <= last && labels[end + 1] === label) end++;
    runs.push([i, end]);
    i = end;
  }
  return runs;
}

const { WGS84 } = (
  geographiclib as unknown as {
    Geodesic: { WGS84: { Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { s12: number } } };
  }
).Geodesic;

function stepMeters({ lon, lat }: Track, i: number): number {
  return WGS84.Inverse(lat[i - 1] as number, lon[i - 1] as number, lat[i] as number, lon[i] as number).s12;
}
