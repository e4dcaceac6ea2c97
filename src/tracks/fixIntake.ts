/** The intake of a unit's messages: sorts them by time up to the watermark, drops duplicates, and reads the rest by `fixFilter.ts`. */

import type { RejectReason } from '../core/errorCode.js';
import type { Issue } from '../core/fix.js';
import { guarded, MAX_TIME } from '../core/input.js';
import type { BlindCode } from './blindStep.js';
import {
  emptyFilter,
  endFilter,
  type FilterSink,
  type FixFilter,
  filterFirst,
  filterNext,
  LEFT_OUT,
} from './fixFilter.js';
import {
  type CleanFix,
  copyOfClean,
  FixReader,
  type FixRules,
  UNKNOWN,
  UNKNOWN_IGNITION,
} from './fixReader.js';
import {
  aheadFault,
  type Examples,
  type Fault,
  futureFault,
  issuesOf,
  mergeExamples,
  neighbourFault,
  noteFault,
  REJECT_REASONS,
} from './rejection.js';
import { Suspects } from './suspects.js';
import { WaitingFixes } from './waitingFixes.js';

/** Before all times. A finite number, since states are plain JSON. */
export const BEFORE_ALL: number = -MAX_TIME - 1;

/** The state of one unit's intake. */
export interface Intake extends FixFilter<CleanFix> {
  /** Fixes before this time are late; `BEFORE_ALL`: none are. */
  watermark: number;
  /** Time of the last fix that left the buffer, applied or not; `BEFORE_ALL` before the first. */
  released: number;
  /** A fix far later than the last one, without a time of receipt. It waits until the next fix or the clock confirms its time. */
  ahead: CleanFix | null;
  /** The buffer; `null` when empty. */
  pending: WaitingFixes | null;
  in: number;
  duplicate: number;
  late: number;
  rejected: Partial<Record<RejectReason, number>> | null;
  /** An example of each reason; replaced, never changed. */
  examples: Examples | null;
}

/** Counts of messages by outcome. Always `in` = applied + duplicate + rejected + late + pending. */
export interface StreamCounts {
  /** Fixes received. */
  readonly in: number;
  /** Fixes used. */
  readonly applied: number;
  /** Fixes dropped because another fix has the same time. */
  readonly duplicate: number;
  /** Fixes left out; `reasons` has the count of each reason. */
  readonly rejected: number;
  /** Fixes older than the unit's watermark. */
  readonly late: number;
  /** Number of waiting fixes: fixes after the watermark, suspects of a jam, and a last fix too far in the future. */
  readonly pending: number;
  /** Number of rejected fixes by reason. */
  readonly reasons: Readonly<Partial<Record<RejectReason, number>>>;
}

export interface IntakeRules {
  readonly fixRules: FixRules;
  readonly latenessMs: number;
  readonly maxFutureMs: number;
  readonly maxAheadMs: number;
}

/** A fix confirms the time of a waiting fix if it is at most this much earlier. */
const CONFIRM_MS = 3_600_000;

/** By `Object.assign`, as with all units: V8 adds many fields after a spread some 40 times more slowly. */
export function emptyIntake(watermark: number): Intake {
  return Object.assign(emptyFilter(), {
    watermark: Math.max(watermark, BEFORE_ALL),
    released: BEFORE_ALL,
    ahead: null,
    pending: null,
    in: 0,
    duplicate: 0,
    late: 0,
    rejected: null,
    examples: null,
  });
}

/** Callbacks of a tracker for the fixes of a unit. */
export interface FixConsumer<State> {
  /** Processes the next good fix. The state's last good fix is still the one before. `blind`: why the step between them is blind. */
  apply(state: State, fix: CleanFix, blind: BlindCode): void;
  /**
   * Takes back the last `state.repeats` applied fixes, which repeat the place of the one at `state.placeTime` to the bit: they were frozen.
   * The next call is `apply`, with a blind step.
   */
  takeBack(state: State): void;
  /** Why a fix is not one of the consumer's; `null` if it is. Default: every fix is. */
  faultOf?(message: object, time: number): Refusal | null;
  /** Whether another unit's fixes begin after `released` and not after `time`. Default: never. */
  changesUnit?(released: number, time: number): boolean;
  /**
   * A fix was added to the waiting ones, or replaced the fix of its time. With this method the watermark releases no fix: the consumer calls
   * `releaseWaiting` and `read`.
   */
  waits?(state: State, fix: CleanFix): void;
}

