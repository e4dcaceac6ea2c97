/** §6 `TripReport` by the slow reference. */

import type { Visit } from '../../../src/tracks/visit.js';
import type { Bounds } from './slowModel.js';

export type SlowStatus =
  | 'scheduled'
  | 'not_started'
  | 'no_data'
  | 'active'
  | 'aborted'
  | 'finished'
  | 'finished_with_violations';
export type SlowPointStatus = 'pending' | 'inside' | 'passed' | 'skipped' | 'missed' | 'no_data';
export type SlowTimeStatus = 'early' | 'on_time' | 'late' | 'uncertain';

export interface SlowPointReport {
  readonly index: number;
  readonly name: string;
  readonly status: SlowPointStatus;
  readonly plannedArrival: number | null;
  readonly plannedDeparture: number | null;
  readonly arrival: number | null;
  readonly arrivalBounds: Bounds | null;
  readonly departure: number | null;
  readonly departureBounds: Bounds | null;
  readonly arrivalDeviationSeconds: number | null;
  readonly departureDeviationSeconds: number | null;
  readonly arrivalStatus: SlowTimeStatus | null;
  readonly departureStatus: SlowTimeStatus | null;
  readonly overdueSeconds: number | null;
  readonly outOfOrder: boolean;
  readonly visit: (Visit & { readonly hasGap: boolean }) | null;
}

export type SlowViolationType = 'not_started' | 'skipped' | 'missed' | 'out_of_order' | 'early' | 'late';

export interface SlowViolation {
  readonly type: SlowViolationType;
  readonly pointIndex: number;
  readonly which: 'arrival' | 'departure' | null;
  readonly seconds: number | null;
}

export interface SlowEvent {
  readonly type: string;
  readonly time: number;
  readonly pointIndex: number | null;
}

export interface SlowTotals {
  readonly passed: number;
  readonly skipped: number;
  readonly missed: number;
  readonly noData: number;
  readonly onTime: number;
  readonly uncertain: number;
  readonly share: number;
  readonly distanceMeters: number | null;
}

export interface SlowReport {
  readonly tripId: string | null;
  readonly unitId: string | null;
  readonly date: string;
  readonly timeZone: string;
  readonly window: { readonly from: number; readonly to: number };
  readonly passageOrder: string;
  readonly status: SlowStatus;
  readonly activation: 'seen' | 'planned' | 'assumed' | null;
  readonly activatedAt: number | null;
  readonly finishedAt: number | null;
  readonly lastFixAt: number | null;
  readonly startedInside: boolean;
  readonly defaultWidthMeters: number;
  readonly defaultDeviationMinutes: number;
  readonly points: readonly SlowPointReport[];
  readonly totals: SlowTotals;
  readonly violations: readonly SlowViolation[];
  readonly events: readonly SlowEvent[];
}
