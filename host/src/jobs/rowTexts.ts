/** Parses pages of rows: JSON objects joined with commas. */

import type { Geozone } from 'wayzone';
import type { Pipe } from './pipe.js';

export type ZoneRow = Geozone & { readonly id: string };

/** Yields the rows page by page. */
export async function* rowPages(pipe: Pipe): AsyncGenerator<ZoneRow[]> {
  for await (const text of pipe.pieces()) yield JSON.parse(`[${String(text)}]`) as ZoneRow[];
}

export async function* rowsOf(pipe: Pipe): AsyncGenerator<ZoneRow> {
  for await (const page of rowPages(pipe)) yield* page;
}
