/** One valid request of every operation, with objects that are created for it in a company. */

import sharp from 'sharp';
import { wkt } from '../../test/wkt.js';
import { type Caller, NOW } from './testHost.js';

export interface Sample {
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the company's object that the request names. */
  readonly id?: string;
}

export type SampleOf = (owner: Caller) => Promise<Sample> | Sample;

const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const POINT = { name: 'A', type: { key: 'circle' }, geometry: [[30, 60]], width: 300 };
const ROUTE = { name: 'Round', points: [POINT, { ...POINT, name: 'B', geometry: [[30.1, 60]] }] };
const GRADATION = { track_gradation: { styles: [{ max: null, hex_color: '#ff0000' }] } };
const TOKEN = { valid_to: String(NOW + 86_400_000) };
const SPAN = `from=${NOW - 3_600_000}&to=${NOW}`;
const KML = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,lon,lat\nA,30,60\n\r\n--b--\r\n`;

/** Through the yard at 60 km/h. */
const FIXES = [0, 1, 2].map((i) => ({
  time: NOW - 120_000 + i * 60_000,
  lon: 29.982 + 0.018 * i,
  lat: 60,
  speedKph: 60,
}));

let serial = 0;

async function made(owner: Caller, url: string, body: unknown): Promise<string> {
  const answer = await owner.send('POST', url, body);
  if (answer.status !== 200) throw new Error(`expected 200, received ${JSON.stringify(answer)}`);
  return (answer.body as { id: string }).id;
}

const zone = (owner: Caller): Promise<string> => made(owner, '/geozones', ZONE);
const group = (owner: Caller): Promise<string> => made(owner, '/geozonesgroup', { name: 'G', geozones: [] });
const route = (owner: Caller): Promise<string> =>
  made(owner, '/routes', { ...ROUTE, company_id: owner.companyId });
const type = async (owner: Caller): Promise<string> =>
  made(owner, '/custom_geozone_types', await typeBody(owner));
const key = async (owner: Caller): Promise<string> => made(owner, '/users/u7/create_token', TOKEN);
const unit = (owner: Caller): Promise<string> =>
  made(owner, '/units', { name: 'Van', device_key: `${owner.companyId}-${++serial}` });
/** Device key of a new unit. */
const device = async (owner: Caller): Promise<string> => {
  await unit(owner);
  return `${owner.companyId}-${serial}`;
};
const trip = async (owner: Caller): Promise<string> => made(owner, '/trips', tripBody(await unit(owner)));
const locator = async (owner: Caller): Promise<string> =>
  made(owner, '/locators', { unit: { id: await unit(owner) }, expires: String(NOW + 3_600_000) });

const SINK = { name: 'Hook', kind: 'webhook', target: { url: 'https://fleet.example/hook' } };
/** A sink of the company, which has at most 100. */
const sink = async (owner: Caller): Promise<string> => {
  const known = (await owner.send('GET', '/event_sinks')).body as readonly { readonly id: string }[];
  return known.length > 20 ? known.at(-1)!.id : made(owner, '/event_sinks', SINK);
};
const ruleBody = (sinkId: string): object => ({
  name: 'Entry at night',
  type: 'zone_enter',
  sinks: [{ id: sinkId }],
  quiet_hours: { weekly: [{ days: [1, 2, 3, 4, 5], from: '06:00', to: '22:00' }] },
});
const rule = async (owner: Caller): Promise<string> =>
  made(owner, '/notification_rules', ruleBody(await sink(owner)));

/** A form with a picture, as `POST /upload_photos/geozones` takes it. */
export async function pictureForm(
  bytes: Buffer | Promise<Buffer> = png,
): Promise<Pick<Sample, 'body' | 'headers'>> {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  return {
    body: Buffer.concat([Buffer.from(head), await bytes, Buffer.from('\r\n--b--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
}

/** Uploads a picture. Returns the original and the miniature. */
async function photos(owner: Caller): Promise<readonly { readonly id: string }[]> {
  const { body, headers } = await pictureForm();
  return (await owner.send('POST', '/upload_photos/geozones', body, headers)).body;
}

async function typeBody(owner: Caller): Promise<object> {
  const [original, small] = await photos(owner);
  return { name: 'Yard', photo: { original, small } };
}

function tripBody(unitId: string): object {
  return {
    name: 'Tour',
    unit: { id: unitId },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: ['2026-03-02'],
    points: [POINT],
  };
}

/** A request with the id in its path. */
function on(
  make: (owner: Caller) => Promise<string>,
  url: (id: string) => string,
  body?: (owner: Caller, id: string) => unknown,
): SampleOf {
  return async (owner) => {
    const id = await make(owner);
    return { id, url: url(id), ...(body === undefined ? {} : { body: body(owner, id) }) };
  };
}
const png = sharp({ create: { width: 8, height: 8, channels: 3, background: '#1585d8' } })
  .png()
  .toBuffer();

/** Samples by method and path of the document. */
export const SAMPLES: Readonly<Record<string, SampleOf>> = {
  'get /geozones': on(zone, (id) => `/geozones?ids=${id}`),
  'post /geozones': () => ({ url: '/geozones', body: ZONE }),
  'put /geozones/{id}': on(
    zone,
    (id) => `/geozones/${id}`,
    () => ({ ...ZONE, name: 'Moved' }),
  ),
  'delete /geozones/{id}': on(zone, (id) => `/geozones/${id}`),
  'delete /admin/geozones/{id}': on(zone, (id) => `/admin/geozones/${id}`),
  'post /geozones/filter': on(
    zone,
    () => '/geozones/filter',
    () => ({ from: 0 }),
  ),
  'get /geozones/map': on(
    (owner) => made(owner, '/geozones', { ...ZONE, is_show_on_map: true }),
    () => '/geozones/map',
  ),
  'post /geozones/line_to_polygon': () => ({
    url: '/geozones/line_to_polygon',
    body: {
      width: 50,
      geometry: wkt('30 60, 30.1 60'),
    },
  }),
  'post /geozones/export_kml': on(
    zone,
    () => '/geozones/export_kml',
    () => ({ geozones: [] }),
  ),
  'get /positions/{position}/geozones': on(zone, () => '/positions/30,60/geozones'),
  'post /geozones/import': () => ({
    url: '/geozones/import?dry_run=true',
    body: KML,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }),
  'post /geozonesgroup': () => ({ url: '/geozonesgroup', body: { name: 'G', geozones: [] } }),
  'put /geozonesgroup/{id}': on(
    group,
    (id) => `/geozonesgroup/${id}`,
    () => ({ name: 'H', geozones: [] }),
  ),
  'delete /geozonesgroup/{id}': on(group, (id) => `/geozonesgroup/${id}`),
  'post /geozonesgroup/filter': on(
    group,
    () => '/geozonesgroup/filter',
    () => ({ fields: ['geozones.id'] }),
  ),
  'get /custom_geozone_types': on(type, (id) => `/custom_geozone_types?ids=${id}`),
  'post /custom_geozone_types': async (owner) => ({
    url: '/custom_geozone_types',
    body: await typeBody(owner),
  }),
  'put /custom_geozone_types/{id}': async (owner) => {
    const id = await type(owner);
    return { id, url: `/custom_geozone_types/${id}`, body: await typeBody(owner) };
  },
  'delete /custom_geozone_types/{id}': on(type, (id) => `/custom_geozone_types/${id}`),
  'post /upload_photos/geozones': async () => ({ url: '/upload_photos/geozones', ...(await pictureForm()) }),
  'get /tiles': on(zone, () => '/tiles'),
  'get /tiles/{z}/{x}/{y}': on(zone, () => '/tiles/12/2389/1192.mvt'),
  'get /photos/{id}/{size}': async (owner) => {
    const { id } = (await photos(owner))[0]!;
    return { id, url: `/photos/${id}/small` };
  },
  'get /routes': on(route, (id) => `/routes?ids=${id}`),
  'post /routes': (owner) => ({ url: '/routes', body: { ...ROUTE, company_id: owner.companyId } }),
  'put /routes/{id}': on(
    route,
    (id) => `/routes/${id}`,
    ({ companyId }) => ({ ...ROUTE, company_id: companyId }),
  ),
  'delete /routes/{id}': on(route, (id) => `/routes/${id}`),
  'post /routes/filter': on(
    route,
    () => '/routes/filter',
    () => ({ from: 0 }),
  ),
  'get /trips': on(trip, (id) => `/trips?ids=${id}`),
  'post /trips': async (owner) => ({ url: '/trips', body: tripBody(await unit(owner)) }),
  'put /trips/{id}': async (owner) => {
    const id = await trip(owner);
    return { id, url: `/trips/${id}`, body: tripBody(await unit(owner)) };
  },
  'delete /trips/{id}': on(trip, (id) => `/trips/${id}`),
  'post /trips/filter': on(
    trip,
    () => '/trips/filter',
    () => ({ from: 0 }),
  ),
  'post /trips/{id}/excuse': on(
    trip,
    (id) => `/trips/${id}/excuse`,
    () => ({ pointIndex: 0, reason: 'closed' }),
  ),
  'post /trips/{id}/cancel': on(
    trip,
    (id) => `/trips/${id}/cancel`,
    () => ({ reason: 'no goods' }),
  ),
  'post /trips/{id}/amend': async (owner) => {
    const id = await trip(owner);
    return { id, url: `/trips/${id}/amend`, body: { trip: tripBody(await unit(owner)) } };
  },
  'post /trips/{id}/hand_over': async (owner) => {
    const id = await trip(owner);
    return { id, url: `/trips/${id}/hand_over`, body: { unitId: await unit(owner) } };
  },
  'get /trips/{id}/report': on(trip, (id) => `/trips/${id}/report?date=2026-03-02`),
  'get /geozones/{id}/visits': on(zone, (id) => `/geozones/${id}/visits`),
  'get /fleet/day': async (owner) => {
    await unit(owner);
    return { url: `/fleet/day?${SPAN}` };
  },
  'post /geozones/suggest': on(
    unit,
    () => '/geozones/suggest',
    (_, id) => ({ units: [{ id }], from: String(NOW - 3_600_000), to: String(NOW) }),
  ),
  'get /geozones/{id}/hours': on(zone, (id) => `/geozones/${id}/hours?${SPAN}`),
  'post /routes/{id}/match': on(
    route,
    (id) => `/routes/${id}/match`,
    () => ({ fixes: FIXES, width: 60 }),
  ),
  'post /tracks/ledger': on(
    zone,
    () => '/tracks/ledger',
    () => ({ fixes: FIXES, settings: { advanced_mileagecoeff: '1' }, by: 'day' }),
  ),
  'post /tracks/speeding': on(
    zone,
    () => '/tracks/speeding',
    (_, id) => ({ fixes: FIXES, limitKph: 90, zoneLimits: { [id]: 30 }, toleranceKph: 5 }),
  ),
  'get /work_types': () => ({ url: '/work_types' }),
  'get /routing/{points}': () => ({ url: '/routing/60,30;60.1,30.1?optimize=true&language=ru' }),
  'get /dictionaries': () => ({ url: '/dictionaries' }),
  'get /dictionaries/{type}': () => ({ url: '/dictionaries/geozone_type' }),
  'get /company/{id}/properties': ({ companyId: id }) => ({ id, url: `/company/${id}/properties` }),
  'put /company/{id}/properties': ({ companyId: id }) => ({
    id,
    url: `/company/${id}/properties`,
    body: GRADATION,
  }),
  'put /company/{id}/properties/copy': ({ companyId: id }) => ({
    id,
    url: `/company/${id}/properties/copy`,
    body: { companies: [{ id }], properties: ['track_gradation'] },
  }),
  'get /company/{id}/roles': ({ companyId: id }) => ({ id, url: `/company/${id}/roles` }),
  'post /company/history': () => ({ url: '/company/history', body: {} }),
  'post /company/{id}/history': ({ companyId: id }) => ({ id, url: `/company/${id}/history`, body: {} }),
  'get /me': () => ({ url: '/me' }),
  'put /me': () => ({ url: '/me', body: { phone: '+7 900 000-00-00', language: { key: 'ru' } } }),
  'get /me/settings': () => ({ url: '/me/settings' }),
  'post /me/settings': () => ({ url: '/me/settings', body: { key: 'web.zoom', value: '12' } }),
  'get /switchcompany/{id}': ({ companyId: id }) => ({ id, url: `/switchcompany/${id}` }),
  'get /me/access': () => ({ url: '/me/access' }),
  'get /roles': () => ({ url: '/roles' }),
  'get /actions': () => ({ url: '/actions' }),
  'get /properties': () => ({ url: '/properties' }),
  'get /properties/{type}': () => ({ url: '/properties/roles' }),
  'post /users/{id}/create_token': () => ({ url: '/users/u7/create_token', body: TOKEN }),
  'get /keys': on(key, () => '/keys'),
  'post /keys/{id}/rotate': on(key, (id) => `/keys/${id}/rotate`),
  'delete /keys/{id}': on(key, (id) => `/keys/${id}`),
  'get /custom_fields': () => ({ url: '/custom_fields' }),
  'get /units': on(unit, (id) => `/units?ids=${id}`),
  'post /units': ({ companyId }) => ({
    url: '/units',
    body: { name: 'Van', device_key: `${companyId}-${++serial}` },
  }),
  'put /units/{id}': on(
    unit,
    (id) => `/units/${id}`,
    () => ({ name: 'Bus', custom_fields: { hours_rate: 10 } }),
  ),
  'delete /units/{id}': on(unit, (id) => `/units/${id}`),
  'get /units/{id}/track': on(unit, (id) => `/units/${id}/track?${SPAN}`),
  'get /units/{id}/visits': on(unit, (id) => `/units/${id}/visits?${SPAN}`),
  'get /units/{id}/movement': on(unit, (id) => `/units/${id}/movement?${SPAN}`),
  'post /positions': on(
    unit,
    () => '/positions',
    (_, id) => [{ unit_id: id, time: NOW, lon: 30, lat: 60 }],
  ),
  'get /osmand': async (owner) => ({ url: `/osmand?id=${await device(owner)}&lat=60&lon=30` }),
  'post /osmand': async (owner) => ({
    url: '/osmand',
    body: `id=${await device(owner)}&lat=60&lon=30&speed=10`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }),
  'post /tickets': () => ({ url: '/tickets' }),
  'get /event_sinks': on(sink, () => '/event_sinks'),
  'post /event_sinks': () => ({ url: '/event_sinks', body: SINK }),
  'put /event_sinks/{id}': on(
    sink,
    (id) => `/event_sinks/${id}`,
    () => ({ ...SINK, types: ['enter', 'exit'] }),
  ),
  'delete /event_sinks/{id}': on(sink, (id) => `/event_sinks/${id}`),
  'post /event_sinks/{id}/replay': on(
    sink,
    (id) => `/event_sinks/${id}/replay`,
    () => ({ cursor: '0' }),
  ),
  'get /event_sinks/{id}/dead_letters': on(sink, (id) => `/event_sinks/${id}/dead_letters`),
  'post /event_sinks/{id}/dead_letters/retry': on(sink, (id) => `/event_sinks/${id}/dead_letters/retry`),
  'get /notification_rules': on(rule, () => '/notification_rules'),
  'post /notification_rules': async (owner) => ({
    url: '/notification_rules',
    body: ruleBody(await sink(owner)),
  }),
  'put /notification_rules/{id}': async (owner) => {
    const id = await rule(owner);
    return { id, url: `/notification_rules/${id}`, body: ruleBody(await sink(owner)) };
  },
  'delete /notification_rules/{id}': on(rule, (id) => `/notification_rules/${id}`),
  'get /locators': on(locator, () => '/locators'),
  'post /locators': on(
    unit,
    () => '/locators',
    (_, id) => ({ unit: { id }, expires: String(NOW + 60_000) }),
  ),
  'delete /locators/{id}': on(locator, (id) => `/locators/${id}`),
  'get /locator/{id}': on(locator, (id) => `/locator/${id}`),
};
