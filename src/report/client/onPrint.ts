/** What is done before the page is printed. */

const acts: (() => void)[] = [];
let isPrinting = false;

addEventListener('beforeprint', () => {
  isPrinting = true;
  // An act may add further ones: a page that is loading has most of its parts still to make.
  for (const act of acts) act();
});
addEventListener('afterprint', () => {
  isPrinting = false;
});

/** Calls `act` before the page is printed, in the order of these calls. */
export function onPrint(act: () => void): void {
  acts.push(act);
}

/** Whether the page is being printed: then nothing may wait for a frame or a task. */
export function isOnPaper(): boolean {
  return isPrinting;
}
