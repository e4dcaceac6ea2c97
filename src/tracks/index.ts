/** Subpath `wayzone/tracks`: clean tracks, visits to zones, trips and parkings, colours by speed, deviations from a line. */

export type { RejectReason } from '../core/errorCode.js';
export type { BlindReason, Fix, Track } from '../core/fix.js';
export type {
  GradationStyle,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
} from '../core/trackSettings.js';
export { detectTrips, type MovementReport } from './detectTrips.js';
export { type Deviation, type DeviationOptions, findDeviations } from './findDeviations.js';
export { findVisits } from './findVisits.js';
export type { StreamCounts } from './fixIntake.js';
export type { FixOptions, RolloverWindow } from './fixReader.js';
export { type GradationOptions, type GradedRun, gradeTrack } from './gradeTrack.js';
export type { MovementItem } from './movementItem.js';
export type { MovementKind } from './movementMachine.js';
export type { MovementOptions } from './movementRules.js';
export { type MovementEvent, MovementTracker, type MovementTrackerOptions } from './movementTracker.js';
export { type ReadTrack, readTrack, type TrackOptions } from './readTrack.js';
export type { StreamOptions } from './streamOptions.js';
export type { StreamSnapshot } from './streamSnapshot.js';
export type { PushOptions } from './streamUnits.js';
export type { Visit, VisitOptions } from './visit.js';
export type { VisitEvent } from './visitEvent.js';
export { VisitTracker, type VisitTrackerOptions } from './visitTracker.js';
export type { ZoneIndexLike } from './zoneIndexLike.js';
