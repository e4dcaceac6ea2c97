/** The format of an input file: that of its name, except for JSON files that are tables of records. */

import { type FileFormat, formatOf } from './fileFormat.js';

/** Null for an unknown one. */
export async function inputFormat(path: string): Promise<FileFormat | null> {
  return (await isJsonTable(path)) ? 'csv' : formatOf(path);
}

/** Bytes that decide. */
const HEAD_BYTES = 65_536;

const JSON_NAME = /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i;
const RECORD = /^(?:\[\s*)?\{\s*"/;
const GEOJSON =
  /"type"\s*:\s*"(?:FeatureCollection|Feature|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon)|Moving\w+)"|"(?:features|temporalGeometry)"\s*:/;
/** Rows of the platform: geozones, groups, routes, and answers with a list. */
const OF_PLATFORM = /"type"\s*:\s*\{\s*"key"|"(?:geozones|points|list)"\s*:\s*\[/;
/** Google's timeline has lists of points too. */
const OF_OTHERS = /"(?:timelinePath|semanticSegments)"\s*:/;

/** Whether a JSON file holds records that are neither GeoJSON nor rows of the platform. A file that cannot be read does not. */
async function isJsonTable(path: string): Promise<boolean> {
  if (!JSON_NAME.test(path)) return false;
  const head = await headOf(path);
  // `trimStart` takes a mark of the encoding too.
  if (!RECORD.test(head.trimStart())) return false;
  return OF_OTHERS.test(head) || (!GEOJSON.test(head) && !OF_PLATFORM.test(head));
}

/** The first characters, inflated; empty for a file that cannot be read, which its reader reports. */
async function headOf(path: string): Promise<string> {
  let text = '';
  const { FileBytes } = await import('./fileBytes.js');
  const decoder = new TextDecoder();
  try {
    for await (const chunk of new FileBytes(path, () => undefined, false)) {
      text += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      if (text.length >= HEAD_BYTES / 4) break;
    }
  } catch {
    return '';
  }
  return text;
}
