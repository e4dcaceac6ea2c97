/** Measures of the visits of units, summed as the fixes of a stream come in. */

import { firstWhere } from '../../core/numbers.js';
import { type BlindCode, SEEN } from '../blindStep.js';
import type { CleanFix } from '../fixReader.js';
import { UNKNOWN } from '../fixReader.js';
import { greatestOn } from '../meter/greatestSpeed.js';
import { addToSums, type Measure, measureOf, noSums, type Sums } from '../meter/measure.js';
import { GAP, type MeterRules, StepMeter } from '../meter/stepMeter.js';
import { mileageOf } from '../mileageColumn.js';
import type { Visit } from '../visit.js';
import type { Dwell } from '../visitMachine.js';
import { type MeasuredVisit, withMeasure } from './measureVisits.js';
import type { DwellLedger, LastExit, LedgerMark, UnitLedger } from './unitLedger.js';

/** Measures the visits of units one step at a time: `begin`, then `measured` for each visit that ends, then `end`. */
export class VisitLedger {
  readonly #meter: StepMeter;
  #startTime = 0;
  #endTime = 0;
  #startKph = UNKNOWN;
  #endKph = UNKNOWN;
  /** Whether the step has no length. */
  #isStill = false;
  /** Speed of the step before. */
  #leadKph = UNKNOWN;
  /** Reported speeds of the two fixes. */
  #startOwnKph = UNKNOWN;
  #endOwnKph = UNKNOWN;

  constructor(rules: MeterRules) {
    this.#meter = new StepMeter(rules);
  }

