/** Speeding by FEATURES.md section 2: every step cut at all borders and thresholds, each piece judged at its middle. */

import type { Track } from '../../../src/core/fix.js';
import type { ZoneShape } from '../../../src/core/wire.js';
import { distanceMeters, type ZoneIndex, zoneContains } from '../../../src/index.js';
import type { LimitPlace, Speeding, SpeedingPart } from '../../../src/tracks/index.js';
import { type SlowStep, slowSteps } from './slowMeter.js';

export interface SlowOptions {
  readonly limitKph?: number;
  readonly settings?: object;
  readonly rows: readonly (ZoneShape & { readonly id: string })[];
  readonly index: ZoneIndex;
  readonly zoneLimits: Readonly<Record<string, number>>;
  readonly overlap: 'lowest' | 'highest';
  readonly combine: 'zone' | 'lowest';
  readonly limitOf?: (at: LimitPlace) => number | null;
  readonly toleranceKph: number;
  readonly minSeconds: number;
  readonly trustSpeeds: boolean;
}

interface Piece {
  readonly step: SlowStep;
  readonly from: number;
  readonly to: number;
  readonly limit: { readonly kph: number; readonly zoneId: string | null } | null;
  readonly isOver: boolean;
}

/** Rule 5. */
export function slowJudged(t: Track, steps: readonly SlowStep[]): (number | null)[] {
  return Array.from({ length: t.length }, (_, i) => {
    const speed = t.speedKph?.[i] ?? -1;
    if (speed < 0) return null;
    let [first, last] = [i, i];
    while (first > 0 && steps[first - 1]!.kind !== 'gap') first--;
    while (last < t.length - 1 && steps[last]!.kind !== 'gap') last++;
    const contradicts = (j: number): boolean => {
      const [s, seconds] = [speed / 3.6, Math.abs(t.time[i]! - t.time[j]!) / 1000];
      const least = s <= 4 * seconds ? (s * s) / 8 : s * seconds - 2 * seconds * seconds;
      return distanceMeters([t.lon[i]!, t.lat[i]!], [t.lon[j]!, t.lat[j]!]) + 30 < least;
    };
    const sides: boolean[] = [];
    if (first < i) {
      let j = i - 1;
      while (j > first && t.time[i]! - t.time[j]! < 10_000) j--;
      sides.push(contradicts(j));
    }
    if (last > i) {
      let j = i + 1;
      while (j < last && t.time[j]! - t.time[i]! < 10_000) j++;
      sides.push(contradicts(j));
    }
    return sides.length > 0 && sides.every(Boolean) ? null : speed;
  });
}

