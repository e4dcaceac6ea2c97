/** Input that would have no effect, or another one than it says, is refused by its field. */

import { beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES } from '../src/live/eventSchema.js';
import { type Answer, type Caller, type Given, NOW, onADatabase } from './testHost.js';

const CSV = 'name,lon,lat\nA,30,60\n';

function contract(given: () => Given): void {
  let admin: Caller;
  beforeAll(async () => {
    const { hosted } = given();
    admin = await hosted.as(await hosted.company(), 'ADMIN');
  });
  const idOf = async (url: string, body: object): Promise<string> =>
    ((await admin.send('POST', url, body)).body as { id: string }).id;
  const outcome = ({ status, body }: Answer): unknown[] => {
    const { field, errors } = body as { field?: string; errors?: { field: string }[] };
    return [status, ...(status === 200 ? [] : (errors?.map((one) => one.field) ?? [field]))];
  };

  test('dates and amounts of a unit', async () => {
    const [id, other] = [await idOf('/units', { name: 'A' }), await idOf('/units', { name: 'B' })];
    const put = async (fields: object): Promise<unknown[]> =>
      outcome(await admin.send('PUT', `/units/${id}`, { name: 'A', ...fields }));
    const trailers = (fields: object): object => ({ trailers: [{ trailer: { id: other }, ...fields }] });
    for (const dates of [
      {},
      { date_from: null, date_to: '' },
      { date_from: '2026-01-01', date_to: '2026-01-01' },
      { date_from: '2026-01-01 10:00:00', date_to: '2026-01-02 09:00' },
    ])
      expect(await put(trailers(dates)), JSON.stringify(dates)).toEqual([200]);
    for (const [dates, ...fields] of [
      [{ date_from: 'x' }, 'date_from'],
      [{ date_from: '2026-02-30', date_to: '2026-02-31' }, 'date_from', 'date_to'],
      [{ date_from: '2026-02-01', date_to: '2026-01-01' }, 'date_to'],
      [{ date_from: '2026-02-01 10:00', date_to: '2026-02-01 09:59:59' }, 'date_to'],
    ] as const) {
      expect(await put(trailers(dates))).toEqual([422, ...fields.map((name) => `trailers[0].${name}`)]);
      expect(await put({ drivers: [{ user: { id: 'u' } }, { user: { id: 'u' }, ...dates }] })).toEqual([
        422,
        ...fields.map((name) => `drivers[1].${name}`),
      ]);
    }
    for (const own of [id, id.toUpperCase()])
      expect(await put({ trailers: [{ trailer: { id: own } }] })).toEqual([422, 'trailers[0].trailer.id']);
    expect(
      await put({ services: [{ name: 'S', lastDays: '2026-01-01', intervalKm: '10.5', lastKm: 3 }] }),
    ).toEqual([200]);
    for (const [name, value] of [
      ['lastDays', '2026-13-01'],
      ['intervalKm', 'abc'],
      ['intervaldays', '1 2'],
      ['lastMotohours', '0x1'],
    ])
      expect(await put({ services: [{ name: 'S', [name!]: value }] })).toEqual([422, `services[0].${name}`]);
  });

  test('times of phone trackers', async () => {
    const { hosted } = given();
    const id = `phone-${NOW}`;
    const unit = await idOf('/units', { name: 'Phone', device_key: id });
    const phone = await hosted.as(admin.companyId, null);
    const body = (fields: object): object => ({ id, lat: 60, lon: 30, ...fields });
    const taken = async (): Promise<number[]> => {
      const track = await admin.send('GET', `/units/${unit}/track?from=0&to=${NOW * 2}`);
      return (track.body as { points: { time: number }[] }).points.map(({ time }) => time);
    };
    const known: number[] = [];
    for (const [timestamp, time] of [
      ['2026-03-01', Date.UTC(2026, 2, 1)],
      ['2026-03-01 10:00', Date.UTC(2026, 2, 1, 10)],
      ['2026-03-01T10:00:01.5Z', Date.UTC(2026, 2, 1, 10, 0, 1, 500)],
      ['2026-03-01T14:00:00+0300', Date.UTC(2026, 2, 1, 11)],
      [String(Date.UTC(2026, 2, 1, 12) / 1000), Date.UTC(2026, 2, 1, 12)],
      [Date.UTC(2026, 2, 1, 13), Date.UTC(2026, 2, 1, 13)],
    ] as const) {
      expect(outcome(await phone.send('POST', '/osmand', body({ timestamp }))), String(timestamp)).toEqual([
        200,
      ]);
      known.push(time);
      expect(await taken()).toEqual(known);
    }
    // `Date.parse` of V8 reads all of these but the last three.
    for (const timestamp of [
      'foo 2026',
      'x 2026-03-01',
      '2026-02-30T00:00:00Z',
      '3/1/2026',
      '-1',
      ' ',
      {},
      [],
      true,
    ])
      expect(outcome(await phone.send('POST', '/osmand', body({ timestamp })))).toEqual([422, 'timestamp']);
    for (const [name, value] of [
      ['altitude', {}],
      ['speed', [1]],
      ['lat', { valueOf: 1 }],
      ['heading', 'x'],
    ] as const)
      expect(outcome(await phone.send('POST', '/osmand', body({ [name]: value })))).toEqual([
        422,
        name === 'heading' ? 'bearing' : name,
      ]);
    expect(await taken()).toEqual(known);
  });

  test('a period that ends before it begins', async () => {
    const id = await idOf('/units', { name: 'A' });
    const zone = { name: 'Z', type: { key: 'circle' }, geometry: [[30, 60]], width: 50 };
    const hours = `/geozones/${await idOf('/geozones', zone)}/hours`;
    const addresses = ['track', 'visits', 'movement'].map((name) => `/units/${id}/${name}`);
    for (const url of [...addresses, hours, '/fleet/day'])
      expect(outcome(await admin.send('GET', `${url}?from=2026-03-02&to=2026-03-01`)), url).toEqual([
        422,
        'to',
      ]);
    const span = { units: [{ id }], from: '2026-03-02', to: '2026-03-01' };
    expect(outcome(await admin.send('POST', '/geozones/suggest', span))).toEqual([422, 'to']);
  });

  test('further files and parameters of a form', async () => {
    const part = (name: string, file: string | null, text: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}\r\n\r\n${text}\r\n`;
    const post = async (url: string, ...parts: string[]): Promise<unknown[]> =>
      outcome(
        await admin.send('POST', url, `${parts.join('')}--b--\r\n`, {
          'content-type': 'multipart/form-data; boundary=b',
        }),
      );
    const [file, second] = [part('file', 'a.csv', CSV), part('file', 'b.csv', CSV)];
    const url = '/geozones/import';
    expect(await post(url, file, second)).toEqual([422, 'file']);
    for (const name of ['dry_run', 'partial', 'time_zone']) {
      expect(await post(url, part(name, null, 'true'), file)).toEqual([422, name]);
      expect(await post(url, file, part(name, null, 'true'))).toEqual([422, name]);
    }
    const list = await admin.send('POST', '/geozones/filter', {
      conditions: [{ field: 'name', value: 'A' }],
    });
    expect(list.body).toMatchObject({ max: 0 });
    expect(await post(url, part('note', null, 'x'), file, part('note', null, 'y'))).toEqual([200]);
    expect(await post('/upload_photos/geozones', file, second)).toEqual([422, 'file']);
    expect((await post(url, ...Array<string>(30).fill(part('x', null, '1')), file))[0]).toBe(413);
  });

  test('types of events that there are not, and years outside the document', async () => {
    const sink = { name: 'Hook', kind: 'webhook', target: { url: 'https://fleet.example/hook' } };
    expect(EVENT_TYPES).toEqual(
      expect.arrayContaining(['enter', 'begin', 'revised', 'arrival_late', 'apart']),
    );
    for (const types of [null, [], ['enter', 'apart'], [...EVENT_TYPES]])
      expect(outcome(await admin.send('POST', '/event_sinks', { ...sink, types })), String(types)).toEqual([
        200,
      ]);
    for (const type of ['nosuch', '__proto__', 'Enter', 'enter '])
      expect(
        outcome(await admin.send('POST', '/event_sinks', { ...sink, types: ['enter', type] })).slice(0, 2),
      ).toEqual([422, 'types[1]']);
    const properties = `/company/${admin.companyId}/properties`;
    for (const [year, ...expected] of [
      [2000, 200],
      [3000, 200],
      [1999, 422, 'holidays[0].year'],
      [3001, 422, 'holidays[0].year'],
    ] as const)
      expect(outcome(await admin.send('PUT', properties, { holidays: [{ year, days: ['01.01'] }] }))).toEqual(
        expected,
      );
  });

  test('a refused body is named for what it is', async () => {
    const json = { 'content-type': 'application/json' };
    const messageOf = async (
      url: string,
      body: string | Buffer,
      headers: Record<string, string>,
    ): Promise<string> =>
      ((await admin.send('POST', url, body, headers)).body as { message: string }).message;
    const own = ['{"name":"A","__proto__":{"a":1}}', '{"a":{"constructor":{"prototype":1}}}'];
    for (const body of own) expect(await messageOf('/units', body, json)).toMatch(/`__proto__`/);
    for (const body of ['{', '{"name":}', 'x'])
      expect(await messageOf('/units', body, json)).toMatch(/expected JSON/);
    const text = { 'content-type': 'text/plain' };
    expect(await messageOf('/geozones/import', 'x', text)).toMatch(/multipart\/form-data, received text/);
    expect(await messageOf('/osmand', 'x', text)).toMatch(/x-www-form-urlencoded or application\/json/);
    expect(await messageOf('/units', 'x', text)).toMatch(/application\/json, received text/);
    for (const encoding of ['gzip', 'deflate', 'br'])
      expect(
        await messageOf('/units', Buffer.alloc(50, 1), { ...json, 'content-encoding': encoding }),
      ).toMatch(new RegExp(`a body of ${encoding}, received another`));
  });
}

onADatabase(contract);
