/**
 * Reads the inputs of a file (its argument: JSON, `[kind, base64][]`) with every reader of dist/, in a process that may read no other files.
 * After the modules are loaded, it records every call to files, network, processes and threads. Prints these calls.
 */

import child_process from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import worker_threads from 'node:worker_threads';
import * as interchange from '../../dist/interchange/index.js';

const inputs = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map(([kind, text]) => [
  kind,
  new Uint8Array(Buffer.from(text, 'base64')),
]);
const { fromCsv, fromGeoJson, fromGpx, fromKml, fromKmz, loadCrs, readCsv, readGeoJson, readGpx, readKml } =
  interchange;
const WHOLE = { csv: fromCsv, geojson: fromGeoJson, gpx: fromGpx, kml: fromKml, kmz: fromKmz };
const STREAMS = { csv: readCsv, geojson: readGeoJson, gpx: readGpx, kml: readKml };

// Load the packages that are loaded on first use.
const lazy = new URL('../../dist/lazy/', import.meta.url);
const require = createRequire(lazy);
for (const file of fs.readdirSync(lazy)) if (file.endsWith('.cjs')) require(`./${file}`)();
await readCsv([new TextEncoder().encode('a quote in a cell\n5" 6')]);
const WKT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';
for (const definition of ['EPSG:3857', 'EPSG:25832', '+proj=utm +zone=32 +datum=WGS84', WKT])
  await loadCrs(definition);

const calls = [];
function watch(owner, what) {
  for (const name of Object.keys(owner)) {
    if (typeof owner[name] !== 'function' || /^[A-Z_]/.test(name)) continue;
    owner[name] = () => {
      calls.push(`${what}.${name}`);
      throw new Error(`${what}.${name} was called`);
    };
  }
}
for (const [owner, what] of [
  [fs, 'fs'],
  [fs.promises, 'fs.promises'],
  [net, 'net'],
  [tls, 'tls'],
  [dns, 'dns'],
  [dns.promises, 'dns.promises'],
  [http, 'http'],
  [https, 'https'],
  [child_process, 'child_process'],
]) {
  watch(owner, what);
}
/**
 * @param {object} owner
 * @param {string} name
 */
function forbid(owner, name) {
  owner[name] = function called() {
    calls.push(name);
    throw new Error(`${name} was called`);
  };
}
forbid(globalThis, 'fetch');
forbid(globalThis, 'WebSocket');
forbid(globalThis, 'XMLHttpRequest');
forbid(worker_threads, 'Worker');
forbid(net.Socket.prototype, 'connect');
syncBuiltinESMExports();

// The calls of each kind are recorded.
const seen = [];
for (const reach of [
  () => fs.readFileSync('/etc/passwd'),
  () => fetch('http://127.0.0.1/'),
  () => http.get('http://127.0.0.1/'),
  () => new net.Socket().connect(80),
  () => dns.lookup('localhost', () => undefined),
  () => child_process.spawnSync('true'),
  () => new worker_threads.Worker('x'),
]) {
  try {
    reach();
  } catch {}
}
seen.push(...calls.splice(0));

let read = 0;
for (const [kind, input] of inputs) {
  for (const run of [WHOLE[kind], STREAMS[kind] && ((bytes) => STREAMS[kind]([bytes]))]) {
    if (!run) continue;
    try {
      await run(input);
    } catch (error) {
      if (error.name !== 'WayzoneError') throw error;
    }
    read++;
  }
}
process.stdout.write(
  JSON.stringify({ seen, calls, read, mayRead: process.permission.has('fs.read', '/etc/passwd') }),
);
