/** Subpath `wayzone/tracks`: clean tracks, visits to zones, trips and parkings, colours by speed, deviations from a line. */

export type { RejectReason } from '../core/errorCode.js';
export type { BlindReason, Fix, Track } from '../core/fix.js';
export type {
  GradationStyle,
  TrackGradation,
  TripDetectorFields,
  TripDetectorSettings,
  UnitFields,
  UnitSettings,
} from '../core/trackSettings.js';
export type { HoursOf, Span, ZoneHours } from '../core/zoneHours.js';
export { detectTrips, type MovementReport } from './detectTrips.js';
export { findVisits } from './findVisits.js';
export type { StreamCounts } from './fixIntake.js';
export type { FixOptions, RolloverWindow } from './fixReader.js';
export { type GradationOptions, type GradedRun, gradeTrack } from './gradeTrack.js';
export { findRides, type Ride, type RideOptions } from './ledger/findRides.js';
export { type MeasuredVisit, measureVisits } from './ledger/measureVisits.js';
export type { StayLike, ZoneSpan } from './ledger/readSpans.js';
export { splitByZone, type ZoneRun } from './ledger/splitByZone.js';
export { type SumOptions, sumByZone, type ZoneSum } from './ledger/sumByZone.js';
export { findMeetings } from './meetings/findMeetings.js';
export type { Meeting, MeetingOptions } from './meetings/meeting.js';
export type { MeetingEvent, PairMeeting } from './meetings/meetingAnalysis.js';
export { MeetingTracker, type MeetingTrackerOptions } from './meetings/meetingTracker.js';
export type { GapOptions, MeteredOptions } from './meter/gapRules.js';
export type { Measure } from './meter/measure.js';
export { meterTrack } from './meter/meterTrack.js';
export type { TrackMeter } from './meter/trackMeter.js';
export type { MovementItem, MovementKind, UnknownItem } from './movement/movementItem.js';
export type { UnknownReason } from './movement/wayState.js';
export type { MovementEvent } from './movementAnalysis.js';
export type { MovementOptions } from './movementRules.js';
export { MovementTracker, type MovementTrackerOptions } from './movementTracker.js';
export { type ReadTrack, readTrack, type TrackOptions } from './readTrack.js';
export { REJECT_REASONS } from './rejection.js';
export type { Deviation } from './route/deviationWalk.js';
export { type DeviationOptions, findDeviations } from './route/findDeviations.js';
export { matchRoute, type RouteMatch } from './route/matchRoute.js';
export {
  type NearestOnRouteOptions,
  type PreparedRoute,
  prepareRoute,
  type RouteOptions,
} from './route/prepareRoute.js';
export type { RouteEvent } from './route/routeAnalysis.js';
export type { MatchedLeg, RoutePart } from './route/routeParts.js';
export type { MatchOptions } from './route/routeRules.js';
export type { RouteReport } from './route/routeRun.js';
export { type RouteProgress, RouteTracker, type RouteTrackerOptions } from './route/routeTracker.js';
export { findSpeeding } from './speeding/findSpeeding.js';
export type { Speeding, SpeedingPart } from './speeding/speeding.js';
export type { SpeedingEvent } from './speeding/speedingAnalysis.js';
export type {
  SpeedingOptions,
  SpeedingPushOptions,
  SpeedingSources,
  SpeedingThresholds,
  SpeedingTrackerOptions,
} from './speeding/speedingOptions.js';
export { SpeedingTracker } from './speeding/speedingTracker.js';
export type { LimitPlace, LimitSources, LimitWords, ZoneLimits } from './speeding/speedLimits.js';
export { type UrbanMileage, type UrbanOptions, urbanMileage } from './speeding/urbanMileage.js';
export { type FindStaysOptions, findStays, type Stay } from './stays/findStays.js';
export {
  type CircleShape,
  type SuggestZonesOptions,
  suggestZones,
  type UnitStay,
  type ZoneSuggestion,
} from './stays/suggestZones.js';
export type { PushOptions } from './stream/unitStream.js';
export type { StreamSnapshot } from './stream/unitTracker.js';
export type { StreamOptions } from './streamOptions.js';
export type { Visit } from './visit.js';
export type { EnterEvent, ExitEvent, GapEvent, HoursEvent, VisitEvent } from './visitEvent.js';
export type { VisitOptions } from './visitRules.js';
export { type VisitRestoreOptions, VisitTracker, type VisitTrackerOptions } from './visitTracker.js';
export type { ZoneIndexLike } from './zoneIndexLike.js';
