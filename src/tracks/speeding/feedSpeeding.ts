/** Feeds a unit's fixes to the speeding machine, each once its speed is judged. */

import { type BlindCode, SEEN } from '../blindStep.js';
import type { CleanFix } from '../fixReader.js';
import { UNKNOWN } from '../fixReader.js';
import type { LastZones } from '../ledger/stepZones.js';
import { GAP, type MeterState, SLEEP, type StepMeter } from '../meter/stepMeter.js';
import { mileageOf } from '../mileageColumn.js';
import { isContradicted, isDoubtful, REFERENCE_MS } from './judgeSpeeds.js';
import type { OpenSpeeding } from './speeding.js';
import type { SpeedingMachine } from './speedingMachine.js';

/** A fix of the current run between gaps, with the step to it. Plain JSON. */
interface SpeedFix {
  time: number;
  lon: number;
  lat: number;
  /** As reported, from its judgement on -1 where it is contradicted. */
  speedKph: number;
  /** Whether `speedKph` counts as it is. Else the positions before do not support it, and those after decide. */
  isJudged: boolean;
  /** The unit's own limit from this fix on, -1: none, null: `Infinity`. */
  limitKph: number | null;
  /** Metres of the step to the fix, and its distance by position over time. */
  meters: number;
  evenKph: number;
  /** Whether the unit slept before the fix: no speed was seen in that time. */
  isAfterSleep: boolean;
}

/** Speed evidence of the fixes of a unit. Plain JSON. */
export interface Driving {
  readonly meter: MeterState;
  /** The last fixes of the run: those of the last 10 s, the latest one before, and all that wait for evidence. */
  fixes: SpeedFix[];
  /** How many of `fixes` are judged, and their steps evaluated. */
  judgedCount: number;
  open: OpenSpeeding | null;
}

/** An independent copy. */
export function copyOfDriving({ meter, fixes, judgedCount, open }: Driving): Driving {
  return {
    meter: { ...meter },
    fixes: fixes.map((fix) => ({ ...fix })),
    judgedCount,
    open: open && { ...open, parts: open.parts.map((part) => ({ ...part })) },
  };
}

/** Inputs that all units share. */
export interface SpeedFeed {
  readonly machine: SpeedingMachine;
  /** Whether every speed is judged at once. */
  readonly trustSpeeds: boolean;
  /** Of the unit whose fix comes next. */
  zones: LastZones;
  /** A fix that was dropped, into which the next one is written: to allocate ten fields takes longer. */
  spare: SpeedFix | null;
}

/** Takes the unit's next fix. `unitKph` is its own limit from here on. */
export function feedSpeeding(
  feed: SpeedFeed,
  meter: StepMeter,
  unit: Driving,
  fix: CleanFix,
  blind: BlindCode,
  unitKph: number,
): void {
  const { time, lon, lat, speedKph, ignition } = fix;
  const mileage = mileageOf(meter.rules.mileage, fix);
  const hasStep = meter.next(unit.meter, time, lon, lat, speedKph, ignition, mileage, blind !== SEEN);
  if (hasStep && meter.kind === GAP) endRun(feed, unit, 'gap');
  const isFirst = unit.fixes.length === 0;
  const isDoubted = !feed.trustSpeeds && isDoubtful(speedKph) && !isSupported(unit.fixes, fix);
  const next = feed.spare ?? emptyFix();
  feed.spare = null;
  next.time = time;
  next.lon = lon;
  next.lat = lat;
  next.speedKph = speedKph;
  next.isJudged = !isDoubted;
  next.limitKph = unitKph === Number.POSITIVE_INFINITY ? null : unitKph;
  next.meters = isFirst ? 0 : meter.meters;
  next.evenKph = isFirst ? 0 : meter.evenKph;
  next.isAfterSleep = !isFirst && meter.kind === SLEEP;
  unit.fixes.push(next);
  evaluate(feed, unit);
  dropOld(feed, unit);
}

