/** Pseudo-random numbers that move the vertices of corridors slightly; the same in every run. */

/** Numbers from -1 to 1, by a linear congruential generator with the constants of Numerical Recipes. */
export function jitterSource(): () => number {
  let state = 0x9e3779b9 | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 0x80000000;
  };
}
