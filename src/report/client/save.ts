/** Saves files through the browser. Nothing is sent. */

import { element } from './dom.js';

/** Saves a file under a name, as a click on a link would. */
export function save(name: string, content: string | Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
