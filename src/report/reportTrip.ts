/** The report's input for one run of a trip. */

import type { TripReport } from '../trips/tripReport.js';

/** A run with the name that its trip has. */
export interface ReportTrip {
  readonly name: string;
  readonly report: TripReport;
}
