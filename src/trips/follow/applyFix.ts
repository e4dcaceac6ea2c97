/** Follows a run through its fixes and changes: what batch evaluation and the tracker share. */

import type { BlindReason, Track } from '../../core/fix.js';
import { firstWhere } from '../../core/numbers.js';
import { blindStep, blindWord, SEEN } from '../../tracks/blindStep.js';
import type { CleanFix } from '../../tracks/fixReader.js';
import { evaluateRun } from '../judge/evaluateRun.js';
import { fixAt, knownBy } from '../seen/readObservations.js';
import type { Next } from '../seen/stepKind.js';
import { excusesOf, handedOn, type TripHandedOver } from '../terms/readChanges.js';
import type { TripChange } from '../terms/tripChange.js';
import type { TripReport } from '../terms/tripReport.js';
import { amendJournal } from './amendJournal.js';
import { changedRun, type Followed, type RunChanges } from './amendments.js';

/** Applies the next fix of the unit, after the changes before it. Nothing counts any more after a cancellation. */
export function applyFix(followed: Followed, fix: CleanFix, blind: number, by: RunChanges): void {
  const { journal, unit } = followed;
  const handed = handedOn(by.handOvers, journal.last?.time, fix.time);
  // The first fix of another unit confirms nothing about the last one of the unit before it.
  const next = handed === null ? { fix, blind: blindWord(blind) } : noNext(null);
  applyChanges(followed, fix.time - 1, next, by);
  if (journal.isClosed) return;
  if (handed === null) journal.apply(unit, fix, blind);
  else {
    // From its time on the fixes of the new unit count, also one at that time.
    journal.handOver(unit, handed[0]);
    journal.takeOver(unit, fix, handed);
  }
  followed.predictions?.note(knownBy(journal, unit, journal.run, null, fix.time), fix);
}

/** Applies the changes up to a time that are not applied yet. `next`: what is known after the last fix. */
export function applyChanges(followed: Followed, time: number, next: Next, by: RunChanges): void {
  const { journal } = followed;
  let [amended, cancels] = [0, 0];
  for (let i = 0; i < by.changes.length && !journal.isClosed; i++) {
    const change = by.changes[i]!;
    if (change.at > time) return;
    if (change.type === 'handOver') handOver(followed, change.at, by);
    if (change.type === 'amend' && ++amended > journal.settlements.length)
      amendJournal(followed, change, by.changes.slice(0, i), next, by.amendments);
    if (change.type === 'cancel' && ++cancels > journal.cancelsPassed) {
      const report = reportAt(followed, by.changes.slice(0, i), change.at, next, true);
      if (report.status === 'cancelled') {
        journal.isClosed = true;
        journal.closedNext = kept(next);
      } else journal.cancelsPassed++;
    }
  }
}

/** A copy: the fix may be the object of a reader, which is used again. */
function kept({ fix, blind }: Next): Next {
  if (fix === null) return { fix, blind };
  const { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters } = fix;
  return { fix: { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters }, blind };
}

/** Ends the visits of the unit in charge, if another takes over at a time and none of its fixes was applied. */
function handOver({ journal, unit }: Followed, at: number, { handOvers }: RunChanges): void {
  const last = journal.last?.time;
  if (last !== undefined && last < at && handOvers.some((own) => own.at === at)) journal.handOver(unit, at);
}

/** Whether a change up to a time is not applied yet. */
export function hasChanges({ journal }: Followed, time: number, { changes, handOvers }: RunChanges): boolean {
  if (journal.isClosed || changes.length === 0) return false;
  if (handedOn(handOvers, journal.last?.time, time) !== null) return true;
  let pending = -journal.settlements.length - journal.cancelsPassed;
  for (const { type, at } of changes) if (at <= time && (type === 'amend' || type === 'cancel')) pending++;
  return pending > 0;
}

/** The report at a time with its forecasts, when all changes up to it are applied. Of a cancelled run it is that at the cancellation. */
export function reportOf(followed: Followed, now: number, next: Next, by: RunChanges): TripReport {
  const { journal, predictions } = followed;
  let [time, changes, known] = [now, by.changes.filter(({ at }) => at <= now), next];
  if (journal.isClosed) {
    const cancelled = by.changes.filter(({ type }) => type === 'cancel')[journal.cancelsPassed]!;
    time = cancelled.at;
    changes = by.changes.slice(0, by.changes.indexOf(cancelled));
    known = journal.closedNext ?? next;
  }
  const report = reportAt(followed, changes, time, known, journal.isClosed);
  if (predictions === null) return report;
  return predictions.addTo(report, time, excusesOf(changes, journal.run.basePoints).excusedSince);
}

function reportAt(
  { journal, unit }: Followed,
  changes: readonly TripChange[],
  now: number,
  next: Next,
  isCancelled: boolean,
): TripReport {
  const run = changedRun(journal, changes);
  const own = isCancelled ? { ...run, cancelledAt: now } : run;
  return evaluateRun(own, knownBy(journal, unit, own, next, now), now);
}

/** Why the way after the last fix is blind, where no fix is known after it. */
export function noNext(blind: BlindReason | null): Next {
  return { fix: null, blind };
}

/** A fix, and the entry of `Track.blind` of the step to it. */
interface CountedFix {
  readonly fix: CleanFix;
  readonly blind: number;
}

/**
 * The fixes up to `now` in order of time, and what is known after the last one. `unitId`: the unit before all hand-overs, which are not after `now`.
 * No fix after `last` is looked at.
 */
export function countedFixes(
  trackOf: (unitId: string | null) => Track | null,
  unitId: string | null,
  handOvers: readonly TripHandedOver[],
  now: number,
  last: number,
): { readonly fixes: Iterable<CountedFix>; readonly next: Next } {
  const parts = [{ at: Number.NEGATIVE_INFINITY, to: unitId }, ...handOvers].map(({ at, to }, i) => {
    const track = trackOf(to);
    const end = handOvers[i]?.at;
    const first = track === null ? 0 : firstWhere(0, track.length, (n) => track.time[n]! >= at);
    const isOver = (time: number): boolean => time > last || (end === undefined ? time > now : time >= end);
    const count = track === null ? 0 : firstWhere(first, track.length, (n) => isOver(track.time[n]!));
    return { track, first, count };
  });
  const { track, first, count } = parts.at(-1)!;
  // Before the first fix of another unit nothing is known of it.
  const isKnown = track !== null && (first < count || parts.length === 1);
  return { fixes: fixesOf(parts), next: isKnown ? nextAt(track, count, last) : noNext(null) };
}

interface Part {
  readonly track: Track | null;
  readonly first: number;
  readonly count: number;
}

function* fixesOf(parts: readonly Part[]): Generator<CountedFix> {
  for (const [k, { track, first, count }] of parts.entries())
    for (let i = first; i < count; i++) {
      // A blind step before the first fix of another unit says nothing about it.
      yield { fix: fixAt(track!, i), blind: k > 0 && i === first ? SEEN : blindStep(track!, i) };
    }
}

function nextAt(track: Track, count: number, last: number): Next {
  if (count === track.length) return noNext(track.blindAfter ?? null);
  if (track.time[count]! > last) return noNext(null);
  return { fix: fixAt(track, count), blind: blindWord(blindStep(track, count)) };
}
