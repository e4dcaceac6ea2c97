/** A time in which a unit was too fast. */

/** Part of an event: a longest span of one limit from one source. */
export interface SpeedingPart {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  /** km/h, without the tolerance. */
  readonly limitKph: number;
  /** The zone that gave the limit. null: the unit or `limitOf` gave the limit. */
  readonly zoneId: string | null;
  /** The greatest speed, km/h. */
  readonly maxKph: number;
  /** Metres, as in `meterTrack`. */
  readonly distanceMeters: number;
}

/** A longest span in which a unit exceeded its limit and tolerance at every instant. */
export interface Speeding {
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  /** The greatest speed, km/h. */
  readonly maxKph: number;
  /** The greatest excess over the limit, km/h. The tolerance is not subtracted. */
  readonly maxOverKph: number;
  /** Metres, as in `meterTrack`. */
  readonly distanceMeters: number;
  /** From `from` to `to`. */
  readonly durationSeconds: number;
  /**
   * `below`: the unit slowed down, or the limit rose or ended. `gap`, `track`: the unit was still too fast at the last fix before a gap, or of
   * the track.
   */
  readonly end: 'below' | 'gap' | 'track';
  /** In order of time, without hole. */
  readonly parts: readonly SpeedingPart[];
}

/** An event under way. Plain JSON. */
export interface OpenSpeeding {
  parts: SpeedingPart[];
  /** Whether the excess reaches the last fix. */
  reachesEnd: boolean;
  /** Whether the speed at the last fix exceeds the threshold. */
  isAboveAtEnd: boolean;
  /** Whether the `begin` event was emitted. */
  isBegun: boolean;
}

/** The event with `end`; null if rounding left no duration. */
export function speedingOf({ parts }: OpenSpeeding, end: Speeding['end']): Speeding | null {
  const joined: SpeedingPart[] = [];
  for (const part of parts) {
    if (part.to === part.from) continue;
    const before = joined.at(-1);
    if (before !== undefined && isSame(before, part)) joined[joined.length - 1] = joinedParts(before, part);
    else joined.push(part);
  }
  const [first, last] = [joined[0], joined.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    from: first.from,
    to: last.to,
    maxKph: Math.max(...joined.map(({ maxKph }) => maxKph)),
    maxOverKph: Math.max(...joined.map(({ maxKph, limitKph }) => maxKph - limitKph)),
    distanceMeters: joined.reduce((sum, { distanceMeters }) => sum + distanceMeters, 0),
    durationSeconds: (last.to - first.from) / 1000,
    end,
    parts: joined.map(partOf),
  };
}

/** A copy in the order of fields that every event has, whatever a store made of the state. */
function partOf({ from, to, limitKph, zoneId, maxKph, distanceMeters }: SpeedingPart): SpeedingPart {
  return { from, to, limitKph, zoneId, maxKph, distanceMeters };
}

/** The event as if the track ended at the last fix. */
export function speedingSoFar(open: OpenSpeeding): Speeding | null {
  return speedingOf(open, open.reachesEnd && open.isAboveAtEnd ? 'track' : 'below');
}

/** Adds a part; one of the same limit and zone as the last extends it. */
export function addPart(open: OpenSpeeding, part: SpeedingPart): void {
  const last = open.parts.at(-1);
  if (last !== undefined && isSame(last, part)) open.parts[open.parts.length - 1] = joinedParts(last, part);
  else open.parts.push(part);
}

function isSame(a: SpeedingPart, b: SpeedingPart): boolean {
  return a.limitKph === b.limitKph && a.zoneId === b.zoneId;
}

function joinedParts(a: SpeedingPart, b: SpeedingPart): SpeedingPart {
  return {
    from: a.from,
    to: b.to,
    limitKph: a.limitKph,
    zoneId: a.zoneId,
    maxKph: Math.max(a.maxKph, b.maxKph),
    distanceMeters: a.distanceMeters + b.distanceMeters,
  };
}
