/** Runs work between frames, so that it never blocks the page. */

/** Milliseconds of a frame that a slice of work may take. */
export const SLICE_MS = 8;

const frames = new WeakMap<object, number>();

/** Calls `work` with each number below `count`, one slice per frame. A new call with the same `owner` cancels the last one. */
export function inSlices(owner: object, count: number, work: (i: number) => void): void {
  cancelAnimationFrame(frames.get(owner) ?? 0);
  const step = (start: number): void => {
    const end = performance.now() + SLICE_MS;
    let i = start;
    while (i < count && performance.now() < end) work(i++);
    frames.set(owner, i < count ? requestAnimationFrame(() => step(i)) : 0);
  };
  step(0);
}
