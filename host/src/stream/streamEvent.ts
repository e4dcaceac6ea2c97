/** The events of the stream: what the trackers emit, and what late fixes change of it. */

import type { MovementEvent, MovementItem, Visit, VisitEvent } from 'wayzone/tracks';
import type { TripStreamEvent } from './tripStreamEvent.js';

/** A visit as its events tell it: open while `exit` is null. */
export type ToldVisit = Pick<Visit, 'zoneId' | 'seen' | 'enter' | 'exit' | 'enterBounds'> & Partial<Visit>;

/** Late fixes changed a reported visit: `is` replaces `was`. Either may be null. */
export interface RevisedVisit {
  readonly type: 'revised';
  readonly unitId: string;
  readonly zoneId: string;
  /** That of `is`, else of `was`: when it was entered. */
  readonly time: number;
  readonly was: ToldVisit | null;
  readonly is: ToldVisit | null;
}

/** A trip, parking or stop as its events tell it: under way while `to` is null, and then without the other fields of `MovementItem`. */
export type ToldMovement = Pick<MovementEvent, 'kind'> &
  Pick<MovementItem, 'from' | 'start'> &
  Partial<Omit<MovementItem, 'to'>> & { readonly to: number | null };

/** Late fixes changed a reported trip, parking or stop: `is` replaces `was`. Either may be null. */
export interface RevisedMovement {
  readonly type: 'revised';
  readonly kind: MovementEvent['kind'];
  readonly unitId: string;
  /** That of `is`, else of `was`: when it began. */
  readonly time: number;
  readonly was: ToldMovement | null;
  readonly is: ToldMovement | null;
}

export type StreamEvent = VisitEvent | MovementEvent | RevisedVisit | RevisedMovement | TripStreamEvent;

/** Whether the event is of a visit. */
export function isVisitEvent(event: StreamEvent): event is VisitEvent | RevisedVisit {
  return 'zoneId' in event;
}

/** Whether the event is of a drive, a parking or a stop. */
export function isMovementEvent(event: StreamEvent): event is MovementEvent | RevisedMovement {
  return 'kind' in event;
}
