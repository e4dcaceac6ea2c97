/** Sends pieces of one CSV file to the threads of `LocatePool`, which read them. */

import type { CsvPiecePool } from '../../../interchange/csv/readSplitCsv.js';
import type { CsvOptions } from '../../../interchange/index.js';
import type { LocateFile } from './locateOrder.js';
import type { LocatePool } from './locatePool.js';

/** `flush` sends the positions that were read before the pieces. `onPositions` gets the number of positions of each piece. */
export function locatePieces(
  pool: LocatePool,
  options: CsvOptions,
  flush: () => Promise<void>,
  onPositions: (count: number) => void,
): CsvPiecePool {
  let file: LocateFile | null = null;
  return {
    begin: async (start) => {
      await flush();
      file = { kind: 'file', start, options };
    },
    send: (piece, onAnswer) =>
      pool.askPiece(file!, piece, (answer, positions) => {
        const isUsed = onAnswer(answer);
        if (isUsed) onPositions(positions);
        return isUsed;
      }),
    finish: () => pool.end(),
  };
}
