/** Pages of rows as they travel between threads: JSON texts of objects with commas between them. */

import type { Geozone } from 'wayzone';
import type { Pipe } from './pipe.js';

export type ZoneRow = Geozone & { readonly id: string };

/** The rows of every page. */
export async function* rowPages(pipe: Pipe): AsyncGenerator<ZoneRow[]> {
  for await (const text of pipe.pieces()) yield JSON.parse(`[${String(text)}]`) as ZoneRow[];
}

export async function* rowsOf(pipe: Pipe): AsyncGenerator<ZoneRow> {
  for await (const page of rowPages(pipe)) yield* page;
}
