import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTrack } from '../../src/tracks/index.js';
import { evaluateTrip, type TripReport } from '../../src/trips/index.js';
import { DATE, DRIVE, timed, trip } from '../trips/journeys.js';
import { testFolder, wayzone } from './wayzone.js';

const MAIN = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;
const TRIPS = [timed(trip('ABC')), trip('CA', { id: 'other', name: '=cmd()' })];
const { folder, put: file } = testFolder('trips');
let inputs: string[] = [];
beforeAll(() => {
  inputs = ['--trips', file('trips.json', JSON.stringify(TRIPS)), '--tracks', file('day.csv', csv())];
});

function csv(): string {
  const rows = DRIVE.map(({ time, lon, lat }) => `unit,${new Date(time).toISOString()},${lat},${lon}`);
  return `unit,time,lat,lon\n${rows.join('\n')}\n`;
}

describe('wayzone trips', () => {
  test('json and ndjson contain the reports of evaluateTrip and the name of the trip', async () => {
    const track = readTrack(DRIVE);
    const expected = TRIPS.map((own) => ({
      name: own.name,
      ...evaluateTrip(own, DATE, track, { timeZone: 'UTC' }),
    }));
    const json = await wayzone('trips', ...inputs, '--time-zone', 'UTC', '--format', 'json');
    expect([json.code, json.err]).toEqual([0, '']);
    expect(JSON.parse(json.out)).toEqual(expected);
    const lines = await wayzone('trips', ...inputs, '--time-zone', 'UTC', '--format', 'ndjson');
    expect(
      lines.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expected);
  });

  test('CSV has a row per point or per run, and names cannot be formulas', async () => {
    const points = await wayzone('trips', ...inputs, '--time-zone', 'UTC');
    const [head, ...rows] = points.out.trim().split('\r\n');
    expect(head).toMatch(
      /^unit_id,trip_id,trip_name,date,trip_status,point,point_name,status,planned_arrival_utc,planned_arrival_local,/,
    );
    expect(rows.length).toBe(5);
    expect(rows[1]).toMatch(
      /^unit,trip,Trip,2026-03-02,finished,2,B,passed,2026-03-02T09:00:00.000Z,2026-03-02T09:00:00.000\+00:00,2026-03-02T08:/,
    );
    expect(rows[3]).toContain(",'=cmd(),");
    const runs = await wayzone('trips', ...inputs, '--time-zone', 'UTC', '--rows', 'runs');
    const lines = runs.out.trim().split('\r\n');
    expect(lines.length).toBe(3);
    expect(lines[1]).toContain(',finished,');
  });

  test('the changes of a trip are applied, and a run that is handed over has the tracks of its units', async () => {
    const own = timed(trip('ABC'));
    const at = DRIVE[0]!.time + 60_000;
    const spare = DRIVE.map((fix) => ({ ...fix, time: fix.time + 30_000 }));
    const rows = Object.entries({ unit: DRIVE, spare }).flatMap(([unit, fixes]) =>
      fixes.map(({ time, lon, lat }) => `${unit},${new Date(time).toISOString()},${lat},${lon}`),
    );
    const tracks = file('two.csv', `unit,time,lat,lon\n${rows.join('\n')}\n`);
    const run = async (
      changes: readonly object[],
      more: object = {},
    ): Promise<Awaited<ReturnType<typeof wayzone>>> =>
      wayzone(
        'trips',
        '--trips',
        file('changed.json', JSON.stringify([{ ...own, ...more, changes }])),
        '--tracks',
        tracks,
        '--time-zone',
        'UTC',
        '--format',
        'json',
      );
    const excuse = { type: 'excuse', at, pointIndex: 2, by: 'dispatch', reason: 'closed' } as const;
    const handOver = { type: 'handOver', at, unitId: 'spare', by: 'dispatch', date: DATE } as const;
    for (const changes of [[excuse], [excuse, handOver]]) {
      const { code, out, err } = await run(changes);
      expect([code, err]).toEqual([0, '']);
      const source = { tracks: { unit: readTrack(DRIVE), spare: readTrack(spare) } };
      expect(JSON.parse(out)).toEqual([
        { name: own.name, ...evaluateTrip(own, DATE, source, { timeZone: 'UTC', changes }) },
      ]);
    }
    expect((JSON.parse((await run([handOver])).out) as TripReport[])[0]!.handOvers).toEqual([
      { at, from: 'unit', to: 'spare' },
    ]);
    const bad = await run([excuse, { ...excuse, pointIndex: 3 }]);
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('changes[1].pointIndex')]);
    const late = await run([{ ...handOver, date: '2026-03-09' }]);
    expect([late.code, late.err]).toEqual([1, expect.stringContaining('changes[0].date')]);
    const several = await run([excuse], { dates: [DATE, '2026-03-03'] });
    expect(several.err).toContain('changes[0].date');
  });

  test('worker threads do not change the output', () => {
    if (!existsSync(MAIN)) throw new Error('expected dist/; run npm run build');
    const out = (workers: string): string =>
      execFileSync(process.execPath, [MAIN, 'trips', ...inputs, '--time-zone', 'UTC', '--workers', workers], {
        encoding: 'utf8',
      });
    expect(out('2')).toBe(out('1'));
  });

  test('a reader that closes the pipe early causes no error', () => {
    const command = `"${process.execPath}" "${MAIN}" trips --help | true; echo "\${PIPESTATUS[0]}"`;
    expect(execFileSync('bash', ['-c', command], { encoding: 'utf8' }).trim()).toBe('0');
  });

  test('time zone, --now, policy and date are passed to the evaluation', async () => {
    const reports = async (...more: string[]): Promise<TripReport[]> => {
      const { out } = await wayzone('trips', ...inputs, '--format', 'json', ...more);
      return JSON.parse(out) as TripReport[];
    };
    const [berlin] = await reports('--time-zone', 'Europe/Berlin');
    expect(berlin!.points[1]!.plannedArrival).toBe(Date.parse('2026-03-02T08:00:00Z'));
    const [early] = await reports('--time-zone', 'UTC', '--now', '2026-03-02T08:20:00Z');
    expect(early!.status).toBe('active');
    const [strict] = await reports(
      '--time-zone',
      'UTC',
      '--min-stay',
      '3600',
      '--default-deviation',
      '7',
      '--separate-visits',
    );
    expect(strict).toMatchObject({ status: 'finished', defaultDeviationMinutes: 7 });
    expect(await reports('--time-zone', 'UTC', '--date', '2026-03-03')).toEqual([]);
    const [due] = await reports(
      '--time-zone',
      'UTC',
      '--min-stay',
      '36000',
      '--policy',
      'wait',
      '--finish-on',
      'departure',
    );
    const options = { minStaySeconds: 36_000, policy: 'wait', finishOn: 'departure' } as const;
    const report = evaluateTrip(TRIPS[0]!, DATE, readTrack(DRIVE), { timeZone: 'UTC', ...options });
    expect(due).toEqual({ name: TRIPS[0]!.name, ...report });
    const [plain] = await reports('--time-zone', 'UTC');
    expect(due!.status).not.toBe(plain!.status);
  });

  test('--predict-speed predicts arrivals at pending points', async () => {
    const live = [...inputs, '--time-zone', 'UTC', '--format', 'json', '--now', '2026-03-02T08:20:00Z'];
    const [plain] = JSON.parse((await wayzone('trips', ...live)).out) as TripReport[];
    expect(plain!.points[1]).not.toHaveProperty('predictedArrival');
    const { out } = await wayzone('trips', ...live, '--predict-speed', '36', '--workers', '2');
    const [report] = JSON.parse(out) as TripReport[];
    const pending = report!.points.filter(({ status }) => status === 'pending');
    expect(pending.length).toBeGreaterThan(0);
    for (const { predictedArrival } of pending) {
      expect(predictedArrival).toBeGreaterThan(report!.lastFixAt!);
    }
    expect((await wayzone('trips', ...live, '--predict-speed', '0')).err).toContain(
      'Expected a speed above 0',
    );
  });

  test('trips are read from every form of file, and values that are not trips are issues', async () => {
    const form = async (
      name: string,
      text: string,
    ): Promise<{ ids: (string | null)[]; code: number; err: string }> => {
      const argv = [
        '--trips',
        file(name, text),
        ...inputs.slice(2),
        '--time-zone',
        'UTC',
        '--format',
        'json',
      ];
      const { code, out, err } = await wayzone('trips', ...argv);
      return { ids: (JSON.parse(out) as TripReport[]).map(({ tripId }) => tripId), code, err };
    };
    const [one, other] = TRIPS;
    expect(await form('one.json', JSON.stringify(one))).toEqual({ ids: ['trip'], code: 0, err: '' });
    expect((await form('answer.json', JSON.stringify({ max: 2, list: TRIPS }))).ids).toEqual([
      'trip',
      'other',
    ]);
    const lines = `\uFEFF${JSON.stringify(one)}\n\n${JSON.stringify(other)}\n{`;
    const broken = await form('lines.ndjson', lines);
    expect(broken.ids).toEqual(['trip', 'other']);
    expect(broken.err).toContain('error json-syntax: 1');
    expect(broken.err).toContain('line 4');
    const mixed = await form('mixed.json', JSON.stringify([null, 5, {}, { ...one, is_delete: 1 }, other]));
    expect(mixed).toMatchObject({ ids: ['other'], code: 1 });
    expect(mixed.err).toContain('error trip-type: 3');
    expect(mixed.err).toContain('warning trip-deleted: 1');
    expect((await form('empty.json', '[]')).err).toContain('no-trips');
    const wrong = { ...one, passage_order_type: { key: 'any' } };
    const refused = await form('wrong.json', JSON.stringify([wrong, other]));
    expect(refused).toMatchObject({ ids: ['other'], code: 1 });
    expect(refused.err).toContain('unit "unit" trip "trip" 2026-03-02 passage_order_type.key');
    const absent = await wayzone(
      'trips',
      '--trips',
      join(folder, 'no.json'),
      ...inputs.slice(2),
      '--time-zone',
      'UTC',
    );
    expect(absent.code).toBe(1);
    expect(absent.err).toContain('file-unreadable');
  });

  test('a unit without fixes is reported too', async () => {
    const lost = trip('AB', { unit: { id: 'lost' } });
    const argv = [
      '--trips',
      file('lost.json', JSON.stringify([lost])),
      ...inputs.slice(2),
      '--time-zone',
      'UTC',
    ];
    const { code, out } = await wayzone('trips', ...argv, '--rows', 'runs');
    expect(code).toBe(0);
    expect(out).toContain('lost,trip,Trip,2026-03-02,no_data');
  });

  test.each([
    [2, 'time-zone is missing', []],
    [2, 'Expected a time with its offset', ['--time-zone', 'UTC', '--now', 'noon']],
    [2, 'whole number from 1 to 1024', ['--time-zone', 'UTC', '--workers', '0']],
    [2, 'policy', ['--time-zone', 'UTC', '--policy', 'hope']],
    [1, 'IANA', ['--time-zone', 'Mars/Olympus']],
    [1, 'a date', ['--time-zone', 'UTC', '--date', '2026-02-30']],
  ])('exit code %i: %s', async (code, text, argv) => {
    const answer = await wayzone('trips', ...inputs, ...argv);
    expect([answer.code, answer.out]).toEqual([code, '']);
    expect(answer.err).toContain(text);
  });
});
