/** Shrinks a line on which something fails, so that a failure can be printed as a literal. */

import type { Position } from '../../../src/index.js';

/** The line without the runs of vertices that the failure does not need. */
export function smallestLine(
  line: readonly Position[],
  fails: (line: readonly Position[]) => boolean,
): readonly Position[] {
  let smallest = line;
  for (let size = Math.ceil(line.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < smallest.length; ) {
      const shorter = [...smallest.slice(0, from), ...smallest.slice(from + size)];
      if (shorter.length > 0 && fails(shorter)) smallest = shorter;
      else from += size;
    }
  }
  return smallest;
}
