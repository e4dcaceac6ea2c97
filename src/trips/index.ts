/** Subpath `wayzone/trips`: when trips are due, and their points as zones. */

export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripPoint,
  TripPointTime,
} from '../core/trip.js';
export { planTrip } from './planTrip.js';
export type { PlannedPoint, TripPlan, TripPlanOptions } from './tripPlan.js';
export { type TripZone, tripZones } from './tripZones.js';