export function slowSpeeding(t: Track, gaps: object, options: SlowOptions): Speeding[] {
  const { rows, index, zoneLimits, toleranceKph } = options;
  const steps = slowSteps(t, (options.settings ?? {}) as never, gaps, null);
  const judged = options.trustSpeeds
    ? Array.from({ length: t.length }, (_, i) => ((t.speedKph?.[i] ?? -1) < 0 ? null : t.speedKph![i]!))
    : slowJudged(t, steps);
  const found: Speeding[] = [];
  let run: Piece[] = [];

  const placeOf = (i: number, fraction: number): [number, number] => {
    const lonStep = ((t.lon[i + 1]! - t.lon[i]! + 540) % 360) - 180;
    return [t.lon[i]! + lonStep * fraction, t.lat[i]! + (t.lat[i + 1]! - t.lat[i]!) * fraction];
  };
  const limitAt = (step: SlowStep, from: number, to: number): Piece['limit'] => {
    const inside = rows.filter((zone) => zoneContains(zone, placeOf(step.i, (from + to) / 2)));
    const limits = inside.filter(({ id }) => id in zoneLimits).map(({ id }) => zoneLimits[id]!);
    const kph = options.overlap === 'lowest' ? Math.min(...limits) : Math.max(...limits);
    const zoneId = limits.length === 0 ? null : inside.find(({ id }) => zoneLimits[id] === kph)!.id;
    const own = options.limitKph;
    let limit: Piece['limit'] = zoneId === null ? null : { kph, zoneId };
    if (own !== undefined && (limit === null || (options.combine === 'lowest' && own < limit.kph)))
      limit = { kph: own, zoneId: null };
    if (!options.limitOf) return limit;
    const [lon, lat] = placeOf(step.i, from);
    const time = step.from + Math.round(from * (step.to - step.from));
    const answer = options.limitOf({
      time,
      position: [lon, lat],
      zoneIds: inside.map(({ id }) => id),
      limitKph: limit?.kph ?? null,
    });
    return answer === null ? null : { kph: answer, zoneId: null };
  };
  const speedOf = (step: SlowStep, fraction: number): number => {
    const [a, b] = [judged[step.i]!, judged[step.i + 1]!];
    if (a !== null && b !== null) return a + (b - a) * fraction;
    return (distanceMeters(placeOf(step.i, 0), placeOf(step.i, 1)) * 3600) / (step.to - step.from);
  };

  const endRun = (end: 'gap' | 'track'): void => {
    for (let i = 0; i < run.length; ) {
      const from = i;
      while (i < run.length && run[i]!.isOver) i++;
      if (i === from) {
        i++;
        continue;
      }
      const over = run.slice(from, i);
      const pieces: SpeedingPart[] = [];
      for (const { step, from: low, to: high, limit } of over) {
        const milliseconds = step.to - step.from;
        const [start, stop] = [Math.round(low * milliseconds), Math.round(high * milliseconds)];
        const maxKph = Math.max(speedOf(step, low), speedOf(step, high));
        const meters = (step.meters * (stop - start)) / milliseconds;
        pieces.push({
          from: step.from + start,
          to: step.from + stop,
          limitKph: limit!.kph,
          zoneId: limit!.zoneId,
          maxKph,
          distanceMeters: meters,
        });
      }
      // A part without a whole millisecond is none.
      const parts = joined(joined(pieces).filter((part) => part.from < part.to));
      const lastPiece = over.at(-1)!;
      const isCut = i === run.length && speedOf(lastPiece.step, 1) > lastPiece.limit!.kph + toleranceKph;
      if (parts.length === 0) continue;
      const durationSeconds = (parts.at(-1)!.to - parts[0]!.from) / 1000;
      if (durationSeconds < options.minSeconds) continue;
      found.push({
        from: parts[0]!.from,
        to: parts.at(-1)!.to,
        maxKph: Math.max(...parts.map(({ maxKph }) => maxKph)),
        maxOverKph: Math.max(...parts.map(({ maxKph, limitKph }) => maxKph - limitKph)),
        distanceMeters: parts.reduce((sum, part) => sum + part.distanceMeters, 0),
        durationSeconds,
        end: isCut ? end : 'below',
        parts,
      });
    }
    run = [];
  };

  for (const step of steps) {
    if (step.kind === 'gap' || step.isSleep) {
      endRun('gap');
      continue;
    }
    const { i } = step;
    const borders = index
      .crossing([t.lon[i]!, t.lat[i]!], [t.lon[i + 1]!, t.lat[i + 1]!])
      .filter(({ from, to }) => (to - from) * (step.to - step.from) > 1e-3)
      .flatMap(({ from, to }) => [from, to]);
    const cuts = [0, 1, ...borders].sort((a, b) => a - b);
    const apart = cuts.filter((cut, k) => k === 0 || (cut - cuts[k - 1]!) * (step.to - step.from) > 1e-3);
    if (apart.at(-1) !== 1) apart[apart.length - 1] = 1;
    for (let k = 0; k + 1 < apart.length; k++) {
      const [from, to] = [apart[k]!, apart[k + 1]!];
      const limit = limitAt(step, from, to);
      const [a, b] = [speedOf(step, 0), speedOf(step, 1)];
      const threshold = limit === null ? Number.POSITIVE_INFINITY : limit.kph + toleranceKph;
      const crossing = (threshold - a) / (b - a);
      const inner = crossing > from && crossing < to ? [from, crossing, to] : [from, to];
      for (let n = 0; n + 1 < inner.length; n++) {
        const isOver = speedOf(step, (inner[n]! + inner[n + 1]!) / 2) > threshold;
        run.push({ step, from: inner[n]!, to: inner[n + 1]!, limit, isOver });
      }
    }
  }
  endRun('track');
  return found;
}

function joined(pieces: readonly SpeedingPart[]): SpeedingPart[] {
  const parts: SpeedingPart[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last?.limitKph !== piece.limitKph || last.zoneId !== piece.zoneId) parts.push(piece);
    else
      parts[parts.length - 1] = {
        ...last,
        to: piece.to,
        maxKph: Math.max(last.maxKph, piece.maxKph),
        distanceMeters: last.distanceMeters + piece.distanceMeters,
      };
  }
  return parts;
}
