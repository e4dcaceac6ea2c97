/** Runs long work in short tasks. Between them the browser draws the page and handles input. */

import { onPrint } from './onPrint.js';

/** Milliseconds of a task, to which its last step may add. */
const TASK_MS = 12;
/** Longest time that the first task waits for a frame, milliseconds. */
const MOST_WAIT_MS = 200;

/** Runs the work, which may pause at each `yield`. Before printing, the rest runs at once. */
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
  // The page is drawn first. The timer covers hidden pages, which have no frames.
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, MOST_WAIT_MS);
}
