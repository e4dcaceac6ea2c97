/** Callbacks before printing. */

const acts: (() => void)[] = [];
let isPrinting = false;

addEventListener('beforeprint', () => {
  isPrinting = true;
  // A callback may add further ones: while the page is loading, most of its parts do not exist yet.
  for (const act of acts) act();
});
addEventListener('afterprint', () => {
  isPrinting = false;
});

/** Calls `act` before the page is printed. Several callbacks run in the order in which they were added. */
export function onPrint(act: () => void): void {
  acts.push(act);
}

/** Whether the page is being printed. If so, no work may wait for a frame or a task. */
export function isOnPaper(): boolean {
  return isPrinting;
}