  /** Measures the step to the unit's next fix. */
  begin(unit: UnitLedger, fix: CleanFix, blind: BlindCode): void {
    const meter = this.#meter;
    const { time: startTime, speedKph: startOwnKph } = unit.meter;
    const { time, lon, lat, speedKph, ignition } = fix;
    const mileage = mileageOf(meter.rules.mileage, fix);
    const { hasFix } = unit.meter;
    this.#isStill = hasFix && lon === unit.meter.lon && lat === unit.meter.lat;
    if (!this.#isStill) unit.atPlace = null;
    else unit.atPlace ??= { meter: { ...unit.meter }, leadKph: unit.leadKph };
    const hasStep = meter.next(unit.meter, time, lon, lat, speedKph, ignition, mileage, blind !== SEEN);
    this.#startTime = hasStep ? startTime : time;
    this.#endTime = time;
    this.#startOwnKph = hasStep ? startOwnKph : speedKph;
    this.#endOwnKph = speedKph;
    const isLinear = startOwnKph !== UNKNOWN && speedKph !== UNKNOWN;
    const hasSpeed = hasStep && meter.kind !== GAP;
    this.#startKph = !hasSpeed ? UNKNOWN : isLinear ? startOwnKph : meter.evenKph;
    this.#endKph = !hasSpeed ? UNKNOWN : isLinear ? speedKph : meter.evenKph;
    this.#leadKph = unit.leadKph;
    unit.leadKph = this.#endKph;
  }

  /** Between two steps: visits that end now, or are open, end at the unit's last fix. */
  pause({ meter, leadKph }: UnitLedger): void {
    this.#startTime = this.#endTime = meter.time;
    this.#startOwnKph = this.#endOwnKph = meter.speedKph;
    this.#startKph = this.#endKph = UNKNOWN;
    this.#leadKph = leadKph;
  }

  /** Adds the step to the dwells that go on. */
  end(dwells: Iterable<Dwell>): void {
    for (const dwell of dwells) {
      const before = dwell.ledger;
      const sums = this.#added(before, dwell.enter, this.#endTime);
      const marks: LedgerMark[] = [];
      for (const time of [dwell.exit?.time, dwell.lastInside]) {
        if (time === undefined || time === null || time === this.#endTime) continue;
        marks.push({ time, sums: this.#sumsTo(before, dwell.enter, time) });
      }
      const atPlace = this.#isStill ? (before?.atPlace ?? before) : null;
      dwell.ledger = { sums, enterKph: this.#enterKph(before, dwell.enter), marks, atPlace };
    }
  }

  /** A visit that ended in the current step, or before it, with its measure. */
  measured(unit: UnitLedger, visit: Visit, dwell: Dwell): MeasuredVisit {
    const { zoneId, enter, exit } = visit;
    const until = exit ?? Math.max(enter, unit.meter.time);
    const sums = this.#sumsTo(dwell.ledger, enter, until);
    const maxKph = until > enter ? sums.maxKph : this.#enterKph(dwell.ledger, enter);
    const measure: Measure = measureOf({ ...sums, maxKph }, until - enter);
    return withMeasure(visit, measure, exchangeExit(unit.lastExits, zoneId, exit));
  }

  /** Sums from `enter` to a time in the current step, or to a mark before it. */
  #sumsTo(ledger: DwellLedger | null, enter: number, time: number): Sums {
    if (time >= this.#startTime) return this.#added(ledger, enter, time);
    return ledger?.marks.find((mark) => mark.time === time)?.sums ?? noSums();
  }

  /** The sums up to the step's start, and its part from there (from `enter`) to `time`. */
  #added(ledger: DwellLedger | null, enter: number, time: number): Sums {
    const sums = ledger === null ? noSums() : { ...ledger.sums };
    const from = Math.max(enter, this.#startTime);
    const milliseconds = this.#endTime - this.#startTime;
    if (from === this.#startTime) sums.maxKph = Math.max(sums.maxKph, this.#startOwnKph);
    if (time === this.#endTime) sums.maxKph = Math.max(sums.maxKph, this.#endOwnKph);
    if (time <= from) return sums;
    const { kind, meters } = this.#meter;
    addToSums(sums, kind, time - from, (meters * (time - from)) / milliseconds);
    const [low, high] = [(from - this.#startTime) / milliseconds, (time - this.#startTime) / milliseconds];
    sums.maxKph = Math.max(sums.maxKph, greatestOn(this.#startKph, this.#endKph, low, high));
    return sums;
  }

  /** The speed at the instant of a visit without duration: the step from a first fix may tell it. */
  #enterKph(ledger: DwellLedger | null, enter: number): number {
    if (ledger !== null && ledger.enterKph !== UNKNOWN) return ledger.enterKph;
    return enter < this.#startTime ? UNKNOWN : this.#speedAt(enter);
  }

  /** At a fix without a speed: that of the step to it, else of the step from it. */
  #speedAt(time: number): number {
    const milliseconds = this.#endTime - this.#startTime;
    if (time === this.#startTime && this.#startOwnKph !== UNKNOWN) return this.#startOwnKph;
    if (time === this.#endTime && this.#endOwnKph !== UNKNOWN) return this.#endOwnKph;
    if (time === this.#startTime && this.#leadKph !== UNKNOWN) return this.#leadKph;
    if (milliseconds === 0) return UNKNOWN;
    const fraction = (time - this.#startTime) / milliseconds;
    return greatestOn(this.#startKph, this.#endKph, fraction, fraction);
  }
}

/** The last exit from a zone, which a later one replaces; null: none. */
function exchangeExit(exits: LastExit[], zoneId: string, exit: number | null): number | null {
  const i = firstWhere(0, exits.length, (k) => exits[k]!.zoneId >= zoneId);
  const known = exits[i];
  if (known?.zoneId !== zoneId) {
    if (exit !== null) exits.splice(i, 0, { zoneId, time: exit });
    return null;
  }
  const last = known.time;
  if (exit !== null) known.time = exit;
  return last;
}

/** Takes back all fixes at the last one's place but the first. */
export function takeBackMeasured(unit: UnitLedger, dwells: Iterable<Dwell>): void {
  if (unit.atPlace === null) return;
  unit.meter = { ...unit.atPlace.meter };
  unit.leadKph = unit.atPlace.leadKph;
  unit.atPlace = null;
  // A dwell that began since has no such ledger, and begins anew.
  for (const dwell of dwells) dwell.ledger = dwell.ledger?.atPlace ?? null;
}
