/** Decompresses pages of Parquet files. */

import { inputError } from '../../../core/errors.js';
import { damaged } from './byteReader.js';

/** Names of codecs by their number in parquet.thrift. LZO (3) is not supported. */
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;

/** Largest number of bytes from one compressed byte, by codec: limits of the formats, so that a damaged length allocates little memory. */
const MOST_RATIO = {
  SNAPPY: 64,
  GZIP: 1040,
  LZ4: 256,
  LZ4_RAW: 256,
  ZSTD: 65_536,
  BROTLI: Infinity,
} as const;
/** Size that a page may have whatever its compressed size, bytes. */
const FREE_BYTES = 4096;
export const MAX_PAGE_BYTES = 1_073_741_824;

export type Decompress = (bytes: Uint8Array, length: number) => Uint8Array;

/** Returns a function that decompresses pages of a codec. `column`: name for the error `parquet-unsupported`. */
export async function decompressor(codec: number, column: string): Promise<Decompress> {
  const name = CODECS[codec];
  if (name === 'UNCOMPRESSED') return (bytes, length) => whole(bytes, length);
  if (name === undefined || name === 'LZO') {
    const known = CODECS.filter((own) => own !== 'LZO').join(', ');
    throw inputError('parquet-unsupported', column, `a column compressed by one of ${known}`, name ?? codec);
  }
  const decompress =
    name === 'ZSTD' ? await zstd() : (await import('hyparquet-compressors')).compressors[name]!;
  return (bytes, length) => {
    if (length > MAX_PAGE_BYTES || length > bytes.length * MOST_RATIO[name] + FREE_BYTES) {
      throw damaged(`a page that ${bytes.length} compressed bytes can give, received ${length} bytes`);
    }
    if (length === 0) return new Uint8Array();
    try {
      return whole(decompress(bytes, length), length);
    } catch {
      throw damaged(`a page compressed by ${name}`);
    }
  };
}

async function zstd(): Promise<Decompress> {
  const { decompress } = await import('fzstd');
  // Given the room, the library neither trusts the sizes of the frame nor grows beyond it.
  return (bytes, length) => {
    const stated = contentSize(bytes);
    if (stated !== null && stated !== length) throw damaged(`${length} bytes of a page, received ${stated}`);
    return decompress(bytes, new Uint8Array(length));
  };
}

/** Size stated in the header of the first frame (RFC 8878 §3.1.1.1); null if it has none. */
function contentSize(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 18 || view.getUint32(0, true) !== 0xfd2f_b528) return null;
  const head = bytes[4]!;
  const isSingle = ((head >> 5) & 1) === 1;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][head & 3]!;
  switch (head >> 6) {
    case 0:
      return isSingle ? bytes[at]! : null;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

function whole(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw damaged(`${length} bytes of a page, received ${bytes.length}`);
}
