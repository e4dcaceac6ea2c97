/** The events of the stream: those that the trackers emit, and the corrections after late fixes. */

import type {
  HoursEvent,
  Meeting,
  MeetingEvent,
  MovementEvent,
  MovementItem,
  Speeding,
  SpeedingEvent,
  Visit,
  VisitEvent,
} from 'wayzone/tracks';
import type { RouteStreamEvent, TripStreamEvent } from './tripStreamEvent.js';

/** A visit as its events describe it: open while `exit` is null. */
export type EmittedVisit = Pick<Visit, 'zoneId' | 'seen' | 'enter' | 'exit' | 'enterBounds'> & Partial<Visit>;

/** Late fixes changed a reported visit: `is` replaces `was`. Either may be null. */
export interface RevisedVisit {
  readonly type: 'revised';
  readonly unitId: string;
  readonly zoneId: string;
  /** The time of entry of `is`; if `is` is null, of `was`. Epoch milliseconds. */
  readonly time: number;
  readonly was: EmittedVisit | null;
  readonly is: EmittedVisit | null;
}

/** A trip, parking or stop as its events describe it. While it is under way, `to` is null and other fields of `MovementItem` are absent. */
export type EmittedMovement = Pick<MovementEvent, 'kind'> &
  Pick<MovementItem, 'from' | 'start'> &
  Partial<Omit<MovementItem, 'to'>> & { readonly to: number | null };

/** Late fixes changed a reported trip, parking or stop: `is` replaces `was`. Either may be null. */
export interface RevisedMovement {
  readonly type: 'revised';
  readonly kind: MovementEvent['kind'];
  readonly unitId: string;
  /** The beginning of `is`; if `is` is null, of `was`. Epoch milliseconds. */
  readonly time: number;
  readonly was: EmittedMovement | null;
  readonly is: EmittedMovement | null;
}

/** A zone opened or closed while the unit was in it. */
export type EmittedHours = Pick<HoursEvent, 'zoneId' | 'time' | 'open'>;

/** Late fixes withdrew or added the opening or closing of a zone during a visit. */
export interface RevisedHours {
  readonly type: 'revised';
  readonly kind: 'hours';
  readonly unitId: string;
  readonly zoneId: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly was: EmittedHours | null;
  readonly is: EmittedHours | null;
}

/** Speeding begins or ends, by the limits of the unit and the zones. */
export type SpeedingStreamEvent = SpeedingEvent & { readonly kind: 'speeding' };

/** Speeding as its events describe it. While it is under way, `to` is null and the other fields are absent. */
export type EmittedSpeeding = Pick<Speeding, 'from'> &
  Partial<Omit<Speeding, 'to'>> & { readonly to: number | null };

/** Late fixes changed reported speeding: `is` replaces `was`. Either may be null. */
export interface RevisedSpeeding {
  readonly type: 'revised';
  readonly kind: 'speeding';
  readonly unitId: string;
  /** The beginning of `is`; if `is` is null, of `was`. Epoch milliseconds. */
  readonly time: number;
  readonly was: EmittedSpeeding | null;
  readonly is: EmittedSpeeding | null;
}

/** A meeting as its events describe it. While it is under way, `to` is null and the other fields are absent. */
export type EmittedMeeting = Pick<Meeting, 'from'> &
  Partial<Omit<Meeting, 'to'>> & { readonly to: number | null };

/** A unit and its trailer come together or part, and what late fixes change. `unitId` is the first of the units. */
export type MeetingStreamEvent = { readonly kind: 'meeting'; readonly unitId: string } & (
  | MeetingEvent
  | {
      readonly type: 'revised';
      readonly units: readonly [string, string];
      /** The beginning of `is`; if `is` is null, of `was`. Epoch milliseconds. */
      readonly time: number;
      readonly was: EmittedMeeting | null;
      readonly is: EmittedMeeting | null;
    }
);

export type StreamEvent =
  | VisitEvent
  | RevisedVisit
  | HoursEvent
  | RevisedHours
  | MovementEvent
  | RevisedMovement
  | SpeedingStreamEvent
  | RevisedSpeeding
  | TripStreamEvent
  | RouteStreamEvent
  | MeetingStreamEvent;

/** Whether the event belongs to a visit. */
export function isVisitEvent(event: StreamEvent): event is VisitEvent | RevisedVisit {
  return 'zoneId' in event && !isHoursEvent(event);
}

/** Whether the event is the opening or closing of a zone during a visit. */
export function isHoursEvent(event: StreamEvent): event is HoursEvent | RevisedHours {
  return event.type === 'hours' || ('kind' in event && event.kind === 'hours');
}

/** Whether the event belongs to a trip, a parking or a stop. */
export function isMovementEvent(event: StreamEvent): event is MovementEvent | RevisedMovement {
  return 'kind' in event && MOVEMENT.has(event.kind);
}

/** Whether the event belongs to speeding. */
export function isSpeedingEvent(event: StreamEvent): event is SpeedingStreamEvent | RevisedSpeeding {
  return 'kind' in event && event.kind === 'speeding';
}

/** Whether the event belongs to a meeting of a unit and its trailer. */
export function isMeetingEvent(event: StreamEvent): event is MeetingStreamEvent {
  return 'kind' in event && event.kind === 'meeting';
}

const MOVEMENT: ReadonlySet<string> = new Set<MovementEvent['kind']>(['trip', 'parking', 'stop']);
