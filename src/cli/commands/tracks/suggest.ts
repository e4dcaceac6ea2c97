/** `wayzone suggest`: places at which units stay again and again, as zones. */

import { toFeatureCollection } from '../../../interchange/geojson/writeFeatureCollection.js';
import { findStays, suggestZones, type UnitStay } from '../../../tracks/index.js';
import { completeGeozone } from '../../../zones/completeGeozone.js';
import type { TrackFlags, ZoneFlags } from '../../flags/options.js';
import { type Io, reportIssues } from '../../io/io.js';
import { refuseInputs, writeFile } from '../../io/writeAside.js';
import { forEachTrack, readUnitTracks } from '../../shared/unitTracks.js';

export interface SuggestFlags extends ZoneFlags, TrackFlags {
  readonly known?: readonly string[];
  readonly minStay: number;
  readonly link: number;
  readonly minVisits: number;
  readonly minDays: number;
  readonly timeZone?: string;
  readonly out?: string;
}

export async function suggest(files: readonly string[], flags: SuggestFlags, io: Io): Promise<boolean> {
  const { known = [], minStay, link, minVisits, minDays, timeZone = 'UTC', out } = flags;
  if (out !== undefined) await refuseInputs([...files, ...known], [out], 'name another file in --out');
  const tracks = await readUnitTracks({ ...flags, zones: known, tracks: files }, io, 'zone');
  if (tracks === null) return false;
  const stays: UnitStay[] = [];
  await forEachTrack(tracks, flags, io, async (unitId, track) => {
    for (const { from, to, centre } of findStays(track, { minSeconds: minStay }))
      stays.push({ unitId, from, to, centre });
  });
  const found = suggestZones(stays, {
    linkMeters: link,
    minVisits,
    minDays,
    timeZone,
    ...(known.length > 0 && { known: tracks.index }),
  });
  const zones = found.map(({ shape }, i) =>
    completeGeozone({ ...shape, id: `suggested-${i + 1}`, name: `Place ${i + 1}` }),
  );
  const { features, ...collection } = toFeatureCollection(zones);
  const counted = features.map((feature, i) => {
    const { visits, days, units, medianStaySeconds } = found[i]!;
    return {
      ...feature,
      properties: { ...feature.properties, visits, days, units, median_stay_s: medianStaySeconds },
    };
  });
  const text = `${JSON.stringify({ ...collection, features: counted })}\n`;
  if (out === undefined) io.stdout.write(text);
  else io.stderr.write(`Written to ${await writeFile(out, text)}\n`);
  return reportIssues(tracks.issues, io.stderr);
}
