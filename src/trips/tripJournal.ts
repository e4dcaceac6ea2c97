/** What the fixes of a unit leave behind for a trip: its visits, and what is known of its way. */

import type { CleanFix } from '../tracks/fixGate.js';
import type { Visit } from '../tracks/visit.js';
import type { VisitSink } from '../tracks/visitMachine.js';
import type { VisitRules } from '../tracks/visitOptions.js';
import { VisitStepper } from '../tracks/visitStep.js';
import type { VisitUnit } from '../tracks/visitUnit.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';
import type { Gap } from './gaps.js';
import { isGap, isUnseen, type Place } from './trackSteps.js';
import type { TripPlan } from './tripPlan.js';

export interface JournalRules {
  readonly index: ZoneIndex;
  readonly visitRules: VisitRules;
  readonly window: TripPlan['window'];
}

export class TripJournal implements VisitSink {
  /** Those that ended. */
  readonly visits: Visit[] = [];
  readonly gaps: Gap[] = [];
  /** The zones of the fixes after gaps. */
  readonly arrivals: { readonly time: number; readonly zoneId: string }[] = [];
  /** The fixes of the window, with the one before and the one after it. */
  readonly way: Place[] = [];
  firstTime: number | null = null;
  readonly #rules: JournalRules;
  readonly #stepper: VisitStepper;

  constructor(rules: JournalRules) {
    this.#rules = rules;
    this.#stepper = new VisitStepper(rules.index, rules.visitRules, this);
  }

  end(visit: Visit): void {
    this.visits.push(visit);
  }

  /** Takes the next fix of the unit, whose last applied fix is still the one before. */
  apply(unit: VisitUnit, fix: CleanFix): void {
    const { time, lon, lat } = fix;
    if (unit.applied === 0) {
      this.firstTime = time;
      unit.stays = this.#stepper.start(time, lon, lat);
    } else {
      unit.around ??= this.#stepper.surroundings();
      this.#stepper.from(unit, unit.around);
      unit.stays = this.#stepper.to(fix, unit.stays);
      this.#noteStep({ time: unit.time, lon: unit.lon, lat: unit.lat }, fix);
    }
    this.#noteWay(unit, { time, lon, lat });
  }

  #noteStep(last: Place, fix: Place): void {
    const { index, visitRules } = this.#rules;
    if (isUnseen(last, fix, visitRules)) this.gaps.push({ from: last.time, to: fix.time });
    if (!isGap(last, fix, visitRules)) return;
    for (const zoneId of index.at([fix.lon, fix.lat])) this.arrivals.push({ time: fix.time, zoneId });
  }

  #noteWay(unit: VisitUnit, place: Place): void {
    const { from, to } = this.#rules.window;
    if (place.time <= from) this.way.length = 0;
    if (unit.applied === 0 || unit.time < to) this.way.push(place);
  }
}
