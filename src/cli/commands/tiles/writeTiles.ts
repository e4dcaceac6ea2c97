/** `wayzone tiles`: writes the tiles of the zones of files as one PMTiles file. */

import { checkedInternals } from '../../../tiles/checkedInternals.js';
import { boundsOf, layersWith } from '../../../tiles/tileJson.js';
import { readTileOptions, type TileLayer } from '../../../tiles/tileOptions.js';
import { tilePyramid } from '../../../tiles/tilePyramid.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { refuse } from '../../io/refuse.js';
import { refuseInputs } from '../../io/refuseInputs.js';
import { reportIssues } from '../../io/reportIssues.js';
import { printable } from '../../io/terminal.js';
import { writeAside } from '../../io/writeAside.js';
import { collect, lacksZones } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import { hilbertId, PmtilesArchive } from './pmtilesArchive.js';

export interface TilesFlags extends ZoneFlags {
  readonly minZoom?: number;
  readonly maxZoom?: number;
  readonly layers?: readonly TileLayer[];
  readonly properties?: readonly string[];
  readonly maxBytes?: number;
}

const DEFAULT_MAX_ZOOM = 12;

export async function writeTiles(
  files: readonly string[],
  out: string,
  flags: TilesFlags,
  io: Io,
): Promise<boolean> {
  await refuseInputs(files, [out], 'name another file to write');
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags), io.stderr);
  if (lacksZones(collected))
    return refuse(collected.issues, io, 'a file of zones could not be read, so no tiles are written');
  const index = indexOfZones(collected, zoneOptions(flags));
  const { layers, properties, maxBytes } = flags;
  const rules = readTileOptions({ layers, properties, maxBytes });
  const minZoom = flags.minZoom ?? 0;
  const maxZoom = flags.maxZoom ?? Math.max(minZoom, DEFAULT_MAX_ZOOM);
  const archive = new PmtilesArchive();
  for (const tile of tilePyramid(index, minZoom, maxZoom, rules, hilbertId)) archive.add(tile, tile.bytes);
  const pieces = archive.pieces({
    minZoom,
    maxZoom,
    bounds: boundsOf(checkedInternals(index)),
    metadata: { name: 'zones', type: 'overlay', vector_layers: layersWith(rules.layers, rules.properties) },
  });
  const bytes = await writeAside(out, async (sink) => {
    for (const piece of pieces) await sink(piece);
  });
  const { tiles, contents } = archive.counts;
  io.stdout.write(
    `${index.size} zones, ${tiles} tiles (${contents} different), zooms ${minZoom} to ${maxZoom}; ${bytes} bytes written to ${printable(out)}\n`,
  );
  return reportIssues(collected.issues, io.stderr);
}
