/** The analyses of a unit: its visits and the hours of their zones, its movement and its speeding. */

import { pickOptions } from '../core/options.js';
import type { HoursOf } from '../core/zoneHours.js';
import { checkIndex } from '../tracks/checkIndex.js';
import { MovementAnalysis, type MovementEvent } from '../tracks/movementAnalysis.js';
import { MOVEMENT_OPTIONS, readMovement } from '../tracks/movementRules.js';
import { SpeedingAnalysis, type SpeedingEvent } from '../tracks/speeding/speedingAnalysis.js';
import { speedingRun } from '../tracks/speeding/speedingTracker.js';
import { TRACKER_OPTIONS } from '../tracks/speeding/speedingTrackerOptions.js';
import type { Analysis } from '../tracks/stream/analysis.js';
import { VisitAnalysis, type VisitRun } from '../tracks/visitAnalysis.js';
import type { HoursEvent, VisitEvent } from '../tracks/visitEvent.js';
import { readVisitRules } from '../tracks/visitRules.js';
import type { OperatorOptions } from './operatorOptions.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** The parts whose items are of a unit, not of a run. */
export type TrackedPart = Exclude<UnitPart, 'trips' | 'routes'>;

/** An event with the name of its part. */
export type TrackedEvent = {
  readonly [Part in TrackedPart]: { readonly of: Part; readonly event: UnitEvents[Part] };
}[TrackedPart];

export interface UnitAnalyses {
  /** In the order of their events at one moment. */
  readonly all: readonly Analysis[];
  readonly visitRun: VisitRun;
  readonly visits: VisitAnalysis;
  readonly movement: MovementAnalysis;
  /** The events since the last call, part by part. */
  take(): TrackedEvent[];
}

/** `movement`: that of other places. Errors: those of the trackers. */
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
    // A unit that is followed stays so when its limits are removed, since its speeding must end.
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

/** Only an `enter` of a zone with hours has `open`. */
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
