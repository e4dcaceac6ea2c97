/** What commands pass to the readers of single formats. */

import { basename } from 'node:path';
import { LAT_FIRST } from '../../interchange/crs/crs.js';
import type { CsvOptions, GeoJsonOptions, GpxOptions } from '../../interchange/index.js';
import { idPrefixOf } from './fileFormat.js';
import type { ReadingOptions } from './readingOptions.js';

/** The options of `fromCsv` for a file. */
export function csvOptions(path: string, { columns, speedUnit, table }: ReadingOptions): CsvOptions {
  return {
    columns,
    fileName: basename(path),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...(table === undefined ? {} : { table }),
  };
}

/** The options of `fromGpx` for a file. */
export function gpxOptions(path: string, { table }: ReadingOptions): GpxOptions {
  return {
    fileName: basename(path),
    ...(typeof table?.timeZone === 'string' ? { timeZone: table.timeZone } : {}),
  };
}

/** The options of the readers of GeoJSON for a file. */
export function geoJsonOptions(
  path: string,
  { axisOrder, idProperty, nameProperty, latFirst, table }: ReadingOptions,
): GeoJsonOptions {
  return {
    axisOrder,
    idPrefix: idPrefixOf(path),
    ...(latFirst === true ? { crs: LAT_FIRST } : {}),
    ...(table?.radiusUnit === undefined ? {} : { radiusUnit: table.radiusUnit }),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
