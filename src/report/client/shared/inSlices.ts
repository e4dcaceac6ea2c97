/** Runs work between frames, so that it never blocks the page. Before printing, all work runs at once. */

/** Milliseconds of a task, to which its last step may add. */
const TASK_MS = 12;
/** Longest time that the first task waits for a frame, milliseconds. */
const MOST_WAIT_MS = 200;
/** Milliseconds of a frame that all slices of work may take together. */
const SLICE_MS = 12;

/** Slices waiting for the next frame, by owner. */
const waiting = new Map<object, { readonly frame: number; readonly step: () => void }>();

let [frameTime, frameEnd] = [Number.NaN, 0];

/** Called before the page is printed. First, the waiting slices run. */
const acts: (() => void)[] = [
  () => {
    for (const [owner, { frame, step }] of waiting) {
      cancelAnimationFrame(frame);
      waiting.delete(owner);
      step();
    }
  },
];

/** End of the time for slices in this frame, as of `performance.now()`. All slices of a frame share it. */
export function sliceEnd(): number {
  if (isOnPaper()) return Number.POSITIVE_INFINITY;
  const own = Number(document.timeline.currentTime);
  if (own !== frameTime) [frameTime, frameEnd] = [own, performance.now() + SLICE_MS];
  return frameEnd;
}

/** Runs `step` in the next frame. */
export function nextSlice(owner: object, step: () => void): void {
  cancelSlice(owner);
  watchPrinting();
  const frame = requestAnimationFrame(() => {
    waiting.delete(owner);
    step();
  });
  waiting.set(owner, { frame, step });
}

/** Cancels the slice that `nextSlice` planned for the owner. */
export function cancelSlice(owner: object): void {
  const known = waiting.get(owner);
  if (known === undefined) return;
  cancelAnimationFrame(known.frame);
  waiting.delete(owner);
}

/**
 * Calls `work(i)` for each `i` below `count`, spread over frames, at most `most` in each: for new elements the browser's style and layout
 * take longer than `work` itself. A new call with the same `owner` cancels the last one.
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

let isListening = false;
let isPrinting = false;

/** Watches the printing of the page from the first use on: the module itself has no effect. */
function watchPrinting(): void {
  if (isListening) return;
  isListening = true;
  addEventListener('beforeprint', () => {
    isPrinting = true;
    // A callback may add further ones: while the page is loading, most of its parts do not exist yet.
    for (const act of acts) act();
  });
  addEventListener('afterprint', () => {
    isPrinting = false;
  });
}

/** Calls `act` before the page is printed. Several callbacks run in the order in which they were added. */
export function onPrint(act: () => void): void {
  watchPrinting();
  acts.push(act);
}

/** Whether the page is being printed. If so, no work may wait for a frame or a task. */
function isOnPaper(): boolean {
  watchPrinting();
  return isPrinting;
}
