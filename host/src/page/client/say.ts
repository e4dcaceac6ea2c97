/** Messages of the page. */

import { byId } from '../../../../src/report/client/shared/index.js';

/** Milliseconds for which a message is shown. */
const SHOWN_MS = 8000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds, which screen readers read. */
export function say(text: string): void {
  clearTimeout(timer);
  byId('status').textContent = text;
  timer = setTimeout(() => {
    byId('status').textContent = '';
  }, SHOWN_MS);
}
