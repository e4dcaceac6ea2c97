/** The format of an input file: by its name, and for JSON files also by their content. */

import { type FileFormat, formatOf } from './fileFormat.js';

/** The format; null if it is unknown. */
export async function inputFormat(path: string): Promise<FileFormat | null> {
  return (await isJsonTable(path)) ? 'csv' : formatOf(path);
}

/** Number of bytes at the start of a file that decide its format. */
const HEAD_BYTES = 65_536;

const JSON_NAME = /\.(?:json|ndjson|jsonl)(?:\.gz)?$/i;
const RECORD = /^(?:\[\s*)?\{\s*"/;
const GEOJSON =
  /"type"\s*:\s*"(?:FeatureCollection|Feature|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon)|Moving\w+)"|"(?:features|temporalGeometry)"\s*:/;
/** Text in rows of the platform: geozones, groups, routes, and answers with a list. */
const OF_PLATFORM = /"type"\s*:\s*\{\s*"key"|"(?:geozones|points|list)"\s*:\s*\[/;
/** Text in Google's timeline, which has lists of points too, and in zones of Geotab and Navixy: points of named numbers. */
const OF_OTHERS =
  /"(?:timelinePath|semanticSegments)"\s*:|"points"\s*:\s*\[\s*\{\s*"(?:x|y|lat|lng)"|"center"\s*:\s*\{\s*"(?:lat|lng)"/;

/** Whether a JSON file holds records that are neither GeoJSON nor rows of the platform. False for a file that cannot be read. */
async function isJsonTable(path: string): Promise<boolean> {
  if (!JSON_NAME.test(path)) return false;
  const head = await headOf(path);
  // `trimStart` also removes a byte order mark.
  if (!RECORD.test(head.trimStart())) return false;
  return OF_OTHERS.test(head) || (!GEOJSON.test(head) && !OF_PLATFORM.test(head));
}

/** The first characters, inflated; empty for a file that cannot be read: its reader reports that. */
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