function emptyFix(): SpeedFix {
  return {
    time: 0,
    lon: 0,
    lat: 0,
    speedKph: UNKNOWN,
    isJudged: false,
    limitKph: null,
    meters: 0,
    evenKph: 0,
    isAfterSleep: false,
  };
}

/** Ends the run at its last fix, which becomes the evidence of the waiting runs. */
export function endRun(feed: SpeedFeed, unit: Driving, end: 'gap' | 'track'): void {
  const last = unit.fixes.at(-1);
  for (const [i, fix] of unit.fixes.entries()) {
    if (fix.isJudged) continue;
    // The last fix has no side after it. Alone in its run it has none, but no step either.
    judge(fix, fix !== last && !isContradicted(fix.speedKph, fix, referenceAfter(unit.fixes, i) ?? last!));
  }
  evaluate(feed, unit);
  unit.open = feed.machine.endRun(unit.open, end);
  unit.fixes = [];
  unit.judgedCount = 0;
}

/** Evaluates the steps whose fixes are judged, or can be. */
function evaluate({ machine, zones }: SpeedFeed, unit: Driving): void {
  const { fixes } = unit;
  for (; unit.judgedCount < fixes.length; unit.judgedCount++) {
    const i = unit.judgedCount;
    const fix = fixes[i]!;
    if (fix.isAfterSleep) unit.open = machine.endRun(unit.open, 'gap');
    if (!fix.isJudged) {
      const reference = referenceAfter(fixes, i);
      if (reference === null) return;
      judge(fix, !isContradicted(fix.speedKph, fix, reference));
    }
    if (i > 0 && !fix.isAfterSleep) step(machine, unit, zones, fixes[i - 1]!, fix);
  }
}

function step(machine: SpeedingMachine, unit: Driving, zones: LastZones, a: SpeedFix, b: SpeedFix): void {
  const isLinear = a.speedKph !== UNKNOWN && b.speedKph !== UNKNOWN;
  const startKph = isLinear ? a.speedKph : b.evenKph;
  const endKph = isLinear ? b.speedKph : b.evenKph;
  const unitKph = a.limitKph ?? Number.POSITIVE_INFINITY;
  if (machine.isBelow(startKph, endKph, unitKph)) {
    unit.open = machine.close(unit.open);
    return;
  }
  unit.open = machine.step(
    unit.open,
    {
      startTime: a.time,
      milliseconds: b.time - a.time,
      aLon: a.lon,
      aLat: a.lat,
      bLon: b.lon,
      bLat: b.lat,
      startKph,
      endKph,
      meters: b.meters,
      unitKph,
    },
    zones,
  );
}

function judge(fix: SpeedFix, isBelieved: boolean): void {
  fix.isJudged = true;
  if (!isBelieved) fix.speedKph = UNKNOWN;
}

/** Whether the positions before support a speed: the latest fix at least 10 s earlier, else the first of the run. */
function isSupported(fixes: readonly SpeedFix[], fix: CleanFix): boolean {
  if (fixes.length === 0) return false;
  let i = fixes.length - 1;
  while (i > 0 && fixes[i]!.time > fix.time - REFERENCE_MS) i--;
  return !isContradicted(fix.speedKph, fix, fixes[i]!);
}

/** The first fix at least 10 s later, or null. */
function referenceAfter(fixes: readonly SpeedFix[], i: number): SpeedFix | null {
  const from = fixes[i]!.time + REFERENCE_MS;
  if (fixes.at(-1)!.time < from) return null;
  return fixes.find(({ time }) => time >= from)!;
}

/** Drops what no later fix needs: not its start, not a reference, not evidence. */
function dropOld(feed: SpeedFeed, unit: Driving): void {
  const { fixes } = unit;
  const from = fixes.at(-1)!.time - REFERENCE_MS;
  let needed = 0;
  while (needed + 1 < unit.judgedCount && fixes[needed + 1]!.time <= from) needed++;
  // `splice` makes a list of what it removes.
  if (needed === 1) feed.spare = fixes.shift()!;
  else if (needed > 1) fixes.splice(0, needed);
  unit.judgedCount -= needed;
}
