/** The report's input for one run of a trip. */

import type { TripReport } from '../trips/terms/tripReport.js';

/** A run with the name of its trip. */
export interface ReportTrip {
  readonly name: string;
  readonly report: TripReport;
}
