/** Results for files that could not be read. */

import type { IssueCode } from '../../core/errorCode.js';
import type { ForeignData } from '../../core/fix.js';
import type { ByteFailure } from './fileBytes.js';
import { converterHint } from './fileFormat.js';

export const NOTHING: ForeignData['value'] = { zones: [], groups: [], routes: [], tracks: [] };

/** No data and one `error` issue. */
export function readFailure(code: IssueCode, message: string): ForeignData {
  return { value: NOTHING, issues: [{ code, severity: 'error', field: '', message }] };
}

/** The data of a file. If it could not be read to its end, one `error` issue comes before its own. */
export function withFailure(data: ForeignData, failure: ByteFailure | null): ForeignData {
  if (failure === null) return data;
  const { code, message } = failure;
  return { ...data, issues: [{ code, severity: 'error', field: '', message }, ...data.issues] };
}

/** The result for a file of an unknown format. */
export function unknownFormat(path: string): ForeignData {
  return readFailure(
    'format-unknown',
    `expected .kml, .kmz, .geojson, .json, .geojsonl, .gpx, .csv, .tsv, .xlsx, .txt, .nmea, .wln or .plt, also with .gz, or .parquet${converterHint(path)}`,
  );
}
