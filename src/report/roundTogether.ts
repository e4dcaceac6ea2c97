/** Rounds amounts so that the rounded ones add up. */

/**
 * Each row's amount as a whole number of steps, up or down by less than one. Their sum is that of the amounts, rounded once: the largest rests are
 * rounded up; of equal ones the first.
 */
export function roundTogether<Row>(
  rows: readonly Row[],
  amountOf: (row: Row) => number,
  step: number,
): number[] {
  const amounts = rows.map((row) => amountOf(row) / step);
  const steps = amounts.map(Math.floor);
  const rests = amounts.map((amount, i) => amount - steps[i]!);
  const missing = Math.round(rests.reduce((sum, rest) => sum + rest, 0));
  const order = rests.map((_, i) => i).sort((a, b) => rests[b]! - rests[a]! || a - b);
  for (const i of order.slice(0, missing)) steps[i]!++;
  return steps;
}
