import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCity, type City, fixAt } from './page/city.js';
import { type PageHost, pageHost } from './page/openPage.js';
import { NOW } from './testHost.js';

describe('the operations of the map', () => {
  let host: PageHost;
  let city: City;
  beforeAll(async () => {
    host = await pageHost();
    city = await buildCity(host.owner);
  });
  afterAll(() => host.close());

  interface Line {
    readonly unitId: string;
    readonly fixes: readonly (readonly number[])[];
  }
  const day = async (query: string): Promise<Line[]> => {
    const { status, body } = await host.owner.send('GET', `/fleet/day?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const lines = String(body).split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => JSON.parse(line) as Line);
  };

  test('a day has the first fix of each step of all units, by name', async () => {
    const span = `from=${NOW - 3_600_000}&to=${NOW}`;
    const [first, second, third] = city.units;
    const whole = await day(`${span}&seconds=1`);
    expect(whole.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([
      [third, 1],
      [first, 30],
      [second, 20],
    ]);
    // A step of five minutes begins at a multiple of five minutes.
    const stepped = await day(`${span}&seconds=300`);
    const expected = whole.map(({ unitId, fixes }) => ({
      unitId,
      fixes: fixes.filter(
        ([time], i) => i === 0 || Math.floor(time! / 300_000) !== Math.floor(fixes[i - 1]![0]! / 300_000),
      ),
    }));
    expect(stepped).toEqual(expected);
    expect(await day(`from=${NOW + 1}&to=${NOW + 2}`)).toEqual([]);
  });

  test('a day refuses a span of more than 26 hours, a reversed one, and other steps', async () => {
    for (const [query, field] of [
      [`from=0&to=${27 * 3_600_000}`, 'to'],
      ['from=1&to=0', 'to'],
      ['to=1', 'from'],
      ['from=0&to=1&seconds=0', 'seconds'],
      ['from=0&to=1&seconds=1e2', 'seconds'],
    ]) {
      const { status, body } = await host.owner.send('GET', `/fleet/day?${query}`);
      expect([query, status, (body as { errors: [{ field: string }] }).errors[0].field]).toEqual([
        query,
        422,
        field,
      ]);
    }
  });

  test('the visits of a zone are those of its events, and another company sees neither', async () => {
    const [depot] = city.zones;
    const { body } = await host.owner.send('GET', `/geozones/${depot}/visits`);
    expect(body).toEqual([{ unitId: city.units[0], enter: expect.any(Number), exit: null }]);
    const { body: visits } = await host.owner.send(
      'GET',
      `/units/${city.units[0]}/visits?from=${NOW - 3_600_000}&to=${NOW}`,
    );
    const own = (visits as { zoneId: string; enter: number }[]).filter(({ zoneId }) => zoneId === depot);
    expect(own.map(({ enter }) => enter)).toEqual((body as { enter: number }[]).map(({ enter }) => enter));

    const other = await host.api.as(await host.api.company(), 'ADMIN');
    expect((await other.send('GET', `/geozones/${depot}/visits`)).status).toBe(400);
    expect((await other.send('GET', `/fleet/day?from=${NOW - 3_600_000}&to=${NOW}`)).body).toBe('');
  });

  test('a stream with positions begins with the latest position of each unit and its zones', async () => {
    const end = new AbortController();
    const answer = await fetch(`${host.url}/api_v1/events?positions=true`, {
      headers: host.owner.headers,
      signal: end.signal,
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (wanted: RegExp): Promise<string> => {
      while (!wanted.test(text)) text += (await reader.read()).value;
      const [, found] = wanted.exec(text)!;
      text = '';
      return found!;
    };
    const POSITIONS = /event: positions\ndata: (.*)\n\nevent: zones/;
    const { units } = JSON.parse(await until(POSITIONS)) as {
      units: { unitId: string; zoneIds: string[] }[];
    };
    const [depot, , road, hostile] = city.zones;
    const [first, second, third] = city.units;
    expect(Object.fromEntries(units.map(({ unitId, zoneIds }) => [unitId, zoneIds]))).toEqual({
      [first!]: [depot],
      [second!]: [road],
      [third!]: [hostile],
    });
    // Only what is new follows: one unit after one fix.
    await host.owner.send('POST', '/positions', [fixAt(second!, 30.3, 59.93, 0.1, 5)]);
    const next = JSON.parse(await until(/event: positions\ndata: (.*)\n\n/)) as { units: object[] };
    expect(next.units).toEqual([
      {
        unitId: second,
        time: NOW - 6000,
        lon: 30.3,
        lat: 59.93,
        speedKph: 5,
        courseDegrees: null,
        zoneIds: [depot],
      },
    ]);
    end.abort();
    await reader.cancel().catch(() => {});
  });
});
