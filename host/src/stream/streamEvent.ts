/** The events of the stream: those that the trackers emit, and the corrections after late fixes. */

import type { MovementEvent, MovementItem, Visit, VisitEvent } from 'wayzone/tracks';
import type { TripStreamEvent } from './tripStreamEvent.js';

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

export type StreamEvent = VisitEvent | MovementEvent | RevisedVisit | RevisedMovement | TripStreamEvent;

/** Whether the event belongs to a visit. */
export function isVisitEvent(event: StreamEvent): event is VisitEvent | RevisedVisit {
  return 'zoneId' in event;
}

/** Whether the event belongs to a trip, a parking or a stop. */
export function isMovementEvent(event: StreamEvent): event is MovementEvent | RevisedMovement {
  return 'kind' in event;
}
