/** The rows of `wayzone locate` as a Parquet file. */

import { ParquetRows } from '../../../interchange/parquet/toParquet.js';
import { columnTypes } from '../../io/openParquet.js';
import { openOutput } from '../../io/output.js';
import { LOCATE_COLUMNS } from './locateRows.js';
import type { LocateOutput } from './locateTable.js';
import type { ZoneLabels } from './locateText.js';

/**
 * Contains the same rows as CSV output: a row for each zone of a position, and one row with an empty zone for a position outside every zone.
 */
export async function locateParquet(path: string, { idOf, nameOf }: ZoneLabels): Promise<LocateOutput> {
  const file = await ParquetRows.open(columnTypes(LOCATE_COLUMNS));
  const output = await openOutput(path);
  return {
    write: async (places, { offsets, zones }) => {
      const { length, names, unit, time, lonLat } = places;
      for (let i = 0; i < length; i++) {
        const to = offsets[i + 1]!;
        for (let k = offsets[i]!; k < Math.max(to, offsets[i]! + 1); k++) {
          const [zone, name] = k < to ? [idOf(zones[k]!), nameOf(zones[k]!)] : [null, null];
          file.add([names[unit[i]!], time[i], lonLat[2 * i], lonLat[2 * i + 1], zone, name]);
        }
      }
      await output.write(file.take());
    },
    end: async () => {
      await output.write(file.finish());
      await output.commit();
    },
    drop: () => output.drop(),
  };
}
