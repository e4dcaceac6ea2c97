/** The fixes of a day, from its script. */

import type { Fix } from '../../../src/core/fix.js';
import { type Clock, positionOf, spotOf } from './dayPlan.js';

interface Spot {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly kph: number;
  readonly isOff: boolean;
}

const TIME = String.raw`(?:\+\d )?\d\d:\d\d(?::\d\d)?\*?`;
const STAND = new RegExp(`^(stand|park|sleep|drift) until (${TIME})(?: by (\\d+) m)?$`);
const DRIVE = new RegExp(`^drive to (\\S+) by (${TIME})$`);
const PERIOD = new RegExp(`^(lose|jam|frozen) (${TIME})-(${TIME})$`);
const BEGIN = new RegExp(`^(${TIME}) at (\\S+)$`);

export function fixesOfScript(lines: readonly string[], clock: Clock): Fix[] {
  let every = 60_000;
  const spots: Spot[] = [];
  const last = (): Spot => spots.at(-1)!;
  for (const line of lines) {
    const seconds = /^every (\d+) s$/.exec(line);
    const begin = BEGIN.exec(line);
    const stand = STAND.exec(line);
    const drive = DRIVE.exec(line);
    if (seconds) every = Number(seconds[1]) * 1000;
    else if (begin) spots.push({ time: clock(begin[1]!), ...spotOf(begin[2]!), kph: 0, isOff: false });
    else if (stand)
      spots.push(...standing(last(), clock(stand[2]!), stand[1]!, Number(stand[3] ?? 0), every));
    else if (drive) {
      const there = driving(last(), spotOf(drive[1]!), clock(drive[2]!), every);
      // A place that was only stopped at for no time was passed at speed.
      if (last().kph === 0 && spots.length > 1 && spots.at(-2)!.kph > 0)
        spots.push({ ...spots.pop()!, kph: spots.at(-1)!.kph });
      spots.push(...there);
    } else if (!PERIOD.test(line) && !['no speeds', 'with ignition'].includes(line))
      throw new Error(`no line of a script: ${line}`);
  }
  return spoiled(lines, clock, spots).map(({ time, kph, isOff, ...spot }) => {
    const [lon, lat] = positionOf(spot);
    return {
      time,
      lon,
      lat,
      ...(lines.includes('no speeds') ? {} : { speedKph: Math.round(kph) }),
      ...(lines.includes('with ignition') ? { ignition: !isOff } : {}),
    };
  });
}

/** The times after `from` at which the unit reports, up to `to`. */
function timesBetween(from: number, to: number, every: number): number[] {
  const times: number[] = [];
  for (let time = from + every; time < to; time += every) times.push(time);
  if (to <= from) throw new Error(`the script goes back in time at ${new Date(to).toISOString()}`);
  return [...times, to];
}

function standing(at: Spot, until: number, how: string, meters: number, every: number): Spot[] {
  const times = how === 'sleep' ? [until] : timesBetween(at.time, until, every);
  const sway = [0, 1, 0.5, -1, 0.2, -0.6];
  return times.map((time, k) => ({
    time,
    x: at.x + (time === until ? 0 : meters * sway[k % sway.length]!),
    y: at.y,
    kph: 0,
    isOff: how === 'park' || how === 'sleep',
  }));
}

function driving(from: Spot, to: { x: number; y: number }, by: number, every: number): Spot[] {
  const meters = Math.hypot(to.x - from.x, to.y - from.y);
  const kph = (meters / ((by - from.time) / 1000)) * 3.6;
  return timesBetween(from.time, by, every).map((time) => {
    const share = (time - from.time) / (by - from.time);
    const x = from.x + share * (to.x - from.x);
    const y = from.y + share * (to.y - from.y);
    return { time, x, y, kph: time === by ? 0 : kph, isOff: false };
  });
}

/** Applies `lose`, `jam` and `frozen`. */
function spoiled(lines: readonly string[], clock: Clock, spots: readonly Spot[]): Spot[] {
  let all = [...spots];
  for (const line of lines) {
    const period = PERIOD.exec(line);
    if (!period) continue;
    const [from, to] = [clock(period[2]!), clock(period[3]!)];
    const isIn = ({ time }: Spot): boolean => time > from && time < to;
    if (period[1] === 'lose') all = all.filter((spot) => !isIn(spot));
    else if (period[1] === 'jam')
      all = all.map((spot) =>
        spot.time >= from && spot.time <= to ? { ...spot, x: spot.x + 560_000, y: -600_000 } : spot,
      );
    else {
      const kept = all.findLast(({ time }) => time <= from)!;
      all = all.map((spot) =>
        spot.time > from && spot.time <= to ? { ...spot, x: kept.x, y: kept.y } : spot,
      );
    }
  }
  return all;
}
