/** Reads the needed parts of a Parquet file. */

import { open } from 'node:fs/promises';
import type { ForeignData } from '../../core/fix.js';
import type { ReadOptions } from '../../interchange/index.js';
import { readFailure } from './fileBytes.js';
import { idPrefixOf } from './fileFormat.js';
import { NO_LIMITS, type ReadingOptions } from './readingOptions.js';
import { systemErrorText } from './terminal.js';

/**
 * The readable content of a file. A file that cannot be opened gives one `error` issue. `more`: callbacks for fixes and zones, the
 * coordinate system and the limits. `onBytes` gets the number of bytes before each read, which waits for the promise that it returns.
 */
export async function readParquetInput(
  path: string,
  { axisOrder, columns, speedUnit, idProperty, nameProperty, table }: ReadingOptions,
  more: Pick<ReadOptions, 'onFixes' | 'onFix' | 'onZone' | 'crs' | 'limits'>,
  onBytes: (count: number) => Promise<void> | null = () => null,
): Promise<ForeignData> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const slice = async (start: number, end: number = size): Promise<ArrayBuffer> => {
        await onBytes(end - start);
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
        return bytes.buffer.slice(0, bytesRead);
      };
      const { readParquet } = await import('../../interchange/parquet/readParquet.js');
      return await readParquet(
        { byteLength: size, slice },
        {
          axisOrder,
          idPrefix: idPrefixOf(path),
          columns,
          limits: NO_LIMITS,
          ...more,
          ...(speedUnit === undefined ? {} : { speedUnit }),
          ...(typeof table?.timeZone === 'string' ? { table: { timeZone: table.timeZone } } : {}),
          ...(idProperty === undefined ? {} : { idProperty }),
          ...(nameProperty === undefined ? {} : { nameProperty }),
        },
      );
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof Error && 'errno' in error)) throw error;
    return readFailure('file-unreadable', systemErrorText(error));
  }
}
