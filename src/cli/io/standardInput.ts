/** Standard input (`-`) as a file: its bytes are copied to a temporary file whose extension is its format. */

import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { WayzoneError } from '../../core/errors.js';

/** Name of standard input and standard output in arguments. */
export const STANDARD: string = '-';

/** Number of first bytes in which the format is searched. */
const FIRST_BYTES = 65_536;

/** Paths of temporary files with the bytes of standard input. */
const spooled = new Set<string>();

/** The path as the user wrote it: `-` for the temporary file of standard input. */
export function shownPath(path: string): string {
  return spooled.has(path) ? STANDARD : path;
}

/**
 * Copies the bytes of standard input to a temporary file, inflated if they are gzip, and returns its path. `format`: its extension.
 * Default: by the content. The file is removed when the program ends. Throws `input-type` if it was copied before.
 */
export async function standardInput(
  source: AsyncIterable<Uint8Array>,
  format: string | null,
): Promise<string> {
  if (spooled.size > 0 && source === process.stdin) {
    throw new WayzoneError('input-type', '', 'expected standard input (-) once, received it twice');
  }
  const bytes = await inflated(source);
  const head: Uint8Array[] = [];
  let length = 0;
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    head.push(next.value);
    length += next.value.length;
    if (length >= FIRST_BYTES) break;
  }
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-'));
  if (spooled.size === 0) process.once('exit', dropSpooled);
  const path = join(folder, `stdin.${format ?? contentFormat(Buffer.concat(head))}`);
  spooled.add(path);
  const file = await open(path, 'wx', 0o600);
  try {
    for (const chunk of head) await file.writeFile(chunk);
    for (let next = await bytes.next(); next.done !== true; next = await bytes.next())
      await file.writeFile(next.value);
  } finally {
    await file.close();
  }
  return path;
}

function dropSpooled(): void {
  for (const path of spooled) rmSync(dirname(path), { recursive: true, force: true });
}

/** The bytes, inflated if they are gzip. */
async function inflated(source: AsyncIterable<Uint8Array>): Promise<AsyncIterator<Uint8Array>> {
  const bytes = source[Symbol.asyncIterator]();
  const first = await bytes.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await bytes.next()) yield next.value;
  }
  const isGzip = first.done !== true && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!isGzip) return all();
  return Readable.from(all()).pipe(createGunzip())[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
}

/** The extension of a file that begins with these bytes. Text that is neither XML nor JSON is a table. */
function contentFormat(head: Buffer): string {
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (head[0] === 0x50 && head[1] === 0x4b) return head.includes('xl/workbook.xml') ? 'xlsx' : 'kmz';
  const text = head
    .toString(head[0] === 0xff || head[1] === 0 ? 'utf16le' : 'utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('\u001E')) return 'geojsonseq';
  if (text.startsWith('<')) return /<gpx[\s>]/i.test(text) ? 'gpx' : 'kml';
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  return isLines(text) ? 'ndjson' : 'json';
}

/** Whether the first line is a JSON value of its own and more follows. */
export function isLines(text: string): boolean {
  const end = text.indexOf('\n');
  if (end < 0 || text.slice(end).trim() === '') return false;
  try {
    JSON.parse(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}
