/** A visit of a unit to a zone. */

/** One visit of a unit to a zone. Times are whole epoch milliseconds; the interval is `[enter, exit)`. */
export interface Visit {
  /** Id of the zone. */
  readonly zoneId: string;
  /** `inside`: at least one fix is in the zone. `crossed`: only a segment between two fixes is in the zone. */
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
  /** The fix times around `enter`. The first is `null` if the track begins inside. */
  readonly enterBounds: readonly [number | null, number];
  /** The fix times around `exit`; `null` while the visit is open. */
  readonly exitBounds: readonly [number, number | null] | null;
  /** Fixes in the zone (distance ≤ 0). */
  readonly fixCount: number;
}
