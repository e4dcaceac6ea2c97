/** Reads delimited text (RFC 4180) in chunks. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { eachUtf8 } from '../common/utf8Of.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { checkHints } from '../table/describeTable.js';
import { CsvBytes } from './csvBytes.js';
import { CSV_OPTIONS, type CsvOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';
import { CsvStream } from './csvStream.js';
import { plainOptions } from './hintsOf.js';
import { openChunks } from './openChunks.js';
import { readWhole, warnOfUnchecked } from './readWhole.js';

/**
 * `fromCsv` for a file in chunks; the file is never in memory as a whole. Beyond a limit the source is not read further.
 *
 * Rejects with the source's own error, `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes,
 * `crs-unsupported` for the option.
 *
 * @example
 * ```ts
 * import { readCsv } from 'wayzone/interchange';
 * const { value } = await readCsv([new TextEncoder().encode('id,wkt\na,POINT(37.6 55.7)')]);
 * value.zones[0].id; // 'a'
 * ```
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<ForeignData> {
  checkOptions(options, CSV_OPTIONS);
  if (options.table !== undefined) checkHints(options.table, 'table');
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const plain = plainOptions(options);
  const rows = new CsvRows(plain, builder);
  const source = await openChunks(chunks, options);
  if (source.whole !== null && readWhole(source.whole, source.path, builder, options))
    return builder.toForeignData();
  if (source.whole === null) warnOfUnchecked(source.path, builder);
  const stream = new CsvStream(new CsvBytes(rows, builder, plain), builder);
  const { issues, limits } = builder;
  const write = (bytes: Uint8Array): boolean => stream.write(bytes);
  const isWhole = await eachUtf8(source.chunks, issues, limits, write, () => stream.line);
  if (isWhole) stream.end();
  if (stream.failure !== null) builder.issues.caught(stream.failure);
  rows.finish(isWhole || stream.failure !== null);
  return builder.toForeignData();
}
