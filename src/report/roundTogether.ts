/** Rounds amounts so that their sum stays right. */

/**
 * Each row's amount as a whole number of steps, rounded up or down by less than one. The whole numbers add up to the rounded sum of the
 * amounts: the amounts with the largest fractions are rounded up; of equal fractions the first.
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
