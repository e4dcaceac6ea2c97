import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { findVisits, readTrack } from 'wayzone/tracks';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import { setAsideHost } from '../../src/setAsideHost.js';
import { readSettings } from '../../src/settings.js';
import type { Log } from '../../src/stream/log.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { partOf } from '../../src/stream/partOf.js';
import { listSetAside } from '../../src/stream/setAside.js';
import { addCompany } from '../addCompany.js';
import { eventsInOrder } from '../eventsInOrder.js';
import { type Cluster, MAIN, SECRET, startCluster } from './cluster.js';

/**
 * A unit that ends its workers, and one with a fix that cannot be read, on several workers and a broker: both are set aside alone, over takeovers
 * and restarts, and their neighbours in the same messages go on.
 */

const PARTITIONS = 2;
const MEGABYTES = 8;
const YARD = {
  id: 'yard',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};
/** Units of one cell. */
const UNITS: readonly string[] = Array.from({ length: 40 }, (_, i) => `unit-${i}`)
  .filter((id) => partOf(id, PARTITIONS) === 1)
  .slice(0, 4);
const [BOMB, BAD] = UNITS as readonly [string, string, string, string];

needs(POSTGRESQL, NATS_SERVER).describe('units that are set aside (needs PostgreSQL, nats-server)', () => {
  let cluster: Cluster;
  let folder: string;
  let log: Log;
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
        PARTITIONS: String(PARTITIONS),
        LATENESS_SECONDS: '30',
        STATE_SECONDS: '1',
        LOG_MEGABYTES: String(MEGABYTES),
        TICK_SECONDS: '0',
        NODE_OPTIONS: `--import ${pathToFileURL(fault).href}`,
      },
      prepare: ({ storage }) => addCompany(storage, 'c', { zones: [{ ...YARD, name: 'Yard' }] }),
    });
    log = await natsLog(cluster.natsUrl, { maxBytes: MEGABYTES * 2 ** 20 });
  });
  afterAll(async () => {
    await log?.close();
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
    let last = 0;
    /** Publishes as a sender that checks nothing. */
    const publish = async (items: readonly (readonly [string, object])[]): Promise<void> => {
      const payload = new TextEncoder().encode(JSON.stringify({ v: 1, company: 'c', fixes: items }));
      // The workers create the streams.
      for (;;)
        try {
          [last] = (await log.publish([{ cell: 1, payload }])) as [number];
          return;
        } catch (error) {
          if (last > 0) throw error;
          await sleep(100);
        }
    };
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
        const row = await storage.db
          .selectFrom('cells')
          .select('position')
          .where('cell', '=', 1)
          .executeTakeFirstOrThrow();
        if (Number(row.position) >= last) return;
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
      const environment = {
        TOKEN_SECRET: SECRET,
        DATABASE_URL: cluster.database.url!,
        NATS_URL: cluster.natsUrl,
      };
      const settings = readSettings({
        ...environment,
        PARTITIONS: String(PARTITIONS),
        LOG_MEGABYTES: String(MEGABYTES),
      });
      const listed = await setAsideHost(settings, args);
      const state = await log.state(1);
      last = state!.last;
      await committed();
      return listed;
    };

    for (let minute = 0; minute < 60; minute += 20) await publish(drive(minute, minute + 20));
    await committed();
    const bomb = { ...fixAt(BOMB, 65), time: start + 65 * 60_000 + 1000, note: 'bomb' };
    sent.get(BOMB)!.push(bomb);
    const whole = drive(60, 80);
    await publish([...whole.slice(0, 30), [BOMB, bomb], ...whole.slice(30)]);
    await committed();
    expect(await listSetAside(storage)).toMatchObject([
      {
        cell: 1,
        seq: last,
        unitId: BOMB,
        companyId: 'c',
        reason: 'it ended each process that tried it alone',
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
    // Takeovers and restarts keep it.
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
