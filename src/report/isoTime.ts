/** Epoch milliseconds as ISO 8601 UTC. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** ISO 8601 UTC, or `null` for `null`. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
