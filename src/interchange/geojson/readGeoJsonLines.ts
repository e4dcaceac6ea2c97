/** Reads GeoJSON records one after another: a feature on each line, or text sequences (RFC 8142). */

import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { isRecord, own } from '../common/foreignFields.js';
import { MAX_TEXT_LENGTH } from '../common/readOptions.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { parseJson, type TextPlace } from '../json/parseJson.js';
import { FeatureReader } from './featureReader.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from './geoJsonOptions.js';
import { RECORD_SEPARATOR } from './writeFeatureCollection.js';

/**
 * Reads newline-delimited GeoJSON (a Feature, geometry or FeatureCollection on each line) or GeoJSON text sequences (RFC 8142: a record
 * separator before each record, which may have several lines). The first character shows the form. Options and results: as `readGeoJson`.
 *
 * Memory: one record. A record that is not JSON gives an issue `json-syntax` with its line, and the other records are read. Further issues: as
 * `readGeoJson`, `encoding`, `limit-…`. Rejects with the errors of the source.
 *
 * @example
 * ```ts
 * import { readGeoJsonLines } from 'wayzone/interchange';
 * const line = '{"type":"Feature","id":"a","properties":{"name":"Gate"},"geometry":{"type":"Point","coordinates":[37.6,55.7]}}\n';
 * async function* chunks() { yield new TextEncoder().encode(line + line.replace('"a"', '"b"')); }
 * const { value } = await readGeoJsonLines(chunks());
 * value.zones.map(({ id }) => id); // ['a', 'b']
 * ```
 */
export async function readGeoJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  options: GeoJsonOptions = {},
): Promise<ForeignData> {
  checkOptions(options, GEOJSON_OPTIONS);
  const reader = new FeatureReader({ ...options, crs: await resolveCrs(options.crs) });
  const records = new RecordCutter((text, place) => readRecord(reader, text, place));
  const decode = strictDecoder();
  const { issues, limits } = reader.builder;
  try {
    for await (const chunk of chunks) {
      limits.countBytes(chunk.length);
      const text = decode(chunk);
      if (text === null) {
        issues.error(
          'encoding',
          '',
          'expected UTF-8, received other bytes; the rest is not read',
          records.line,
        );
        break;
      }
      records.push(text);
    }
    records.finish();
  } catch (error) {
    issues.caught(error, records.line);
  }
  reader.finish();
  return reader.builder.toForeignData();
}

/** The text of each chunk; null for bytes that are not UTF-8. */
function strictDecoder(): (chunk: Uint8Array) => string | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: true });
    } catch {
      return null;
    }
  };
}

/** Cuts a text into records. */
class RecordCutter {
  /** Line of the next record, from 1. */
  line = 1;
  readonly #take: (text: string, place: TextPlace) => void;
  #separator: string | null = null;
  #offset = 0;
  #rest = '';

  constructor(take: (text: string, place: TextPlace) => void) {
    this.#take = take;
  }

  push(text: string): void {
    const pieces = this.#rest + text;
    if (this.#separator === null) {
      const start = pieces.trimStart();
      if (start === '') {
        this.#rest = pieces;
        return;
      }
      this.#separator = start.startsWith(RECORD_SEPARATOR) ? RECORD_SEPARATOR : '\n';
    }
    let from = 0;
    for (let end = pieces.indexOf(this.#separator); end >= 0; end = pieces.indexOf(this.#separator, from)) {
      this.#record(pieces.slice(from, end + 1));
      from = end + 1;
    }
    this.#rest = pieces.slice(from);
    if (this.#rest.length > MAX_TEXT_LENGTH) {
      throw new WayzoneError(
        'limit-bytes',
        '',
        `expected at most ${MAX_TEXT_LENGTH} characters in a record, received more`,
      );
    }
  }

  finish(): void {
    this.#record(this.#rest);
  }

  /** Takes a record. `text` ends with the separator, except for the last record. */
  #record(text: string): void {
    const own = text.endsWith(RECORD_SEPARATOR) ? text.slice(0, -1) : text;
    if (own.trim() !== '') this.#take(own, { offset: this.#offset, line: this.line });
    this.#offset += text.length;
    this.line += text.split('\n').length - 1;
  }
}

function readRecord(reader: FeatureReader, text: string, place: TextPlace): void {
  const { issues, limits } = reader.builder;
  let root: unknown;
  try {
    root = parseJson(text, limits.maxDepth, () => place);
  } catch (error) {
    issues.caught(error, place.line);
    reader.skipMember();
    return;
  }
  const type = isRecord(root) ? own(root, 'type') : undefined;
  if (type === 'FeatureCollection') reader.readRoot(root, text);
  else if (type === 'Feature' || !isRecord(root) || typeof type !== 'string') reader.readMember(root, text);
  else reader.readMember({ type: 'Feature', geometry: root }, `{"geometry":${text}}`);
}
