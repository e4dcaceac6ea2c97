/** The speed limit of a unit along a step: from its own limit, the zones it is in, and the caller's `limitOf`. */

import { lonStep, wrapLon } from '../../core/angles.js';
import { inputError, isArray, type WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded } from '../../core/input.js';
import { type LastZones, StepZones } from '../ledger/stepZones.js';
import { checkIndex, type ZoneIndexLike } from '../zoneIndexLike.js';

/** Position, time and unit for which `limitOf` is called. */
export interface LimitPlace {
  /** Epoch milliseconds. */
  readonly time: number;
  /** `[lon, lat]`. */
  readonly position: Position;
  /** Ids of the zones that contain the unit from here on, in the index's order. */
  readonly zoneIds: readonly string[];
  /** The limit of the unit and its zones, km/h; null: no limit. */
  readonly limitKph: number | null;
}

/** Limits of zones, km/h by id; null: the zone has no limit. */
export type ZoneLimits = Readonly<Record<string, number | null>> | ((zoneId: string) => number | null);

/** The options that are functions or contain an index. Snapshots do not contain them. */
export interface LimitSources {
  /** The zones that have limits. Needs `zoneLimits`. */
  readonly index?: ZoneIndexLike | undefined;
  /** Limits of zones. Needs `index`. */
  readonly zoneLimits?: ZoneLimits | undefined;
  /**
   * Replaces the limit of the unit and its zones. It is called at the start of each step and at each border of a zone of `index` within the
   * step. Its answer applies until the next call. null: no limit.
   */
  readonly limitOf?: ((at: LimitPlace) => number | null) | undefined;
}

/** Options that join several limits to one limit. */
export interface LimitWords {
  /** Of the limits of several zones. Default `lowest`. */
  readonly overlap?: 'lowest' | 'highest' | undefined;
  /** `zone`: a zone's limit replaces the unit's. `lowest`: the lower of the two. Default `zone`. */
  readonly combine?: 'zone' | 'lowest' | undefined;
}

/** Stands for no limit. */
export const UNLIMITED = -1;

/** A step between two fixes that is not a gap. */
export interface LimitedStep {
  readonly startTime: number;
  readonly milliseconds: number;
  readonly aLon: number;
  readonly aLat: number;
  readonly bLon: number;
  readonly bLat: number;
}

/** Divides steps into pieces of one limit. Its fields are those of the last step. */
export class SpeedLimits {
  /** Number of pieces. Piece k reaches from fraction `bounds[k]` to `bounds[k + 1]`. */
  count: number = 0;
  readonly bounds: number[] = [];
  /** km/h, -1: none. */
  readonly limits: number[] = [];
  /** The zone that gave the limit; null: the unit or `limitOf`. */
  readonly zoneIds: (string | null)[] = [];
  readonly #zones: StepZones | null;
  readonly #limitOfZone: (zoneId: string) => number;
  readonly #limitOf: ((at: LimitPlace) => number | null) | null;
  readonly #words: Required<LimitWords>;
  /** The least limit of a zone; 0 if it is not known, `Infinity` if no zone has one. */
  readonly #leastOfZones: number;
  #limit = UNLIMITED;
  #zoneId: string | null = null;

  /** Errors: `index-type`, `option-type`, `option-value`, `input-unreadable`. */
  constructor(sources: LimitSources, words: Required<LimitWords>) {
    const { index, zoneLimits, limitOf } = sources;
    if (limitOf !== undefined && typeof limitOf !== 'function') {
      throw inputError('option-type', 'options.limitOf', 'a function', limitOf);
    }
    if (index !== undefined) checkIndex(index, 'options.index');
    if (index === undefined && zoneLimits !== undefined) throw missing('index');
    if (index !== undefined && zoneLimits === undefined && limitOf === undefined) throw missing('zoneLimits');
    const table = readZoneLimits(zoneLimits);
    this.#zones = index === undefined ? null : new StepZones(index);
    this.#limitOfZone = table.limitOf;
    this.#leastOfZones = table.least;
    this.#limitOf = limitOf ?? null;
    this.#words = words;
  }

  /** Whether `divide` reads and writes what is known of the zones. */
  get hasZones(): boolean {
    return this.#zones !== null;
  }

