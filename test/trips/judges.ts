/** Evaluates a day by the library and by the slow reference. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripOptions } from '../../src/trips/index.js';
import type { SlowOptions, SlowReport } from './oracle/slowModel.js';
import { slowReport } from './oracle/slowReport.js';
import { DATE } from './shortTrips.js';

export type Judge = (trip: Trip, day: readonly Fix[], options?: Partial<SlowOptions>) => SlowReport;

export const JUDGES: readonly (readonly [string, Judge])[] = [
  [
    'evaluateTrip',
    (trip, day, options) => {
      const all = { timeZone: 'UTC', ...options } as TripOptions;
      return evaluateTrip(trip, DATE, readTrack(day), all) as unknown as SlowReport;
    },
  ],
  [
    'the slow reference',
    (trip, day, options) => {
      const all = { timeZone: 'UTC', ...options };
      return slowReport(trip, DATE, readTrack(day), all);
    },
  ],
];
