/** `wayzone buffer`: the corridors of lines, tracks and routes as GeoJSON. */

import { WayzoneError } from '../../../core/errors.js';
import type { MultiPolygon, Polygon } from '../../../core/geometry.js';
import { readPositions } from '../../../core/input.js';
import type { Geozone } from '../../../core/wire.js';
import type { FileIssue } from '../../../report/index.js';
import { corridor } from '../../../zones/corridor/corridor.js';
import type { CorridorOptions } from '../../../zones/corridor/readCorridor.js';
import { readingOptions, type ZoneFlags } from '../../flags/options.js';
import { type Io, reportIssues, startProgress } from '../../io/io.js';
import { refuseInputs, writeFile } from '../../io/writeAside.js';
import { collect } from '../../shared/collect.js';
import { zoneIssue } from '../../shared/indexOfZones.js';

export interface BufferFlags extends ZoneFlags {
  readonly width?: number;
  readonly tolerance?: number;
  readonly cap: 'round' | 'flat';
  readonly edges: 'lonlat' | 'geodesic';
  readonly out?: string;
}

interface CorridorFeature {
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
  readonly properties: { readonly name: string; readonly widthMeters: number };
}

/** Writes the corridors. Returns whether every file was read and every line has a corridor. */
export async function buffer(files: readonly string[], flags: BufferFlags, io: Io): Promise<boolean> {
  if (flags.out !== undefined) await refuseInputs(files, [flags.out], 'name another file in --out');
  const reading = { ...readingOptions(flags), gpxAs: 'lines' as const, timedAs: 'zones' as const };
  const { zones, issues, fileOf } = await collect({ zones: files, tracks: [] }, reading, io.stderr);
  const found: FileIssue[] = [...issues];
  const features: CorridorFeature[] = [];
  const progress = await startProgress(io.stderr, zones.length, 'corridors {bar} {value}/{total} lines');
  for (const zone of zones) {
    try {
      if (zone.type.key !== 'line') {
        const message = `expected a line, received a ${zone.type.key}; left out`;
        const problem = { code: 'not-a-line', field: 'type.key', message } as const;
        found.push(zoneIssue(fileOf, zone.id, problem, 'warning'));
      } else features.push(featureOf(zone, flags));
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      found.push(zoneIssue(fileOf, zone.id, error));
    }
    progress.step();
  }
  progress.stop();
  const text = `${JSON.stringify({ type: 'FeatureCollection', features })}\n`;
  if (flags.out === undefined) io.stdout.write(text);
  else io.stderr.write(`Written to ${await writeFile(flags.out, text)}\n`);
  return reportIssues(found, io.stderr);
}

function featureOf(zone: Geozone, flags: BufferFlags): CorridorFeature {
  const width = flags.width ?? zone.width ?? flags.defaultWidth ?? null;
  if (width === null) {
    throw new WayzoneError(
      'width-missing',
      'width',
      'expected --width METERS or a width of the line, received neither',
    );
  }
  const options: CorridorOptions = {
    cap: flags.cap,
    edges: flags.edges,
    lineWidth: flags.lineWidth,
    ...(flags.tolerance === undefined ? {} : { toleranceMeters: flags.tolerance }),
  };
  const line = readPositions(zone.geometry, 'geometry', flags.axisOrder);
  return {
    type: 'Feature',
    id: zone.id,
    geometry: corridor(line, width, options),
    properties: { name: zone.name, widthMeters: flags.lineWidth === 'each-side' ? 2 * width : width },
  };
}
