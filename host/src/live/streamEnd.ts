/** Ends a stream when its access or its object expires, its client leaves, or the host closes it. */

export interface StreamEnd {
  readonly signal: AbortSignal;
  end(): void;
}

/** Longest delay of `setTimeout`: it fires at once for a longer delay. */
const LONGEST_MS = 2 ** 31 - 1;

/** Ends at the earliest of `expiries` (epoch milliseconds; null: never), or when `end` is called. `end` also clears the timer. */
export function streamEnd(now: number, ...expiries: readonly (number | null)[]): StreamEnd {
  const controller = new AbortController();
  const left = Math.min(...expiries.map((expiry) => (expiry ?? Number.POSITIVE_INFINITY) - now));
  const timer =
    left === Number.POSITIVE_INFINITY
      ? undefined
      : setTimeout(() => controller.abort(), Math.min(Math.max(left, 0), LONGEST_MS));
  timer?.unref();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      controller.abort();
    },
  };
}
