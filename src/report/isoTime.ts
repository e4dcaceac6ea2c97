/** Epoch milliseconds as ISO 8601 UTC. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}
