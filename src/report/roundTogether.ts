/** Rounds amounts so that the rounded ones add up. */

/**
 * Each amount as a whole number of steps, up or down by less than one. Their sum is that of the amounts, rounded once: the largest rests are
 * rounded up; of equal ones the first.
 */
export function roundTogether(amounts: readonly number[], step: number): number[] {
  const steps = amounts.map((amount) => Math.floor(amount / step));
  const rests = amounts.map((amount, i) => amount / step - steps[i]!);
  const missing = Math.round(rests.reduce((sum, rest) => sum + rest, 0));
  const order = rests.map((_, i) => i).sort((a, b) => rests[b]! - rests[a]! || a - b);
  for (const i of order.slice(0, missing)) steps[i]!++;
  return steps;
}
