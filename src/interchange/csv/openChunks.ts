/**
 * Opens a table that comes in chunks. A plain table is read as a stream; another one is collected, because whole columns decide how it is
 * read.
 */

import { inputError } from '../../core/errors.js';
import { eachOf } from '../common/eachOf.js';
import { joinedChunks } from '../common/joinedChunks.js';
import type { CsvOptions } from './csvOptions.js';
import { MOST_DESCRIBED } from './readWhole.js';
import { PATH_BYTES, type TablePath, tablePath } from './tablePath.js';

/** Length above which a table without a unit column is not collected to search for jumps, bytes. */
const MOST_FOR_UNITS = 67_108_864;

export interface OpenChunks {
  /** Path of the table. `units` without `whole`: it is too long to check that its rows are of one unit. */
  readonly path: TablePath;
  /** Bytes of a table that is not plain; null for a plain one. */
  readonly whole: readonly Uint8Array[] | null;
  /** Chunks of the table, from its first byte. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Throws `input-type` for a chunk that is not bytes, `source-type`, and the source's own error. */
export async function openChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions,
): Promise<OpenChunks> {
  const source = inTurn(chunks);
  const most = options.limits?.maxBytes ?? Number.POSITIVE_INFINITY;
  const taken: Uint8Array[] = [];
  let length = 0;
  let isEnd = false;
  // The error of a bad chunk is thrown when the chunks are read.
  const take = async (until: number): Promise<void> => {
    while (!isEnd && length < until) {
      const { done, value } = await source.next();
      if (done === true) {
        isEnd = true;
        return;
      }
      const chunk: unknown = value;
      if (!(chunk instanceof Uint8Array))
        throw inputError('input-type', 'chunks', 'Uint8Array chunks', chunk);
      // Copied, because sources may reuse their buffers.
      taken.push(new Uint8Array(chunk));
      length += chunk.length;
    }
  };
  await take(Math.min(PATH_BYTES, most));
  const path = tablePath(joinedChunks(taken), isEnd, options);
  if (path !== 'plain') {
    await take(Math.min(path === 'units' ? MOST_FOR_UNITS : MOST_DESCRIBED + 1, most + 1));
  }
  if (path === 'described' || (path === 'units' && isEnd)) {
    // Beyond the limit the rest is not read.
    await source.return(undefined);
    return { path, whole: taken, chunks: inTurn(taken) };
  }
  return { path: path === 'units' ? 'units' : 'plain', whole: null, chunks: rest(taken, source) };
}

/** The chunks of any source, one by one, so that the rest can be read later. */
async function* inTurn(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* eachOf(chunks, 'chunks');
}

async function* rest(
  taken: readonly Uint8Array[],
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* taken;
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
