/** Subpath `wayzone/trips`: the plans of trips, their evaluation, and their points as zones. */

export type { PointStatus, TripEventType } from '../core/pointStatus.js';
export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripInput,
  TripPoint,
  TripPointTime,
  TripRowChange,
} from '../core/trip.js';
export { evaluateTrip } from './follow/evaluateTrip.js';
export type { TripRevision, TripTrackerEvent } from './follow/tripEvents.js';
export type { TripSnapshot, TripTrackerOptions } from './follow/tripSnapshot.js';
export { TripTracker } from './follow/tripTracker.js';
export { type PlannedPoint, planTrip, type TripPlan, type TripPlanOptions } from './plan/planTrip.js';
export { type RouteTimes, type TripFromRouteOptions, tripFromRoute } from './plan/tripFromRoute.js';
export { type TripZone, tripZones } from './plan/tripZones.js';
export { type LearnedLegs, type LearnedSeconds, learnLegs, type PredictionLeg } from './predict/learnLegs.js';
export {
  type PredictByEngineOptions,
  type PredictByRouteOptions,
  type PredictionEngine,
  predictByEngine,
  predictByRoute,
} from './predict/predictByRoute.js';
export type { TripFix } from './seen/runUnit.js';
export type { PendingPoint, PendingRun, Predict, ServedPoint } from './terms/predict.js';
export { changesOfRun, type TripHandedOver } from './terms/readChanges.js';
export type {
  AmendNote,
  ChangeNote,
  TripAmendment,
  TripCancellation,
  TripChange,
  TripExcuse,
  TripHandOver,
} from './terms/tripChange.js';
export type {
  PointReport,
  PointVisit,
  TimeStatus,
  TripActivation,
  TripEvent,
  TripGap,
  TripHole,
  TripOptions,
  TripReport,
  TripStatus,
  TripTotals,
  TripTracks,
  TripViolation,
  TripVisits,
  ViolationType,
} from './terms/tripReport.js';
export { explainTrip, type TripExplanation } from './words/explainTrip.js';
