/** What a unit's stay in a zone looks like, and the options that decide it. */

/** One stay of a unit in one zone. Times are whole epoch milliseconds; the interval is `[enter, exit)`. */
export interface Visit {
  /** The zone's. */
  readonly zoneId: string;
  /** `inside`: at least one fix lies in the zone. `crossed`: only the way between two fixes does. */
  readonly seen: 'inside' | 'crossed';
  /**
   * `left`: it went out. `open`: still inside when the track ends. `gap`: a silence that is not bridged ends it.
   * `zone-changed`: the zone was changed or removed under the unit (streams only).
   */
  readonly end: 'left' | 'open' | 'gap' | 'zone-changed';
  /** Epoch milliseconds. */
  readonly enter: number;
  /** `null` while the visit is open. */
  readonly exit: number | null;
  /** The fix times around `enter`; the first is `null` when the track begins inside. */
  readonly enterBounds: readonly [number | null, number];
  /** The fix times around `exit`; `null` while the visit is open. */
  readonly exitBounds: readonly [number, number | null] | null;
  /** Fixes in the zone (distance ≤ 0). */
  readonly fixCount: number;
}

/** When a zone counts as entered and left. */
export interface VisitOptions {
  /** Metres beyond the boundary at which the zone counts as left. Default 0. */
  readonly exitBufferMeters?: number;
  /** At most this much of the accuracy of a fix outside is added to `exitBufferMeters`. Default 0. */
  readonly accuracyCapMeters?: number;
  /** A stay must last this long to be a visit (≥). Default 0. */
  readonly minInsideSeconds?: number;
  /** An absence must last this long to end a visit (≥). Default 0. */
  readonly minOutsideSeconds?: number;
  /** A longer silence is a gap. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number;
  /** A longer step is a gap. Default `Infinity`: off. */
  readonly maxGapMeters?: number;
  /** A gap between two fixes in the zone at most this far apart is a parked unit asleep. Default 200. */
  readonly parkedMeters?: number;
  /** Only a shorter step can cross a zone without a fix in it. Default 5000; `Infinity`: any. */
  readonly maxCrossedMeters?: number;
}