/** Why a consumer refuses a fix. */
export interface Refusal {
  readonly reason: RejectReason;
  readonly fault: Fault;
}

/** Passes good fixes to a consumer in order of time. */
export class FixIntake<State extends Intake> {
  readonly #reader: FixReader;
  readonly #rules: IntakeRules;
  readonly #sink: FilterSink<State, CleanFix>;
  readonly #consumer: FixConsumer<State>;

  constructor(rules: IntakeRules, consumer: FixConsumer<State>) {
    this.#reader = new FixReader(rules.fixRules);
    this.#rules = rules;
    this.#consumer = consumer;
    const { maxSpeedKph } = rules.fixRules;
    this.#sink = {
      keep: (state, fix, blind) => consumer.apply(state, fix, blind),
      leaveOut: (state, fix, reason) => reject(state, reason, neighbourFault(reason, fix, maxSpeedKph)),
      takeBack: (state) => {
        consumer.takeBack(state);
        reject(state, 'frozen', neighbourFault('frozen', state, maxSpeedKph), state.repeats);
      },
      copy: copyOfClean,
    };
  }

  /** Processes a message received at `receivedAt` (-Infinity: unknown). */
  push(state: State, message: unknown, receivedAt: number): void {
    const reader = this.#reader;
    const reason = this.#read(message);
    state.in++;
    const refusal = reason === null ? this.#refusalOf(message) : null;
    if (reason !== null) {
      reject(state, reason, reader.fault);
    } else if (refusal !== null) {
      reject(state, refusal.reason, refusal.fault);
    } else if (receivedAt > Number.NEGATIVE_INFINITY && reader.time > receivedAt + this.#rules.maxFutureMs) {
      reject(state, 'time-implausible', futureFault(reader.time, receivedAt, this.#rules.maxFutureMs));
    } else {
      if (state.ahead !== null) this.#settle(state, state.ahead, reader.time);
      if (receivedAt === Number.NEGATIVE_INFINITY && reader.time - latestOf(state) > this.#rules.maxAheadMs) {
        state.ahead = copyOfClean(reader);
      } else {
        this.#take(state, reader);
      }
    }
  }

  /** Advances the clock to `time`: decides about a fix far ahead, and raises the watermark. */
  advance(state: State, time: number): void {
    if (state.ahead !== null) this.#settle(state, state.ahead, time);
    this.raise(state, time - this.#rules.latenessMs);
  }

  /** Reads the next fix in order of time, which does not wait, or no longer. */
  read(state: State, fix: CleanFix): void {
    const isOther = this.#consumer.changesUnit?.(state.released, fix.time) === true;
    state.released = fix.time;
    if (isOther) filterFirst(state, fix, this.#sink);
    else filterNext(state, fix, this.#rules.fixRules, this.#sink);
  }

  /** Accepts a fix far ahead if the next known time is at most an hour before it, else rejects it. */
  #settle(state: State, ahead: CleanFix, time: number): void {
    state.ahead = null;
    if (time >= ahead.time - CONFIRM_MS) this.#take(state, ahead);
    else reject(state, 'time-implausible', aheadFault(ahead.time));
  }

  #take(state: State, fix: CleanFix): void {
    if (fix.time < state.watermark) {
      state.late++;
    } else if (this.#rules.latenessMs > 0) {
      state.pending ??= new WaitingFixes();
      const own = copyOfClean(fix);
      if (!state.pending.add(own)) state.duplicate++;
      const consumer = this.#consumer;
      if (consumer.waits !== undefined && state.pending.at(own.time) === own) consumer.waits(state, own);
      this.raise(state, fix.time - this.#rules.latenessMs);
    } else if (fix.time === state.released) {
      state.duplicate++;
    } else {
      state.watermark = fix.time;
      this.read(state, fix);
    }
  }

  /** Raises the watermark and releases older fixes, for an adopted unit even if the watermark stays. */
  raise(state: State, watermark: number): void {
    if (watermark > state.watermark) state.watermark = watermark;
    if (this.#consumer.waits === undefined) this.releaseWaiting(state);
  }

  /** Releases the fixes before the watermark. */
  releaseWaiting(state: State): void {
    this.#releaseBefore(state, state.watermark);
  }

  /** Releases all waiting fixes, as at the end of a track, except one whose time is not confirmed. */
  finish(state: State): void {
    this.#releaseBefore(state, Number.POSITIVE_INFINITY);
    endFilter(state, this.#sink);
  }

  #releaseBefore(state: State, time: number): void {
    const { pending } = state;
    if (pending === null) return;
    for (let fix = pending.takeBefore(time); fix !== null; fix = pending.takeBefore(time)) {
      if (pending.size === 0) state.pending = null;
      this.read(state, fix);
    }
  }

  #read(message: unknown): RejectReason | null {
    try {
      return this.#reader.read(message);
    } catch (error) {
      return guarded('fix', () => {
        throw error;
      });
    }
  }

  #refusalOf(message: unknown): Refusal | null {
    const consumer = this.#consumer;
    if (consumer.faultOf === undefined) return null;
    return guarded('fix', () => consumer.faultOf!(message as object, this.#reader.time));
  }
}

/** The first `advance` that takes a waiting fix; Infinity if none waits for the clock. */
export function releaseAt({ pending, ahead }: Intake, latenessMs: number): number {
  const first = pending === null ? Number.POSITIVE_INFINITY : pending.first + latenessMs + 1;
  return ahead === null ? first : Math.min(first, ahead.time - CONFIRM_MS);
}

/** The first `advance` after which the watermark is at least `time`; a passed time if it is so already. */
export function advanceFor({ watermark }: Intake, time: number, latenessMs: number): number {
  return time <= watermark ? watermark : time + latenessMs;
}

/** An independent copy of the state of an intake, for a look ahead. */
export function copyOfIntake<State extends Intake>(state: State): State {
  const { pending, suspects, rejected } = state;
  return {
    ...state,
    pending: pending && new WaitingFixes(pending.inOrder()),
    suspects: suspects && new Suspects(suspects.toArray()),
    rejected: rejected && { ...rejected },
  };
}

/** An intake as plain JSON: its buffers as lists, each fix as a list of the numbers up to the last known one. */
export interface PlainIntake
  extends Omit<Intake, 'suspects' | 'pending' | 'ahead' | 'rejected' | 'examples'>,
    Partial<Pick<Intake, 'rejected' | 'examples'>> {
  readonly suspects?: readonly (readonly number[])[];
  readonly pending?: readonly (readonly number[])[];
  readonly ahead?: readonly number[];
}

/** The plain form of an intake. Empty buffers and counts of no rejected fix are left out. */
export function plainIntake({ suspects, pending, ahead, rejected, examples, ...plain }: Intake): PlainIntake {
  return {
    ...plain,
    ...(rejected && { rejected }),
    ...(examples && { examples }),
    ...(suspects && { suspects: suspects.toArray().map(plainFix) }),
    ...(pending && { pending: pending.inOrder().map(plainFix) }),
    ...(ahead && { ahead: plainFix(ahead) }),
  };
}

/** The intake of a plain form, which the caller gives away. */
export function intakeOf({ suspects, pending, ahead, ...plain }: PlainIntake): Intake {
  return Object.assign(emptyIntake(BEFORE_ALL), plain, {
    suspects: suspects ? new Suspects(suspects.map(fixOf)) : null,
    pending: pending ? new WaitingFixes(pending.map(fixOf)) : null,
    ahead: ahead ? fixOf(ahead) : null,
  });
}

function plainFix(fix: CleanFix): number[] {
  const { time, lon, lat, speedKph, accuracyMeters, ignition, mileageMeters, mileageDeltaMeters } = fix;
  const numbers = [time, lon, lat, speedKph, ignition, accuracyMeters, mileageMeters, mileageDeltaMeters];
  return numbers.slice(0, 1 + numbers.findLastIndex((value) => value !== UNKNOWN));
}

function fixOf(numbers: readonly number[]): CleanFix {
  const [time, lon, lat, speedKph = UNKNOWN, ignition = UNKNOWN_IGNITION] = numbers;
  const [accuracyMeters = UNKNOWN, mileageMeters = UNKNOWN, mileageDeltaMeters = UNKNOWN] = numbers.slice(5);
  return {
    time: time!,
    lon: lon!,
    lat: lat!,
    speedKph,
    accuracyMeters,
    ignition,
    mileageMeters,
    mileageDeltaMeters,
  };
}

/**
 * Gives a state what a copy of it has read since, without its waiting fixes up to there. Messages came to the state alone. The copy must not be
 * used any more.
 */
export function takeOverReading<State extends Intake>(state: State, copy: State): void {
  const { watermark, ahead, pending, duplicate, late } = state;
  while (pending !== null && pending.first <= copy.released) pending.takeBefore(Number.POSITIVE_INFINITY);
  const received = {
    watermark,
    ahead,
    pending: pending === null || pending.size === 0 ? null : pending,
    in: state.in,
    duplicate,
    late,
    rejected: withReasons(state.rejected, copy.rejected),
    examples: withReasons(state.examples, copy.examples),
  };
  Object.assign(state, copy, received);
}

/** The values of the reasons that the reading gives are those of `read`. */
function withReasons<Value>(
  received: Partial<Record<RejectReason, Value>> | null,
  read: Partial<Record<RejectReason, Value>> | null,
): Partial<Record<RejectReason, Value>> | null {
  if (read === null) return received;
  const all = { ...received };
  for (const reason of LEFT_OUT) if (read[reason] !== undefined) all[reason] = read[reason];
  return all;
}

export function countsOf(state: Intake): StreamCounts {
  const reasons: Partial<Record<RejectReason, number>> = {};
  for (const reason of REJECT_REASONS)
    if (state.rejected?.[reason] !== undefined) reasons[reason] = state.rejected[reason];
  return {
    in: state.in,
    applied: state.applied,
    duplicate: state.duplicate,
    rejected: Object.values(reasons).reduce((sum, count) => sum + count, 0),
    late: state.late,
    pending: (state.pending?.size ?? 0) + (state.suspects?.size ?? 0) + (state.ahead === null ? 0 : 1),
    reasons,
  };
}

export function sumCounts(all: Iterable<StreamCounts>): StreamCounts {
  const sum = { in: 0, applied: 0, duplicate: 0, rejected: 0, late: 0, pending: 0 };
  const reasons: Partial<Record<RejectReason, number>> = {};
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
    for (const [reason, count] of Object.entries(counts.reasons) as [RejectReason, number][]) {
      reasons[reason] = (reasons[reason] ?? 0) + count;
    }
  }
  return { ...sum, reasons };
}

/** Why fixes of these units were rejected: an issue for each reason. */
export function issuesOfUnits(units: Iterable<Intake>): Issue[] {
  const examples: Examples = {};
  const counts: Partial<Record<RejectReason, number>> = {};
  for (const unit of units) {
    mergeExamples(examples, unit.examples ?? {});
    for (const [reason, count] of Object.entries(unit.rejected ?? {}) as [RejectReason, number][])
      counts[reason] = (counts[reason] ?? 0) + count;
  }
  return issuesOf(examples, counts);
}

function reject(state: Intake, reason: RejectReason, fault: Fault | null, count: number = 1): void {
  state.rejected ??= {};
  state.rejected[reason] = (state.rejected[reason] ?? 0) + count;
  if (fault === null) return;
  const examples = { ...state.examples };
  noteFault(examples, reason, fault);
  state.examples = examples;
}

/** Time of the last fix that was applied or waits in the buffer; Infinity before the first one. */
function latestOf({ released, pending }: Intake): number {
  const latest = pending?.latest ?? released;
  return latest === BEFORE_ALL ? Number.POSITIVE_INFINITY : latest;
}
