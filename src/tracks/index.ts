/** Subpath `wayzone/tracks`: clean tracks, the visits they pay to zones, and how they moved. */

export type { Fix, Track } from '../core/fix.js';
export { detectTrips, type MovementReport } from './detectTrips.js';
export { findVisits } from './findVisits.js';
export type { FixOptions, RejectReason, RolloverWindow } from './fixGate.js';
export type { StreamCounts } from './fixIntake.js';
export type { MovementItem } from './movementItem.js';
export type { MovementKind } from './movementMachine.js';
export type { MovementOptions, MovementSettings, MovementSettingsList } from './movementSettings.js';
export { type MovementEvent, MovementTracker, type MovementTrackerOptions } from './movementTracker.js';
export { readTrack, type TrackOptions } from './readTrack.js';
export type { StreamSnapshot } from './snapshot.js';
export type { StreamOptions } from './streamOptions.js';
export type { PushOptions } from './streamUnits.js';
export type { Visit, VisitOptions } from './visit.js';
export type { VisitEvent } from './visitEvents.js';
export { VisitTracker, type VisitTrackerOptions } from './visitTracker.js';
export type { ZoneIndexLike } from './zoneIndexLike.js';
