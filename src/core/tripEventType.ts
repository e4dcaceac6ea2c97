/** Types of a trip's events: the one list for reports and their schema. */

/** Event types in the order of events at one instant. */
export const TRIP_EVENT_TYPES = [
  'point_left',
  'departure_early',
  'departure_late',
  'trip_activated',
  'point_skipped',
  'point_entered',
  'arrival_early',
  'arrival_late',
  'arrival_overdue',
  'point_out_of_order',
  'trip_finished',
  'trip_aborted',
  'late_expected',
  'late_averted',
] as const;

/** Type of an event of a run. */
export type TripEventType = (typeof TRIP_EVENT_TYPES)[number];
