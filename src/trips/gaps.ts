/** Stretches of time in which nothing is known of a unit. */

export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Whether the closed stretch lies wholly in gaps, which may touch each other. */
export function isInGaps(gaps: readonly Gap[], from: number, to: number): boolean {
  let reached: number | null = null;
  for (const gap of [...gaps].sort((a, b) => a.from - b.from)) {
    if (gap.from > (reached ?? from)) break;
    if (gap.to >= from) reached = Math.max(reached ?? from, gap.to);
  }
  return reached !== null && reached >= to;
}
