/** Parses pages of rows: JSON objects joined with commas. */

import type { Geozone } from 'wayzone';
import type { Pipe } from './pipe.js';

export type StoredZone = Geozone & { readonly id: string };

/** Yields the rows page by page. */
export async function* rowPages(pipe: Pipe): AsyncGenerator<StoredZone[]> {
  for await (const text of pipe.chunks()) yield JSON.parse(`[${String(text)}]`) as StoredZone[];
}

export async function* rowsOf(pipe: Pipe): AsyncGenerator<StoredZone> {
  for await (const page of rowPages(pipe)) yield* page;
}
