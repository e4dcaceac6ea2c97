/** Subpath `wayzone/trips`: the plans of trips, their evaluation, and their points as zones. */

export type { PointStatus } from '../core/pointStatus.js';
export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripInput,
  TripPoint,
  TripPointTime,
  TripRowChange,
} from '../core/trip.js';
export type { TripEventType } from '../core/tripEventType.js';
export { changesOfRun } from './changesOfRun.js';
export { evaluateTrip } from './evaluateTrip.js';
export { explainTrip, type TripExplanation } from './explainTrip.js';
export type { TripHandedOver } from './handOversOf.js';
export { type LearnedLegs, type LearnedSeconds, learnLegs } from './learnLegs.js';
export { planTrip } from './planTrip.js';
export type { PendingPoint, PendingRun, Predict, ServedPoint } from './predict.js';
export {
  type PredictByEngineOptions,
  type PredictionEngine,
  predictByEngine,
} from './predictByEngine.js';
export { type PredictByRouteOptions, predictByRoute } from './predictByRoute.js';
export type { PredictionLeg } from './predictionLeg.js';
export type { TripRevision } from './reviseEvents.js';
export type {
  AmendNote,
  ChangeNote,
  TripAmendment,
  TripCancellation,
  TripChange,
  TripExcuse,
  TripHandOver,
} from './tripChange.js';
export type { TripTrackerEvent } from './tripEvents.js';
export type { TripFix } from './tripFix.js';
export { type RouteTimes, type TripFromRouteOptions, tripFromRoute } from './tripFromRoute.js';
export type { PlannedPoint, TripPlan, TripPlanOptions } from './tripPlan.js';
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
} from './tripReport.js';
export type { TripSnapshot } from './tripSnapshot.js';
export { TripTracker } from './tripTracker.js';
export type { TripTrackerOptions } from './tripTrackerOptions.js';
export { type TripZone, tripZones } from './tripZones.js';
