/** A cost matrix with a diagonal of 0. */
export const matrixOf = (n: number, cost: (from: number, to: number) => number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 0 : cost(i, j))));