  /** No limit of a step can be less: only a faster step needs `divide`. */
  least(unitKph: number): number {
    if (this.#limitOf !== null) return Number.NEGATIVE_INFINITY;
    return unitKph === UNLIMITED ? this.#leastOfZones : Math.min(this.#leastOfZones, unitKph);
  }

  /** `last` is what is known of the zones at the start of the step. */
  divide(step: LimitedStep, last: LastZones, unitKph: number): void {
    const zones = this.#zones;
    if (zones !== null) {
      zones.divide(last, step.aLon, step.aLat, step.bLon, step.bLat, step.milliseconds);
    }
    this.count = zones?.count ?? 1;
    this.bounds[0] = 0;
    for (let k = 0; k < this.count; k++) {
      this.bounds[k + 1] = zones?.bounds[k + 1] ?? 1;
      this.#combine(zones?.zones[k] ?? [], unitKph);
      if (this.#limitOf !== null) this.#ask(this.#limitOf, step, this.bounds[k]!, zones?.zones[k] ?? []);
      this.limits[k] = this.#limit;
      this.zoneIds[k] = this.#zoneId;
    }
  }

  /** Of several zones with the same limit the first gives it; of a zone and the unit the zone. */
  #combine(ordinals: readonly number[], unitKph: number): void {
    this.#limit = UNLIMITED;
    this.#zoneId = null;
    for (const ordinal of ordinals) {
      const zoneId = this.#zones!.idOf(ordinal);
      const limit = this.#limitOfZone(zoneId);
      if (limit === UNLIMITED) continue;
      const isBetter = this.#words.overlap === 'lowest' ? limit < this.#limit : limit > this.#limit;
      if (this.#limit !== UNLIMITED && !isBetter) continue;
      this.#limit = limit;
      this.#zoneId = zoneId;
    }
    if (unitKph === UNLIMITED) return;
    if (this.#limit === UNLIMITED || (this.#words.combine === 'lowest' && unitKph < this.#limit)) {
      this.#limit = unitKph;
      this.#zoneId = null;
    }
  }

  #ask(
    limitOf: (at: LimitPlace) => number | null,
    step: LimitedStep,
    fraction: number,
    ordinals: readonly number[],
  ): void {
    const { startTime, milliseconds, aLon, aLat, bLon, bLat } = step;
    const place: LimitPlace = {
      time: startTime + Math.round(fraction * milliseconds),
      position: [wrapLon(aLon + fraction * lonStep(aLon, bLon)), aLat + fraction * (bLat - aLat)],
      zoneIds: ordinals.map((ordinal) => this.#zones!.idOf(ordinal)),
      limitKph: this.#limit === UNLIMITED ? null : this.#limit,
    };
    const answer: unknown = guarded('options.limitOf', () => limitOf(place));
    this.#limit = readLimit(answer, 'options.limitOf()');
    this.#zoneId = null;
  }
}

/** A limit above 0, or -1 for `null` and `undefined`; `option-value`. */
export function readLimit(value: unknown, field: string): number {
  if (value === undefined || value === null) return UNLIMITED;
  if (typeof value === 'number' && value > 0) return value;
  throw inputError('option-value', field, 'a limit above 0 km/h, or null', value);
}

function missing(name: 'index' | 'zoneLimits'): WayzoneError {
  return inputError('option-value', `options.${name}`, 'index and zoneLimits, or neither', undefined);
}

interface LimitTable {
  readonly limitOf: (zoneId: string) => number;
  /** 0 if it is not known, `Infinity` if no zone has a limit. */
  readonly least: number;
}

/** Every limit is checked at once. The object is not copied. */
function readZoneLimits(given: unknown): LimitTable {
  const field = 'options.zoneLimits';
  if (typeof given === 'function') {
    const ask = given as (zoneId: string) => unknown;
    const limitOf = (zoneId: string): number =>
      readLimit(
        guarded(field, () => ask(zoneId)),
        `${field}('${zoneId}')`,
      );
    return { limitOf, least: 0 };
  }
  if (given === undefined) return { limitOf: () => UNLIMITED, least: Number.POSITIVE_INFINITY };
  if (typeof given !== 'object' || given === null || isArray(given)) {
    throw inputError('option-type', field, 'an object of limits by zone id, or a function', given);
  }
  const limits = given as Readonly<Record<string, unknown>>;
  const limitOf = (zoneId: string): number =>
    guarded(field, () =>
      Object.hasOwn(limits, zoneId) ? readLimit(limits[zoneId], `${field}.${zoneId}`) : UNLIMITED,
    );
  // A list or map of many limits would cost more than a short track.
  const least = guarded(field, () => {
    let lowest = Number.POSITIVE_INFINITY;
    for (const zoneId in limits) {
      const limit = limitOf(zoneId);
      if (limit !== UNLIMITED && limit < lowest) lowest = limit;
    }
    return lowest;
  });
  return { limitOf, least };
}
