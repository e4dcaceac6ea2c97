/** Runs long work in short tasks, between which the page is drawn and answers. */

import { onPrint } from './onPrint.js';

/** Milliseconds of a task, and its steps come on top. */
const TASK_MS = 12;
/** Milliseconds that the first task waits for a frame. */
const MOST_WAIT_MS = 200;

/** Runs the work, which may pause at each `yield`. Paper waits for no task: before printing, the rest is done at once. */
export function inTasks(work: Iterator<void, void>): void {
  let isDone = false;
  const runUntil = (end: number): void => {
    try {
      while (!isDone) {
        isDone = work.next().done === true;
        if (performance.now() >= end) return;
      }
    } catch (error) {
      isDone = true;
      throw error;
    }
  };
  const run = (): void => {
    runUntil(performance.now() + TASK_MS);
    if (!isDone) setTimeout(run);
  };
  onPrint(() => runUntil(Number.POSITIVE_INFINITY));
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    run();
  };
  // The browser first draws what is there. A hidden page has no frames.
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, MOST_WAIT_MS);
}
