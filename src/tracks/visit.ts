/** A visit of a unit to a zone, and the options that decide what counts as one. */

/** One visit of a unit to a zone. Times are whole epoch milliseconds; the interval is `[enter, exit)`. */
export interface Visit {
  /** Id of the zone. */
  readonly zoneId: string;
  /** `inside`: at least one fix lies in the zone. `crossed`: only the segment between two fixes does. */
  readonly seen: 'inside' | 'crossed';
  /**
   * `left`: the unit went out. `open`: the unit was inside when the track ended. `gap`: a gap ended the visit.
   * `zone-changed`: the zone was changed or removed while the unit was inside (streams only).
   * `handed-over`: another unit took over while the unit was inside (runs of trips only).
   */
  readonly end: 'left' | 'open' | 'gap' | 'zone-changed' | 'handed-over';
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
  readonly exitBufferMeters?: number | undefined;
  /** At most this much of the accuracy of a fix outside is added to `exitBufferMeters`. Default 0. */
  readonly accuracyCapMeters?: number | undefined;
  /** A dwell inside must last this long to be a visit (≥). Default 0. */
  readonly minInsideSeconds?: number | undefined;
  /** An absence must last this long to end a visit (≥). Default 0. */
  readonly minOutsideSeconds?: number | undefined;
  /** A longer time between two fixes is a gap. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number | undefined;
  /** A longer distance between two fixes is a gap. Default `Infinity`: off. */
  readonly maxGapMeters?: number | undefined;
  /** A gap between two fixes in the zone that are at most this far apart is a parked unit: its visit continues. Default 200. */
  readonly parkedMeters?: number | undefined;
  /** A zone between two fixes counts as crossed only if the fixes are less than this far apart. Default 5000; `Infinity`: always. */
  readonly maxCrossedMeters?: number | undefined;
}
