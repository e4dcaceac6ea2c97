/** Subpath `wayzone/operator`: a keyed operator for stream processors. */

export { type Charge, chargesOf } from './chargesOf.js';
export { type DescribedItems, describeEvents } from './describeEvents.js';
export type { RunTracker } from './followedRuns.js';
export { followRun } from './followRun.js';
export { lastTimeOf } from './lastTimeOf.js';
export type { OperatorOptions, OperatorPlaces, TripRoute } from './operatorOptions.js';
export { changedWindow, type RunWindow, type RunWindows, rowChanges, runWindows } from './runWindows.js';
export { UnitFleet, type UnitHistory } from './unitFleet.js';
export type {
  EditInput,
  FixesInput,
  RebuildDemand,
  RebuildInput,
  TimeInput,
  UnitInput,
  UnitMessage,
} from './unitMessage.js';
export { type UnitOperator, type UnitStep, unitOperator } from './unitOperator.js';
export type {
  DescribedHours,
  DescribedMovement,
  DescribedSpeeding,
  DescribedVisit,
  HoursRevision,
  MovementRevision,
  OfRun,
  RouteNews,
  RouteRevision,
  RouteRunEvent,
  RunEvent,
  RunRevision,
  SpeedingRevision,
  UnitEvents,
  UnitOutput,
  UnitPart,
  UnitSpeedingEvent,
  VisitRevision,
} from './unitOutput.js';
export type { UnitState } from './unitState.js';
