/** Subpath `wayzone/trips`: when trips are due, what became of them, and their points as zones. */

export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripPoint,
  TripPointTime,
} from '../core/trip.js';
export { evaluateTrip } from './evaluateTrip.js';
export { planTrip } from './planTrip.js';
export type { PlannedPoint, TripPlan, TripPlanOptions } from './tripPlan.js';
export type {
  PointReport,
  PointStatus,
  TimeStatus,
  TripEvent,
  TripEventType,
  TripOptions,
  TripReport,
  TripStatus,
  TripTotals,
  TripViolation,
  TripVisits,
  ViolationType,
} from './tripReport.js';
export { type TripZone, tripZones } from './tripZones.js';
