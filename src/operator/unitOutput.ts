/** The outputs of a unit: numbered events of its visits, movement, speeding, trips and routes. */

import type { Position } from '../core/geometry.js';
import type { MovementItem, MovementKind, UnknownItem } from '../tracks/index.js';
import type { MovementEvent } from '../tracks/movementAnalysis.js';
import type { Deviation } from '../tracks/route/deviationWalk.js';
import type { Speeding } from '../tracks/speeding/speeding.js';
import type { SpeedingEvent } from '../tracks/speeding/speedingAnalysis.js';
import type { Visit } from '../tracks/visit.js';
import type { HoursEvent, VisitEvent } from '../tracks/visitEvent.js';
import type { TripEvent } from '../trips/terms/tripReport.js';

const MOVEMENT_KINDS: ReadonlySet<unknown> = new Set<MovementKind>(['trip', 'parking', 'stop', 'unknown']);

/** A visit as its events describe it. An open visit lacks the fields that the exit gives. */
export type DescribedVisit = Pick<Visit, 'zoneId' | 'seen' | 'enter' | 'enterBounds' | 'exit'> &
  Partial<Visit>;

/** A later computation found another visit: `is` replaces `was`. Either may be `null`. */
export interface VisitRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Id of the unit. */
  readonly unitId: string;
  /** Id of the zone. */
  readonly zoneId: string;
  /** `enter` of the visit, epoch milliseconds. */
  readonly time: number;
  /** The visit that earlier outputs describe. */
  readonly was: DescribedVisit | null;
  /** The visit that replaces `was`. */
  readonly is: DescribedVisit | null;
}

/** An opening or closing of a zone during a visit. */
export type DescribedHours = Pick<HoursEvent, 'zoneId' | 'time' | 'open'>;

/** A later computation added or withdrew an opening or closing. Its time never moves, so `was` or `is` is `null`. */
export interface HoursRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Always `hours`. */
  readonly kind: 'hours';
  /** Id of the unit. */
  readonly unitId: string;
  /** Id of the zone. */
  readonly zoneId: string;
  /** Time at which the zone opened or closed, epoch milliseconds. */
  readonly time: number;
  /** The withdrawn opening or closing. */
  readonly was: DescribedHours | null;
  /** The added opening or closing. */
  readonly is: DescribedHours | null;
}

/** A trip, parking, stop or unknown time as its events describe it: `to` is `null` while it lasts. */
export type DescribedMovement = Partial<Omit<MovementItem, 'to'> & Pick<UnknownItem, 'reason'>> & {
  /** Trip, parking, stop or unknown. */
  readonly kind: MovementKind;
  /** Start, epoch milliseconds. */
  readonly from: number;
  /** End, epoch milliseconds. */
  readonly to: number | null;
  /** Position at the start. */
  readonly start: Position;
};

/** A later computation found another trip, parking or stop: `is` replaces `was`. Either may be `null`. */
export interface MovementRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Kind of the revised item. */
  readonly kind: MovementKind;
  /** Id of the unit. */
  readonly unitId: string;
  /** Start of the item, epoch milliseconds. */
  readonly time: number;
  /** The item that earlier outputs describe. */
  readonly was: DescribedMovement | null;
  /** The item that replaces `was`. */
  readonly is: DescribedMovement | null;
}

/** The beginning or end of a speeding. */
export interface UnitSpeedingEvent extends SpeedingEvent {
  /** Always `speeding`. */
  readonly kind: 'speeding';
}

/** A speeding as its events describe it. While it lasts, `to` is `null` and the other fields are absent. */
export type DescribedSpeeding = Pick<Speeding, 'from'> &
  Partial<Omit<Speeding, 'to'>> & {
    /** End, epoch milliseconds. */
    readonly to: number | null;
  };

/** A later computation found another speeding: `is` replaces `was`. Either may be `null`. */
export interface SpeedingRevision {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Always `speeding`. */
  readonly kind: 'speeding';
  /** Id of the unit. */
  readonly unitId: string;
  /** Start of the speeding, epoch milliseconds. */
  readonly time: number;
  /** The speeding that earlier outputs describe. */
  readonly was: DescribedSpeeding | null;
  /** The speeding that replaces `was`. */
  readonly is: DescribedSpeeding | null;
}

