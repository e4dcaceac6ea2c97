/** T50: the fixes of a run that is handed over from unit to unit, and the visits of these parts. Read from the text. */

import type { Track } from '../../../src/core/fix.js';
import type { Visit } from '../../../src/tracks/index.js';
import type { HandOver, SlowFix } from './slowModel.js';
import { cut, fixesOf } from './slowRun.js';

/** The track of the unit in charge from `at` on (null: from the beginning), with none of its other fixes. */
export interface HandedPart {
  readonly at: number | null;
  readonly track: Track;
}

/** T50: who takes over from whom. One to the unit in charge is none; of two at one instant the later one in the list holds. */
export function realHandOvers(
  given: readonly { readonly at: number; readonly unitId: string }[],
  unitId: string,
): HandOver[] {
  const found: HandOver[] = [];
  given.forEach(({ at, unitId: to }, k) => {
    if (given[k + 1]?.at === at) return;
    const from = found.at(-1)?.to ?? unitId;
    if (from !== to) found.push({ at, from, to });
  });
  return found;
}

/** Before each hand-over the fixes of the old unit, from it on those of the new one. */
export function partsOf(
  trackOf: (unitId: string) => Track,
  unitId: string,
  handOvers: readonly HandOver[],
): HandedPart[] {
  return [{ at: null, to: unitId }, ...handOvers].map(({ at, to }, k) => {
    const track = trackOf(to);
    const times = [...track.time];
    const end = handOvers[k]?.at ?? Number.POSITIVE_INFINITY;
    const first = times.filter((time) => at !== null && time < at).length;
    const length = times.filter((time) => time < end).length;
    const own = cut(track, Math.max(first, length), first);
    // No step leads to the first fix of a part.
    const blind = own.blind?.map((code, i) => (i === 0 && k > 0 ? 0 : code)) ?? null;
    return { at, track: { ...own, blind } };
  });
}

interface Known {
  readonly fixes: SlowFix[];
  /** The first fix after `now`, where it tells of the last one. */
  readonly next: SlowFix | null;
  readonly blindAfter: 'jammed' | 'frozen' | null;
  /** The hand-overs after the last fix. */
  readonly handed: number[];
}

export function partsUpTo(parts: readonly HandedPart[], now: number): Known {
  const fixes: SlowFix[] = [];
  let handed: number[] = [];
  for (const { at, track } of parts) {
    if (at !== null && at > now) break;
    if (at !== null && fixes.length > 0) handed.push(at);
    for (const fix of fixesOf(track).filter(({ time }) => time <= now)) {
      fixes.push(handed.length > 0 ? { ...fix, handed } : fix);
      handed = [];
    }
  }
  const k = parts.findLastIndex(({ at }) => at === null || at <= now);
  const inCharge = parts[k]!;
  const last = fixesOf(inCharge.track);
  const isKnown = k === 0 || last.some(({ time }) => time <= now);
  return {
    fixes,
    next: isKnown ? (last.find(({ time }) => time > now) ?? null) : null,
    // What follows is not known of a unit after the next hand-over.
    blindAfter: isKnown && k === parts.length - 1 ? inCharge.track.blindAfter : null,
    handed,
  };
}

/** T50: a visit that is open at a hand-over ends there, and goes on (from that time) if the first fix of the new unit is in the zone. */
export function visitsOfParts(
  parts: readonly HandedPart[],
  now: number,
  find: (track: Track) => readonly Visit[],
): Visit[] {
  const all: Visit[] = [];
  let lastFix: number | null = null;
  parts.forEach(({ at, track }, k) => {
    const length = [...track.time].filter((time) => time <= now).length;
    if (length === 0) return;
    const firstFix = track.time[0]!;
    const end = parts[k + 1]?.at ?? null;
    for (const visit of find(cut(track, length))) {
      let own = visit;
      if (lastFix !== null && at !== null && visit.enterBounds[0] === null && visit.enter === firstFix) {
        const goesOn = all.some(
          ({ zoneId, end: how, exit }) => zoneId === visit.zoneId && how === 'handed-over' && exit === at,
        );
        own = { ...own, enter: goesOn ? at : firstFix, enterBounds: [at, firstFix] };
      }
      if (own.exit === null && end !== null && end <= now)
        own = { ...own, end: 'handed-over', exit: end, exitBounds: [track.time[length - 1]!, end] };
      all.push(own);
    }
    lastFix = track.time[length - 1]!;
  });
  return all;
}
