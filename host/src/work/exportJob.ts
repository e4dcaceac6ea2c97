/** Writes geozones as a file. */

import type { Geozone } from 'wayzone';
import {
  type OnZoneIssue,
  toKmz,
  writeFeatureCollection,
  writeGpx,
  writeKml,
  writeZoneCsv,
} from 'wayzone/interchange';
import { entryFiller } from 'wayzone/schemas';
import {
  type ExportFormat,
  type JobOptions,
  type JobValue,
  rowsOf,
  type StoredZone,
} from '../jobs/jobTypes.js';
import type { Pipe } from '../jobs/pipe.js';

type Sink = (chunk: string) => Promise<void>;
type Writer = (
  zones: AsyncIterable<StoredZone>,
  sink: Sink,
  pipe: Pipe,
  onIssue: OnZoneIssue,
) => Promise<void>;

const WRITERS = {
  kml: (zones, sink, _, onIssue) => writeKml(zones, sink, { onIssue }),
  kmz: async (zones, _, pipe, onIssue) => {
    const bytes = toKmz(await listed(zones), { onIssue }) as Uint8Array<ArrayBuffer>;
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      await pipe.send(bytes.slice(from, from + PIECE_BYTES));
  },
  geojson: (zones, sink, _, onIssue) => writeFeatureCollection(zones, sink, { all: true, onIssue }),
  gpx: async (zones, sink) => {
    const all = await listed(zones);
    const leftOut = all.filter((zone) => !isWaypoint(zone));
    await sink(String(leftOut.length));
    await writeGpx(
      { zones: all.filter(isWaypoint), document: { properties: { desc: lossesOf(all) } } },
      sink,
    );
  },
  csv: (zones, sink, _, onIssue) => writeZoneCsv(zones, sink, { onIssue }),
  map: (zones, sink, _, onIssue) =>
    writeFeatureCollection(zones, sink, {
      onlyShownOnMap: true,
      properties: ['address', 'name'],
      onIssue,
    }),
} as const satisfies Record<ExportFormat, Writer>;

const PIECE_BYTES = 1 << 18;

const MOST_LOGGED = 100;

export async function exportJob(
  pipe: Pipe,
  { format, language }: JobOptions['export'],
): Promise<JobValue['export']> {
  const sink: Sink = async (chunk) => {
    if (!(await pipe.send(chunk)))
      throw new Error('expected a reader of the file, received a closed connection');
  };
  const unwritten: string[] = [];
  const onIssue: OnZoneIssue = ({ message }, { id }) => {
    if (unwritten.length < MOST_LOGGED) unwritten.push(`${id}: ${message}`);
  };
  await WRITERS[format](labelled(rowsOf(pipe), language), sink, pipe, onIssue);
  return unwritten;
}

async function* labelled(zones: AsyncIterable<StoredZone>, language: string): AsyncGenerator<StoredZone> {
  const fill = entryFiller('geozone', { language });
  for await (const zone of zones) yield fill(zone);
}

/** Whether GPX can hold the zone. Other zones are left out. */
function isWaypoint({ type }: Geozone): boolean {
  return type.key === 'point' || type.key === 'circle';
}

/** The losses of a GPX file of the zones, for its `desc`; empty without losses. */
function lossesOf(zones: readonly StoredZone[]): string {
  const losses = [
    ['lines and polygons are left out', zones.filter((zone) => !isWaypoint(zone))],
    ['circles are waypoints without their widths', zones.filter(({ type }) => type.key === 'circle')],
  ] as const;
  return losses
    .filter(([, lost]) => lost.length > 0)
    .map(([what, lost]) => `${lost.length} ${what}: ${lost.map(({ id }) => id).join(', ')}`)
    .join('; ');
}

async function listed(zones: AsyncIterable<StoredZone>): Promise<StoredZone[]> {
  const list: StoredZone[] = [];
  for await (const zone of zones) list.push(zone);
  return list;
}
