import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testFolder } from '../cli/wayzone.js';
import { type Kind, kml, point, TRAPS } from './traps.js';
import { zip } from './zips.js';

/** Readers use neither network nor files while they parse. They run in a process that may use neither and records every attempt. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FLAG = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
const { put } = testFolder('sealed');

const LINKS = [
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:9/x',
  'file:///etc/passwd',
  '\\\\127.0.0.1\\share\\x',
  '//127.0.0.1/x',
  '../../../../etc/passwd',
];

const REACHING: readonly (readonly [Kind, string | Uint8Array])[] = LINKS.flatMap((link) => [
  ['kml', `<!DOCTYPE kml SYSTEM "${link}"><kml/>`],
  ['kml', `<!DOCTYPE kml [<!ENTITY x SYSTEM "${link}">]>${kml('<name>&x;</name>')}`],
  ['kml', `<!DOCTYPE kml [<!ENTITY % x SYSTEM "${link}"> %x;]>${kml('')}`],
  [
    'kml',
    `<?xml-stylesheet href="${link}"?>${kml(`<NetworkLink><Link><href>${link}</href></Link></NetworkLink>`)}`,
  ],
  ['kml', kml(`<GroundOverlay><Icon><href>${link}</href></Icon></GroundOverlay><NetworkLinkControl/>`)],
  [
    'kml',
    kml(`<Style id="a"><IconStyle><Icon><href>${link}</href></Icon></IconStyle></Style>${point('1,2')}`),
  ],
  ['kml', kml(`<Placemark><styleUrl>${link}#a</styleUrl>${point('1,2').slice(11)}`)],
  [
    'kml',
    `<kml xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${link}"/>${point('1,2')}</kml>`,
  ],
  ['kml', kml(`<Model><Link><href>${link}</href></Link></Model><Schema schemaUrl="${link}"/>`)],
  [
    'gpx',
    `<gpx xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x ${link}"><wpt lat="1" lon="2"><link href="${link}"/></wpt></gpx>`,
  ],
  [
    'geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'link', properties: { href: link, type: 'proj4' } },
      features: [],
    }),
  ],
  [
    'geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: link } },
      features: [],
    }),
  ],
  [
    'geojson',
    JSON.stringify({
      type: 'Feature',
      $ref: link,
      properties: { icon: link, url: link },
      geometry: { $ref: link },
    }),
  ],
  ['csv', `id,wkt,icon\na,POINT(1 2),${link}\n`],
  ['csv', `unit,time,lat,lon\n"=WEBSERVICE(""${link}"")",2020-01-01T00:00:00Z,1,2\n`],
  [
    'kmz',
    zip({
      'doc.kml': kml(
        `<Style id="a"><IconStyle><Icon><href>images/a.png</href></Icon></IconStyle></Style>${point('1,2')}`,
      ),
      'images/a.png': link,
    }),
  ],
  [
    'kmz',
    zip({
      [link.replaceAll('/', '_')]: link,
      'doc.kml': kml(`<NetworkLink><Link><href>${link}</href></Link></NetworkLink>`),
    }),
  ],
]);

test('no reader follows a link in a file', () => {
  const traps = TRAPS.filter(({ code }) => code !== 'limit-inflated').map(
    ({ kind, input }) => [kind, input()] as const,
  );
  const inputs = [...REACHING, ...traps].map(([kind, input]) => [
    kind,
    Buffer.from(input).toString('base64'),
  ]);
  const file = put('inputs.json', JSON.stringify(inputs));
  const child = fileURLToPath(new URL('sealedChild.mjs', import.meta.url));
  const modules = realpathSync(`${ROOT}node_modules`);
  // The whole folder, because `require('#…')` must find package.json. Node 20 fails for a path within another one.
  const readable = [ROOT, ...(modules.startsWith(ROOT) ? [] : [modules]), file];
  const argv = [FLAG, ...readable.map((path) => `--allow-fs-read=${path}`), '--no-warnings', child, file];
  const result = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' })) as {
    readonly seen: readonly string[];
    readonly calls: readonly string[];
    readonly read: number;
    readonly mayRead: boolean;
  };
  expect(result.mayRead).toBe(false);
  expect(result.seen).toEqual([
    'fs.readFileSync',
    'fetch',
    'http.get',
    'connect',
    'dns.lookup',
    'child_process.spawnSync',
    'Worker',
  ]);
  expect(result.read).toBeGreaterThan(inputs.length);
  expect(result.calls).toEqual([]);
});
