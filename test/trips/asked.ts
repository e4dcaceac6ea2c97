/** Malformed trips, and the calls that receive them. */

import type { Trip } from '../../src/core/trip.js';
import { evaluateTrip, planTrip, type TripOptions, type TripVisits } from '../../src/trips/index.js';
import { DATE, trip, UTC } from './shortTrips.js';

export const POINT: object = (trip(['A']).points as unknown as [object])[0];
export const withPoints = (...points: unknown[]): Trip => ({ ...trip(['A']), points }) as never;
export const withArrival = (arrival: unknown): Trip => withPoints(POINT, { ...POINT, arrival });
export const plan =
  (given: unknown, date: unknown = DATE, options: unknown = UTC) =>
  (): unknown =>
    planTrip(given as Trip, date as string, options as TripOptions);
export const evaluate =
  (source: unknown, options: object = {}, given: Trip = trip(['A'])) =>
  (): unknown =>
    evaluateTrip(given, DATE, source as TripVisits, { ...UTC, ...options });
