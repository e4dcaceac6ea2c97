/**
 * The hostile company of `soak.mjs`, in a process of its own so that its own work does not delay the clients that are measured: says when it begins,
 * sends the dearest requests as fast as it can until it is told to stop, then the numbers of answers by status.
 */

import { once } from 'node:events';
import { driveOf } from './drive.mjs';

const [{ url, headers, unitId, routeId }] = await once(process, 'message');
/** Requests that are open at the same time. */
const OPEN = 32;

async function send(method, path, body) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${url}/api_v1${path}`, {
    method,
    headers,
    ...(text === undefined ? {} : { body: text }),
  });
  return { status: answer.status, text: await answer.text() };
}

const BIG = driveOf(9000, 0, 10_000);
const LINE = Array.from({ length: 8000 }, (_, i) => [30 + i / 1000, 60 + 0.01 * Math.sin(i)]);
const ZONE = { name: 'L', type: { key: 'line' }, geometry: LINE, width: 50 };
const LEDGER = JSON.stringify({ fixes: BIG });
const DEEP = JSON.stringify({
  from: 0,
  conditions: Array.from({ length: 20_000 }, () => ({ field: 'x', value: 'y' })),
});
const { id: zoneId } = JSON.parse((await send('POST', '/geozones', ZONE)).text);
/** Zones for tiles of a wide view, each a hexagon of some hundred metres. */
const SMALL_ZONES = 20_000;
const hexagon = (i) => {
  const [lon, lat] = [30 + (i % 200) / 100, 60 + Math.floor(i / 200) / 100];
  const ring = Array.from({ length: 6 }, (_, k) => [lon + 0.006 * Math.cos(k), lat + 0.003 * Math.sin(k)]);
  return {
    type: 'Feature',
    properties: { name: `Hexagon ${i}` },
    geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
  };
};
const form = new FormData();
const features = Array.from({ length: SMALL_ZONES }, (_, i) => hexagon(i));
form.append('file', new File([JSON.stringify({ type: 'FeatureCollection', features })], 'zones.geojson'));
const { 'content-type': _, ...formHeaders } = headers;
const imported = await fetch(`${url}/api_v1/geozones/import`, {
  method: 'POST',
  headers: formHeaders,
  body: form,
});
if (imported.status !== 200)
  throw new Error(`expected 200, received ${imported.status} ${await imported.text()}`);
/** The dearest requests, each within the limits of bodies. */
const ATTACK = [
  () => send('POST', '/tracks/ledger', LEDGER),
  () => send('POST', '/tracks/speeding', LEDGER),
  () => send('POST', `/routes/${routeId}/match`, JSON.stringify({ fixes: BIG, width: 100 })),
  () => send('POST', '/geozones/line_to_polygon', { width: 50, geometry: LINE }),
  () => send('POST', '/geozones', ZONE),
  () => send('PUT', `/geozones/${zoneId}`, ZONE),
  () => send('POST', '/company/history', {}),
  () => send('POST', '/geozones/filter', DEEP),
  () =>
    send(
      'POST',
      '/positions',
      JSON.stringify(BIG.map((fix, i) => ({ ...fix, time: Date.now() - i, unit_id: unitId }))),
    ),
  () => send('GET', '/geozones'),
  () => send('GET', '/tiles/7/75/36.mvt'),
];

process.send('begun');
let isOver = false;
process.once('message', () => {
  isOver = true;
});
const counts = {};
await Promise.all(
  Array.from({ length: OPEN }, async (_, k) => {
    for (let n = k; !isOver; n++) {
      const { status } = await ATTACK[n % ATTACK.length]().catch(() => ({ status: 'broken' }));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  }),
);
process.send(counts, () => process.exit());
