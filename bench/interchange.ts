/** KML written beside @placemarkio/tokml and xmlbuilder2's tree; memory of writing and reading streams; traps. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toKML } from '@placemarkio/tokml';
import type { Feature, FeatureCollection } from 'geojson';
import { create } from 'xmlbuilder2';
import type { Geozone } from '../src/core/wire.js';
import { toKml } from '../src/interchange/index.js';
import { runTraps } from '../test/interchange/runTraps.js';
import { compare, table } from './harness.js';
import type { Probe } from './interchangeProbe.js';
import { zonesOf } from './interchangeZones.js';

function collectionOf(zones: readonly Geozone[]): FeatureCollection {
  const features = zones.map(({ geometry, ...properties }): Feature => {
    const coordinates = [geometry.map(([lon, lat]) => [lon, lat])];
    return { type: 'Feature', id: properties.id, geometry: { type: 'Polygon', coordinates }, properties };
  });
  return { type: 'FeatureCollection', features };
}

/** The same Placemarks without styles, as a tree. */
function treeOf(zones: readonly Geozone[]): string {
  const document = create().ele('kml').ele('Document');
  for (const { geometry, ...fields } of zones) {
    const placemark = document.ele('Placemark');
    placemark.ele('name').txt(fields.name);
    const data = placemark.ele('ExtendedData');
    for (const [name, value] of Object.entries(fields)) {
      data.ele('Data', { name }).ele('value').txt(JSON.stringify(value));
    }
    const ring = placemark.ele('Polygon').ele('outerBoundaryIs').ele('LinearRing');
    ring.ele('coordinates').txt(geometry.map(([lon, lat]) => `${lon},${lat}`).join(' '));
  }
  return document.end();
}

function placemarks(text: string): number {
  return text.split('<Placemark').length - 1;
}

/** `interchangeProbe` with these arguments, in a process of its own. */
function probe(...args: readonly (string | number)[]): Probe {
  const script = fileURLToPath(new URL('interchangeProbe.ts', import.meta.url));
  const text = execFileSync(process.execPath, ['--import', 'tsx', script, ...args.map(String)], {
    encoding: 'utf8',
  });
  return JSON.parse(text) as Probe;
}

function rows(title: string, head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...body.map(line), ''].join('\n');
}

function seconds({ milliseconds }: Probe): string {
  return (milliseconds / 1000).toFixed(2);
}

/** Each in a process of its own, so that the memory is its own; the first row is what Node and the code take. */
function probes(quick: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
  try {
    const bytes = quick ? 5_000_000 : 50_000_000;
    const body = [['nothing', '', probe('base').megabytes.toFixed(0)]];
    for (const count of quick ? [1000, 10_000] : [10_000, 100_000, 400_000]) {
      const written = probe('write', count);
      const what = `writeKml, ${count.toLocaleString('en')} polygons (${(written.count / 1e6).toFixed(0)} MB)`;
      body.push([what, seconds(written), written.megabytes.toFixed(0)]);
    }
    for (const [format, things] of [
      ['kml', 'polygons'],
      ['gpx', 'fixes'],
    ] as const) {
      const file = join(folder, `a.${format}`);
      probe('make', format, bytes, file);
      const read = probe('read', format, file);
      const size = `${(statSync(file).size / 1e6).toFixed(0)} MB, ${read.count.toLocaleString('en')} ${things}`;
      body.push([
        `read${format === 'kml' ? 'Kml' : 'Gpx'}, ${size}`,
        seconds(read),
        read.megabytes.toFixed(0),
      ]);
    }
    const title = 'Streams: processor seconds and the greatest memory of the whole process, MB';
    return rows(title, ['', 's', 'MB'], body);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How fast, and with how much memory, each bomb and trap of the tests is refused. */
function traps(): string {
  const results = runTraps().sort((a, b) => b.milliseconds - a.milliseconds);
  const bytes = Math.max(...results.map(({ bytesOver }) => bytesOver));
  const body = results
    .slice(0, 5)
    .map(({ what, milliseconds, bytesOver }) => [
      what,
      milliseconds.toFixed(1),
      (bytesOver / 1_048_576).toFixed(1),
    ]);
  const title = `${results.length} bombs and traps refused, cold, one after another: the slowest five (none takes more than ${Math.ceil(bytes / 1_048_576)} MiB)`;
  return rows(title, ['', 'processor ms', 'MiB over the input'], body);
}

export function interchangeBench(quick: boolean): string {
  const count = quick ? 5000 : 100_000;
  const zones = [...zonesOf(count)];
  const collection = collectionOf(zones);
  return [
    table(
      `Zones written as KML, ${count} polygons of 11 positions`,
      compare(
        [
          { name: 'toKml (styles and every field)', run: () => placemarks(toKml(zones)) },
          { name: '@placemarkio/tokml (no styles)', run: () => placemarks(toKML(collection)) },
          { name: 'xmlbuilder2 create() (no styles)', run: () => placemarks(treeOf(zones)) },
        ],
        count,
        1,
      ),
    ),
    probes(quick),
    traps(),
  ].join('\n');
}
