import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { findVisits, readTrack } from 'wayzone/tracks';
import { needs, POSTGRESQL } from '../../../test/needs.js';
import { setAsideHost } from '../../src/setAsideHost.js';
import { readSettings } from '../../src/settings.js';
import { fixDays } from '../../src/storage/fixDays.js';
import { type LiveStream, liveStream } from '../../src/stream/liveStream.js';
import { listSetAside } from '../../src/stream/setAside.js';
import { addCompany } from '../addCompany.js';
import { eventsInOrder } from '../eventsInOrder.js';
import { type Cluster, MAIN, SECRET, startCluster } from './cluster.js';

/**
 * A unit that ends its workers, and one with a fix that cannot be read, on several workers: both are set aside alone, over kills
 * and restarts, and their neighbours in the same messages go on.
 */

const YARD = {
  id: 'yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};
const UNITS: readonly string[] = ['bomb', 'bad', 'unit-2', 'unit-3'];
const [BOMB, BAD] = UNITS as readonly [string, string, string, string];

needs(POSTGRESQL).describe('units that are set aside (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let folder: string;
  let sender: LiveStream;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wayzone-aside-'));
    // A fault of the program: one fix of one unit ends the process.
    const operator = pathToFileURL(resolve(MAIN, '../../../dist/operator/index.js')).href;
    const fault = join(folder, 'fault.mjs');
    writeFileSync(
      fault,
      `import { existsSync } from 'node:fs';
      import { UnitFleet } from '${operator}';
      const { push } = UnitFleet.prototype;
      UnitFleet.prototype.push = function (unitId, fix, options) {
        if (unitId === '${BOMB}' && fix.note === 'bomb' && !existsSync('${folder}/repaired')) process.kill(process.pid, 'SIGKILL');
        return push.call(this, unitId, fix, options);
      };`,
    );
    cluster = await startCluster({
      workers: 2,
      apis: 0,
      environment: {
        LATENESS_SECONDS: '30',
        STATE_SECONDS: '1',
        TICK_SECONDS: '0',
        NODE_OPTIONS: `--import ${pathToFileURL(fault).href}`,
      },
      prepare: ({ storage }) => addCompany(storage, 'c', { zones: [{ ...YARD, name: 'Yard' }] }),
    });
    const { storage } = cluster.database;
    sender = liveStream({ storage, days: fixDays(storage), worker: null, now: null });
  });
  afterAll(async () => {
    await sender?.close();
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a unit that ends its workers and one that cannot be read wait alone, and return with the events of the batch', async () => {
    const { storage } = cluster.database;
    const start = Date.now() - 600 * 60_000;
    const sent = new Map<string, Fix[]>(UNITS.map((unitId) => [unitId, []]));
    const fixAt = (unitId: string, minute: number): Fix => {
      const within = (minute + 3 * UNITS.indexOf(unitId)) % 24;
      return { time: start + minute * 60_000, lon: 30 + (Math.abs(within - 12) - 6) / 300, lat: 60 };
    };
    /** Sends past the checks of requests. */
    const publish = (items: readonly (readonly [string, Fix])[]): Promise<void> =>
      sender.push(
        'c',
        items.map(([unitId, fix]) => ({ unitId, fix })),
      );
    const drive = (from: number, to: number): (readonly [string, Fix])[] => {
      const items: (readonly [string, Fix])[] = [];
      for (let minute = from; minute < to; minute++)
        for (const unitId of UNITS) {
          const fix = fixAt(unitId, minute);
          sent.get(unitId)!.push(fix);
          items.push([unitId, fix]);
        }
      return items;
    };
    /** Starts workers again that ended. */
    const committed = async (): Promise<void> => {
      for (;;) {
        const { rows } = await sql`select from cells c join cell_positions p on p.cell = c.cell
          where c.head > p.position`.execute(storage.db);
        if (rows.length === 0) return;
        for (const one of cluster.workers) if (one.hasEnded) await one.restart();
        await sleep(50);
      }
    };
    const compare = async (unitId: string): Promise<void> => {
      const events = await eventsInOrder(storage, { unit_id: unitId });
      const track = readTrack([...sent.get(unitId)!].sort((a, b) => a.time - b.time));
      const visits = findVisits(track, new ZoneIndex([YARD])).map(({ enter, exit }) => [enter, exit]);
      expect(
        describeEvents('visits', events as never).map(({ enter, exit }) => [enter, exit]),
        unitId,
      ).toEqual(visits);
      expect(visits.length).toBeGreaterThan(5);
    };
    const aside = async (): Promise<(string | null)[]> =>
      (await listSetAside(storage)).map(({ unitId }) => unitId);
    const decide = async (...args: string[]): Promise<unknown> => {
      const settings = readSettings({ TOKEN_SECRET: SECRET, DATABASE_URL: cluster.database.url! });
      const listed = await setAsideHost(settings, args);
      await committed();
      return listed;
    };

    for (let minute = 0; minute < 60; minute += 20) await publish(drive(minute, minute + 20));
    await committed();
    const bomb: Fix = { ...fixAt(BOMB, 65), time: start + 65 * 60_000 + 1000, note: 'bomb' } as Fix;
    sent.get(BOMB)!.push(bomb);
    const whole = drive(60, 80);
    await publish([...whole.slice(0, 30), [BOMB, bomb], ...whole.slice(30)]);
    await committed();
    expect(await listSetAside(storage)).toMatchObject([
      {
        unitId: BOMB,
        companyId: 'c',
        reason: 'it ended its worker 3 times',
      },
    ]);

    const part = drive(80, 100).filter(([unitId]) => unitId !== BAD);
    // The unit's part of this message is given up later.
    sent.set(
      BAD,
      sent.get(BAD)!.filter(({ time }) => time < start + 80 * 60_000),
    );
    await publish([...part, [BAD, fixAt(BAD, 90)], [BAD, { ...fixAt(BAD, 91), time: start + 1e10 }]]);
    await publish(drive(100, 140));
    await committed();
    expect(await aside()).toEqual([BOMB, BAD]);
    // Kills and restarts keep it.
    for (const one of cluster.workers) await one.kill();
    await publish(drive(140, 180));
    await committed();
    for (const one of cluster.workers) await one.restart();
    await publish(drive(180, 222));
    await committed();
    expect(await aside()).toEqual([BOMB, BAD]);
    for (const unitId of UNITS.slice(2)) await compare(unitId);

    await decide('skip', '--unit', BAD);
    expect(await aside()).toEqual([BOMB]);
    await compare(BAD);
    writeFileSync(join(folder, 'repaired'), '');
    expect(await decide('retry', '--unit', BOMB)).toBeInstanceOf(Array);
    await publish(drive(222, 261));
    await committed();
    expect(await aside()).toEqual([]);
    for (const unitId of UNITS) await compare(unitId);
    await expect(decide('retry', '--unit', BOMB)).rejects.toMatchObject({ code: 'aside-missing' });
  });
});
