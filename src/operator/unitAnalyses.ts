/** The analyses of one unit: visits and the opening hours of their zones, movement, speeding. */

import { pickOptions } from '../core/options.js';
import type { HoursOf } from '../core/zoneHours.js';
import { MovementAnalysis, type MovementEvent } from '../tracks/movementAnalysis.js';
import { MOVEMENT_OPTIONS, readMovement } from '../tracks/movementRules.js';
import { SpeedingAnalysis, type SpeedingEvent } from '../tracks/speeding/speedingAnalysis.js';
import { TRACKER_OPTIONS } from '../tracks/speeding/speedingOptions.js';
import { speedingRun } from '../tracks/speeding/speedingTracker.js';
import type { Analysis } from '../tracks/stream/analysis.js';
import { VisitAnalysis, type VisitRun } from '../tracks/visitAnalysis.js';
import type { HoursEvent, VisitEvent } from '../tracks/visitEvent.js';
import { readVisitRules } from '../tracks/visitRules.js';
import { checkIndex } from '../tracks/zoneIndexLike.js';
import type { OperatorOptions, OperatorPlaces } from './operatorOptions.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** The parts whose items belong to a unit, not to a run. */
export type TrackedPart = Exclude<UnitPart, 'trips' | 'routes'>;

/** An event and the name of its part. */
export type TrackedEvent = {
  readonly [Part in TrackedPart]: { readonly of: Part; readonly event: UnitEvents[Part] };
}[TrackedPart];

export interface UnitAnalyses {
  /** All analyses, in the order in which their events of one moment are emitted. */
  readonly all: readonly Analysis[];
  readonly visitRun: VisitRun;
  readonly visits: VisitAnalysis;
  readonly movement: MovementAnalysis;
  /** Returns and clears the events since the last call, part by part. */
  take(): TrackedEvent[];
}

/** `movement`: the analysis of the places before, to keep; default: a new one. Errors: those of the trackers. */
export function unitAnalyses(
  places: OperatorPlaces,
  options: OperatorOptions,
  movement: MovementAnalysis = new MovementAnalysis(readMovement({}, pickOptions(options, MOVEMENT_OPTIONS))),
): UnitAnalyses {
  const { zones, hoursOf, speedLimitOf, thresholdsOf } = places;
  checkIndex(zones);
  const visitRun: VisitRun = { index: zones, rules: readVisitRules(options), ledger: null };
  const visits = new VisitAnalysis(visitRun, hoursOf);
  const speeding = new SpeedingAnalysis({
    ...speedingRun({
      ...pickOptions(options, TRACKER_OPTIONS),
      index: zones,
      zoneLimits: (zoneId) => speedLimitOf?.(zoneId) ?? null,
      thresholdsOf: (unitId) => thresholdsOf?.(unitId) ?? null,
    }),
    // A unit that was followed stays so after its limits are removed, so that an open speeding can end.
    begins: ({ settings }) => speedLimitOf !== undefined || Number(settings?.['advanced_speedlimit']) > 0,
  });
  return {
    all: [visits, movement, speeding],
    visitRun,
    visits,
    movement,
    take: () => [
      ...visits.take().map((event) => ofVisits(event, hoursOf)),
      ...movement.take().map(ofMovement),
      ...speeding.take().map(ofSpeeding),
    ],
  };
}

/** An `enter` has the field `open` only if its zone has opening hours. */
function ofVisits(event: VisitEvent | HoursEvent, hoursOf: HoursOf | undefined): TrackedEvent {
  if (event.type !== 'enter' || hoursOf === undefined || (hoursOf(event.zoneId) ?? null) !== null)
    return { of: 'visits', event };
  const { open: _, ...rest } = event;
  return { of: 'visits', event: rest };
}

function ofMovement(event: MovementEvent): TrackedEvent {
  return { of: 'movement', event };
}

function ofSpeeding(event: SpeedingEvent): TrackedEvent {
  return { of: 'speeding', event: { ...event, kind: 'speeding' } };
}
