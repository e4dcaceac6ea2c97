/** Subpath `wayzone/trips`: trips and their points as zones. */

export type {
  ActivationTypeKey,
  PassageOrderTypeKey,
  Trip,
  TripPoint,
  TripPointTime,
} from '../core/trip.js';
export { type TripZone, tripZones } from './tripZones.js';
