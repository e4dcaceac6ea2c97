/** Runs work between frames, so that it never blocks the page. Paper waits for no frame: printing does all of it at once. */

import { isOnPaper, onPrint } from './onPrint.js';

/** Milliseconds of a frame that slices of work may take together. */
const SLICE_MS = 12;

/** Slices that wait for the next frame, by their owners. */
const waiting = new Map<object, { readonly frame: number; readonly step: () => void }>();
let [frameTime, frameEnd] = [Number.NaN, 0];

onPrint(() => {
  for (const [owner, { frame, step }] of waiting) {
    cancelAnimationFrame(frame);
    waiting.delete(owner);
    step();
  }
});

/** The time, as of `performance.now()`, until which slices of this frame may work. All slices of a frame share it. */
export function sliceEnd(): number {
  if (isOnPaper()) return Number.POSITIVE_INFINITY;
  const own = Number(document.timeline.currentTime);
  if (own !== frameTime) [frameTime, frameEnd] = [own, performance.now() + SLICE_MS];
  return frameEnd;
}

/** Runs `step` in the next frame. */
export function nextSlice(owner: object, step: () => void): void {
  cancelSlice(owner);
  const frame = requestAnimationFrame(() => {
    waiting.delete(owner);
    step();
  });
  waiting.set(owner, { frame, step });
}

/** Cancels what `nextSlice` has planned for the owner. */
export function cancelSlice(owner: object): void {
  const known = waiting.get(owner);
  if (known === undefined) return;
  cancelAnimationFrame(known.frame);
  waiting.delete(owner);
}

/**
 * Calls `work` with each number below `count`, some in each frame, at most `most`: what the browser does afterwards for new elements (style and
 * layout) takes longer than to make them. A new call with the same `owner` cancels the last one.
 */
export function inSlices(
  owner: object,
  count: number,
  work: (i: number) => void,
  most: number = count,
): void {
  cancelSlice(owner);
  const step = (start: number): void => {
    const end = sliceEnd();
    const last = isOnPaper() ? count : Math.min(count, start + most);
    let i = start;
    while (i < last) {
      work(i++);
      if (performance.now() >= end) break;
    }
    if (i < count) nextSlice(owner, () => step(i));
  };
  step(0);
}
