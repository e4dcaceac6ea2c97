/**
 * The rules V7 to V16 for one zone, exact to the millisecond: the track is cut at gaps, each piece becomes a list of stretches inside and outside, and whole lists
 * become visits. Only distances and crossings come from the library.
 */

import type { Fix } from '../../../src/core/fix.js';
import type { Position } from '../../../src/core/geometry.js';
import { distanceMeters } from '../../../src/index.js';
import type { Visit } from '../../../src/tracks/visit.js';

export interface SlowZone {
  readonly id: string;
  readonly distanceMeters: (place: Position) => number;
  /** The fractions of a step that lie in the zone, in order. */
  readonly crossing: (a: Position, b: Position) => readonly { readonly from: number; readonly to: number }[];
}

export interface SlowZoneRules {
  readonly exitBufferMeters?: number | undefined;
  readonly accuracyCapMeters?: number | undefined;
  readonly minInsideSeconds?: number | undefined;
  readonly minOutsideSeconds?: number | undefined;
  readonly maxGapSeconds?: number | undefined;
  readonly maxGapMeters?: number | undefined;
  readonly parkedMeters?: number | undefined;
  readonly maxCrossedMeters?: number | undefined;
}

type FixTimes = readonly [number | null, number];

/** A stretch on one side of the boundary. */
interface Stretch {
  readonly isInside: boolean;
  from: number;
  to: number;
  /** The fixes around its ends. */
  fromBounds: FixTimes;
  toBounds: FixTimes;
  /** The times of its fixes. */
  readonly fixes: number[];
  isBeyond: boolean;
}

interface Piece {
  readonly stretches: readonly Stretch[];
  /** The first fix after the gap that ends it; null for the last piece. */
  readonly next: number | null;
}

type Blind = 'jammed' | 'frozen' | null;

/** `blind`: why the step that ends at each fix is blind; none is by default. */
export function slowZoneVisits(
  fixes: readonly Fix[],
  zone: SlowZone,
  rules: SlowZoneRules,
  blind: readonly Blind[] = [],
): Visit[] {
  const pieces = piecesOf(fixes, zone, rules, blind);
  return pieces.flatMap((piece) => judge(piece, zone.id, rules));
}

const placeOf = (fix: Fix): Position => [fix.lon, fix.lat];

function piecesOf(
  fixes: readonly Fix[],
  zone: SlowZone,
  rules: SlowZoneRules,
  blind: readonly Blind[],
): Piece[] {
  const { maxGapSeconds = 3600, maxGapMeters = Number.POSITIVE_INFINITY, parkedMeters = 200 } = rules;
  const pieces: { stretches: Stretch[]; next: number | null }[] = [];
  let stretches: Stretch[] = [];
  fixes.forEach((fix, i) => {
    const distance = zone.distanceMeters(placeOf(fix));
    const isInside = distance <= 0;
    const before = fixes[i - 1];
    let isResumed = false;
    if (before) {
      const meters = distanceMeters(placeOf(before), placeOf(fix));
      // V12: "A gap is a blind step, a step longer than ...".
      const isGap =
        (blind[i] ?? null) !== null ||
        fix.time - before.time > maxGapSeconds * 1000 ||
        meters > maxGapMeters ||
        Math.abs(before.lon - fix.lon) === 180;
      const wasInside = stretches.at(-1)?.isInside ?? false;
      // V15: "a gap whose two fixes lie in the zone within `parkedMeters` of each other is a sleep, unless its mileage grew by more than that".
      const driven =
        before.mileageMeters !== undefined && fix.mileageMeters !== undefined
          ? fix.mileageMeters - before.mileageMeters
          : (fix.mileageDeltaMeters ?? 0);
      const isAsleep = isGap && isInside && wasInside && meters <= parkedMeters && driven <= parkedMeters;
      if (isGap && !isAsleep) {
        pieces.push({ stretches, next: fix.time });
        stretches = [];
        isResumed = true;
      } else if (!isGap) {
        cross(stretches, before, fix, zone, meters < (rules.maxCrossedMeters ?? 5000));
      }
    }
    // "left when it exceeds `exitBufferMeters` (0) + min(accuracy of the fix outside, `accuracyCapMeters` (0))".
    const allowance =
      (rules.exitBufferMeters ?? 0) + Math.min(fix.accuracyMeters ?? 0, rules.accuracyCapMeters ?? 0);
    const last = sideAt(stretches, isInside, fix.time, [isResumed ? before!.time : null, fix.time]);
    last.to = fix.time;
    last.toBounds = [fix.time, fix.time];
    last.fixes.push(fix.time);
    last.isBeyond ||= !isInside && distance > allowance;
  });
  pieces.push({ stretches, next: null });
  return pieces;
}