/** The run of a planned trip that an event belongs to. */
export interface OfRun {
  /** Id of the unit. */
  readonly unitId: string;
  /** Id of the trip. */
  readonly tripId: string;
  /** `yyyy-MM-dd`. */
  readonly date: string;
}

/** An event of a run of a planned trip. */
export interface RunEvent extends TripEvent, OfRun {}

/** A later fix, or an edit of the trip, changed an event of a run: `is` replaces `was`. Either may be `null`. */
export interface RunRevision extends OfRun {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Time of `is`, or of `was` if `is` is `null`, epoch milliseconds. */
  readonly time: number;
  /** The event that earlier outputs describe. */
  readonly was: TripEvent | null;
  /** The event that replaces `was`. */
  readonly is: TripEvent | null;
}

/** An event of a run on the route of its trip. */
export interface RouteNews {
  /** The unit left the corridor, came back, or reversed its direction: see `RouteEvent` of `wayzone/tracks`. */
  readonly type: 'deviated' | 'returned' | 'turned';
  /** Time of the event, epoch milliseconds. */
  readonly time: number;
  /** The absence from the corridor: so far for `deviated`, complete for `returned`; `null` for `turned`. */
  readonly deviation: Deviation | null;
  /** Position along the route for `turned`, metres; else `null`. */
  readonly alongMeters: number | null;
}

/** An event of a run on the route of its trip, as an output. */
export interface RouteRunEvent extends RouteNews, OfRun {
  /** Always `route`. */
  readonly kind: 'route';
}

/** A later fix, or an edit of the trip or its route, changed the news of a run: `is` replaces `was`. Either may be `null`. */
export interface RouteRevision extends OfRun {
  /** Always `revised`. */
  readonly type: 'revised';
  /** Always `route`. */
  readonly kind: 'route';
  /** Time of `is`, or of `was` if `is` is `null`, epoch milliseconds. */
  readonly time: number;
  /** The news that earlier outputs describe. */
  readonly was: RouteNews | null;
  /** The news that replaces `was`. */
  readonly is: RouteNews | null;
}

/** The events of each part of an operator. */
export interface UnitEvents {
  /** Visits to zones, and the hours of these zones. */
  readonly visits: VisitEvent | VisitRevision | HoursEvent | HoursRevision;
  /** Trips, parkings and stops. */
  readonly movement: MovementEvent | MovementRevision;
  /** Speeding by the limits of the unit and of zones. */
  readonly speeding: UnitSpeedingEvent | SpeedingRevision;
  /** Runs of planned trips. */
  readonly trips: RunEvent | RunRevision;
  /** Runs on the routes of their trips. */
  readonly routes: RouteRunEvent | RouteRevision;
}

/** The name of a part of an operator. */
export type UnitPart = keyof UnitEvents;

/**
 * An event of a unit, as plain JSON. Its id is (`unitId`, `number`). The id does not depend on retries, on the split of the input into messages,
 * or on storing the state.
 */
export type UnitOutput = {
  readonly [Part in UnitPart]: {
    /** Id of the unit. */
    readonly unitId: string;
    /** 1, 2, … of the unit, without gaps. */
    readonly number: number;
    /** The part of the operator that emitted the event. */
    readonly of: Part;
    /** The event. */
    readonly event: UnitEvents[Part];
  };
}[UnitPart];

export type PartEvent = UnitEvents[UnitPart];

/** The part's name; `null` for an event that no operator emits. */
export function partOf(event: { readonly type: string }): UnitPart | null {
  const kind = 'kind' in event ? event.kind : null;
  if ('tripId' in event) return kind === 'route' ? 'routes' : 'trips';
  if ('zoneId' in event) return 'visits';
  if (MOVEMENT_KINDS.has(kind)) return 'movement';
  return kind === 'speeding' ? 'speeding' : null;
}

/** The events of one part, in the order given. */
export function eventsOfPart<Part extends UnitPart>(
  part: Part,
  events: Iterable<{ readonly type: string }>,
): UnitEvents[Part][] {
  const own: UnitEvents[Part][] = [];
  for (const event of events) if (partOf(event) === part) own.push(event as UnitEvents[Part]);
  return own;
}
