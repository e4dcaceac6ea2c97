/** Lets requests that arrive within some milliseconds share one piece of work. */

import { setTimeout as sleep } from 'node:timers/promises';

export interface Gather {
  /** Resolves when the next piece may begin: at once if the last one began long ago, or if waiting brought nothing lately. */
  begin(): Promise<void>;
  /** The number of requests in the piece that has begun. */
  had(requests: number): void;
}

/** Pieces that begin at once after waits that brought no second request. */
const MOST_SKIPS = 64;

/** `ms`: how long after the begin of a piece the next one waits. Who sends one request after another waits one time in `MOST_SKIPS`. */
export function gather(ms: number): Gather {
  let last = Number.NEGATIVE_INFINITY;
  let hasWaited = false;
  let skips = 0;
  let nextSkips = 1;
  return {
    async begin() {
      const rest = last + ms - performance.now();
      hasWaited = rest > 0 && skips === 0;
      if (hasWaited) await sleep(rest);
      else if (rest > 0) skips--;
      last = performance.now();
    },
    had(requests) {
      if (!hasWaited) return;
      skips = requests > 1 ? 0 : nextSkips;
      nextSkips = requests > 1 ? 1 : Math.min(MOST_SKIPS, 2 * nextSkips);
    },
  };
}
