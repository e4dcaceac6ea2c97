/** Gauss–Legendre rules on [0, 1]: node, weight, node, weight, … (Abramowitz & Stegun 25.4.29–30). */

/** Makes the n-point rule by Newton's method on the Legendre polynomial; accurate to the last digits. */
function rule(count: number): readonly number[] {
  const pairs: number[] = [];
  for (let i = 0; i < count; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let round = 0; round < 8; round++) {
      let previous = 1;
      let current = x;
      for (let k = 2; k <= count; k++) {
        const next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
        previous = current;
        current = next;
      }
      slope = (count * (previous - x * current)) / (1 - x * x);
      x -= current / slope;
    }
    pairs.push((1 - x) / 2, 1 / ((1 - x * x) * slope * slope));
  }
  return pairs;
}

export const GAUSS_8: readonly number[] = rule(8);
export const GAUSS_12: readonly number[] = rule(12);