/** The stretch for a side of the boundary: the last one if it is on the same side, else a new one. */
function sideAt(stretches: Stretch[], isInside: boolean, time: number, bounds: FixTimes): Stretch {
  const last = stretches.at(-1);
  if (last?.isInside === isInside) return last;
  const begun: Stretch = {
    isInside,
    from: time,
    to: time,
    fromBounds: bounds,
    toBounds: bounds,
    fixes: [],
    isBeyond: false,
  };
  stretches.push(begun);
  return begun;
}

/** The step from a fix to the next one, as stretches. */
function cross(stretches: Stretch[], a: Fix, b: Fix, zone: SlowZone, isShort: boolean): void {
  const bounds: FixTimes = [a.time, b.time];
  const startInside = stretches.at(-1)!.isInside;
  const endInside = zone.distanceMeters(placeOf(b)) <= 0;
  const all = zone.crossing(placeOf(a), placeOf(b));
  all.forEach(({ from, to }, k) => {
    const isFromStart = k === 0 && startInside && from === 0;
    const isToEnd = k === all.length - 1 && endInside && to === 1;
    // "A zone that lies between two fixes is a visit too, when the segment is ... shorter than `maxCrossedMeters`"; "A touch without a
    // fix is no visit".
    if (!isFromStart && !isToEnd && (!isShort || from === to)) return;
    const [enter, exit] = [from, to].map((f) => a.time + Math.round(f * (b.time - a.time))) as [
      number,
      number,
    ];
    if (!isFromStart) {
      closeAt(stretches, enter, bounds);
      sideAt(stretches, true, enter, bounds);
    }
    if (!isToEnd) {
      closeAt(stretches, exit, bounds);
      sideAt(stretches, false, exit, bounds);
    }
  });
}

function closeAt(stretches: readonly Stretch[], time: number, bounds: FixTimes): void {
  const last = stretches.at(-1)!;
  last.to = time;
  last.toBounds = bounds;
}

interface OpenVisit {
  enter: number;
  enterBounds: FixTimes;
  until: number;
  untilBounds: FixTimes;
  fixes: number[];
  isConfirmed: boolean;
}

function judge({ stretches, next }: Piece, zoneId: string, rules: SlowZoneRules): Visit[] {
  const { exitBufferMeters = 0, minInsideSeconds = 0, minOutsideSeconds = 0 } = rules;
  const visits: Visit[] = [];
  let visit: OpenVisit | null = null;
  const end = (
    { enter, enterBounds, fixes }: OpenVisit,
    how: Visit['end'],
    exit: number | null,
    exitBounds: Visit['exitBounds'],
  ): void => {
    const seen = fixes.length > 0 ? 'inside' : 'crossed';
    visits.push({ zoneId, seen, end: how, enter, exit, enterBounds, exitBounds, fixCount: fixes.length });
  };
  stretches.forEach((stretch, i) => {
    if (stretch.isInside) {
      visit ??= {
        enter: stretch.from,
        enterBounds: stretch.fromBounds,
        until: 0,
        untilBounds: stretch.toBounds,
        fixes: [],
        isConfirmed: false,
      };
      visit.until = stretch.to;
      visit.untilBounds = stretch.toBounds;
      visit.fixes.push(...stretch.fixes);
      visit.isConfirmed ||= stretch.to - visit.enter >= minInsideSeconds * 1000;
      return;
    }
    // "With `exitBufferMeters` 0 every stretch outside between two fixes that lasts `minOutsideSeconds` ends a visit, whatever its two
    // fixes; else none does".
    const isAway = stretch.fixes.length > 0 ? stretch.isBeyond : exitBufferMeters === 0;
    if (visit === null || !isAway) return;
    // "an exit unconfirmed at the end leaves the visit open, at a gap it stands".
    const isLast = i === stretches.length - 1;
    const isLeft = stretch.to - stretch.from >= minOutsideSeconds * 1000 || (isLast && next !== null);
    if (visit.isConfirmed && !isLeft) return;
    if (visit.isConfirmed) end(visit, 'left', visit.until, visit.untilBounds as [number, number]);
    visit = null;
  });
  const open = visit as OpenVisit | null;
  if (open?.isConfirmed) {
    // "the visit ends at its last fix inside, with `exitBounds` to the first fix after the gap".
    const last = open.fixes.at(-1) ?? open.until;
    if (next === null) end(open, 'open', null, null);
    // Without a fix inside, the visit ends where the unit crossed the boundary outwards.
    else end(open, 'gap', last, [open.fixes.length > 0 ? last : open.untilBounds![0]!, next]);
  }
  return visits;
}
