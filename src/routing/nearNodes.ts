/** For every node, the few nodes that it reaches at least cost. Improvements join a node only to these. */

import type { TourProblem } from './tourProblem.js';

/** Nearest nodes of all nodes in one array, `count` per node; nearest first, ties by index. */
export interface NearNodes {
  readonly count: number;
  readonly nodes: Int32Array;
}

/** The nearest nodes by `costs[node][other]` (`to`) or `costs[other][node]` (`from`). Cost O(n² + n count log n) for usual costs. */
export function nearNodes({ size, costs }: TourProblem, direction: 'to' | 'from', most: number): NearNodes {
  const count = Math.min(most, size - 1);
  const nodes = new Int32Array(size * count);
  const best = new Float64Array(count);
  for (let node = 0; node < size; node++) {
    const base = node * count;
    let filled = 0;
    for (let other = 0; other < size; other++) {
      if (other === node) continue;
      const cost = direction === 'to' ? costs[node * size + other]! : costs[other * size + node]!;
      if (filled === count && cost >= best[count - 1]!) continue;
      let place = filled < count ? filled++ : count - 1;
      for (; place > 0 && best[place - 1]! > cost; place--) {
        best[place] = best[place - 1]!;
        nodes[base + place] = nodes[base + place - 1]!;
      }
      best[place] = cost;
      nodes[base + place] = other;
    }
  }
  return { count, nodes };
}
