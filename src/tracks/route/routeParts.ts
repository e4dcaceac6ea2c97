/** Cuts a route into parts, each driven, skipped or not reached yet. */

import type { MatchedLeg, Skip } from './legMachine.js';

/** A stretch of the route. */
export interface RoutePart {
  /** Metres along the route. */
  readonly fromMeters: number;
  /** Metres along the route. */
  readonly toMeters: number;
  /**
   * `covered`: a leg covers the part. `no_data`: the unit skipped the part, but could have driven it unseen. `missed`: the unit skipped the
   * part. `ahead`: the part is beyond the greatest place reached.
   */
  readonly status: 'covered' | 'no_data' | 'missed' | 'ahead';
  /** Number of legs over the part, in either direction. */
  readonly passes: number;
}

/** A shorter stretch is a rounding of places that are one, metres. */
const LEAST_METERS = 1e-6;

/** The place within the route; one that is an end of it but for rounding is that end. */
function atEnd(at: number, lengthMeters: number): number {
  if (at < LEAST_METERS) return 0;
  return lengthMeters - at < LEAST_METERS ? lengthMeters : at;
}

/** The partition of `[0, lengthMeters]`. `reached` is the greatest place; -1 without a fix on the route. */
export function partsOf(
  lengthMeters: number,
  legs: readonly MatchedLeg[],
  skips: readonly Skip[],
  reached: number,
  halfWidth: number,
): RoutePart[] {
  const ahead = atEnd(Math.max(reached, 0), lengthMeters);
  const parts: RoutePart[] = [];
  for (const { from, to, legCount, unseen } of cuts(lengthMeters, legs, skips, ahead)) {
    const status =
      legCount > 0 ? 'covered' : from > ahead - LEAST_METERS ? 'ahead' : unseen > 0 ? 'no_data' : 'missed';
    parts.push({ fromMeters: from, toMeters: to, status, passes: legCount });
  }
  const joined = join(parts);
  return join(joined.map((part, i) => withoutNoise(part, joined[i - 1], joined[i + 1], halfWidth)));
}

/** The share of the route that is covered. */
export function coveredShare(parts: readonly RoutePart[], lengthMeters: number): number {
  let meters = 0;
  for (const { status, fromMeters, toMeters } of parts) {
    if (status === 'covered') meters += toMeters - fromMeters;
  }
  return Math.min(1, meters / lengthMeters);
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly legCount: number;
  readonly unseen: number;
}

/** The stretches between neighbouring ends, with how many legs and skips run over each. */
function* cuts(
  lengthMeters: number,
  legs: readonly MatchedLeg[],
  skips: readonly Skip[],
  ahead: number,
): Generator<Cut> {
  const ends: { at: number; leg: number; unseen: number }[] = [];
  const add = (at: number, leg: number, unseen: number): void => {
    ends.push({ at: atEnd(at, lengthMeters), leg, unseen });
  };
  for (const { fromMeters, toMeters } of legs) {
    add(Math.min(fromMeters, toMeters), 1, 0);
    add(Math.max(fromMeters, toMeters), -1, 0);
  }
  for (const { fromMeters, toMeters, isUnseen } of skips) {
    add(fromMeters, 0, isUnseen ? 1 : 0);
    add(toMeters, 0, isUnseen ? -1 : 0);
  }
  add(ahead, 0, 0);
  add(lengthMeters, 0, 0);
  ends.sort((a, b) => a.at - b.at);
  let [from, legCount, unseen] = [0, 0, 0];
  for (const end of ends) {
    if (end.at - from > LEAST_METERS) {
      yield { from, to: end.at, legCount, unseen };
      from = end.at;
    }
    legCount += end.leg;
    unseen += end.unseen;
  }
}

/** An uncovered part of at most half the width beside a covered one counts as covered. */
function withoutNoise(
  part: RoutePart,
  before: RoutePart | undefined,
  after: RoutePart | undefined,
  halfWidth: number,
): RoutePart {
  if (part.status === 'covered' || part.toMeters - part.fromMeters > halfWidth) return part;
  const passes = [before, after].flatMap((other) => (other?.status === 'covered' ? [other.passes] : []));
  return passes.length === 0 ? part : { ...part, status: 'covered', passes: Math.min(...passes) };
}

/** Joins neighbours of one status and number of passes. */
function join(parts: readonly RoutePart[]): RoutePart[] {
  const joined: RoutePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.status === part.status && last.passes === part.passes) {
      joined[joined.length - 1] = { ...last, toMeters: part.toMeters };
    } else {
      joined.push(part);
    }
  }
  return joined;
}
