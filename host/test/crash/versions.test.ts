import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZoneIndex } from 'wayzone';
import { needs, POSTGRESQL } from '../../../test/needs.js';
import type { UnitFix } from '../../src/live/fixes.js';
import { fixDays } from '../../src/storage/fixDays.js';
import { liveStream } from '../../src/stream/liveStream.js';
import { addCompany } from '../addCompany.js';
import { type Cluster, MAIN, startCluster } from './cluster.js';
import { endStream } from './endStream.js';
import { fixAt, idZones } from './fleet.js';
import { bestOf, differenceOf, itemsOf } from './oracle.js';

/**
 * Workers of two versions run at once, as in a deploy. The older one cannot read states of the newer one, and reports it; the newer one goes on with
 * these cells. The newer program is a copy of this one with the next state version.
 */

const LATENESS_SECONDS = 2;
/** Of four cells. */
const UNITS = Array.from({ length: 1600 }, (_, i) => `unit-${i}`);
/** The units that drive. */
const DRIVERS = Array.from({ length: 40 }, (_, i) => i);

needs(POSTGRESQL).describe('two versions of workers (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let folder: string;
  let newer: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(dirname(MAIN), 'newer-'));
    for (const name of readdirSync(dirname(MAIN)))
      if (!name.startsWith('newer-'))
        cpSync(join(dirname(MAIN), name), join(folder, name), { recursive: true });
    newer = join(folder, 'main.js');
    const chunks = join(folder, 'chunks');
    const states = readdirSync(chunks)
      .map((name) => join(chunks, name))
      .find((path) => readFileSync(path, 'utf8').includes('text.startsWith(HEAD)'))!;
    const text = readFileSync(states, 'utf8');
    const version = Number(/^var VERSION = (\d+);$/m.exec(text)![1]);
    const older = `{"v":${version},"unit":`;
    writeFileSync(
      states,
      text
        .replace(/^var VERSION = \d+;$/m, `var VERSION = ${version + 1};`)
        .replace('text.startsWith(HEAD)', `(text.startsWith(HEAD) || text.startsWith('${older}'))`),
    );
    expect(readFileSync(states, 'utf8')).toContain(`|| text.startsWith('${older}')`);
    cluster = await startCluster({
      workers: 1,
      apis: 1,
      environment: {
        LATENESS_SECONDS: String(LATENESS_SECONDS),
        STATE_SECONDS: '1',
      },
      prepare: ({ storage }) =>
        addCompany(storage, 'still', { zones: idZones(), units: UNITS.map((id) => ({ id })) }),
    });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('cells go from version to version and back, and nothing is lost, doubled or changed', async () => {
    const { storage } = cluster.database;
    const { db } = storage;
    const sender = liveStream({ storage, days: fixDays(storage), worker: null, now: null });
    const sent: UnitFix[] = [];
    const start = Date.now();
    /** Ten times the speed on roads, so that a unit passes zones in seconds. */
    const fixOf = (unit: number, time: number) => ({ ...fixAt(unit, start + (time - start) * 10), time });
    const drive = async (rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        const time = Date.now();
        const fixes = DRIVERS.map((unit) => ({ unitId: UNITS[unit]!, fix: fixOf(unit, time) }));
        await sender.push('still', fixes);
        sent.push(...fixes);
        await sleep(50);
      }
    };
    const cells = () =>
      sql<{ owner: string | null; unproven: number; left: string }>`
      select owner, unproven, head - position as left from cells join cell_positions using (cell)`.execute(
        db,
      );
    const isCommitted = async (): Promise<boolean> =>
      (await cells()).rows.every(({ left }) => Number(left) === 0);
    const untilCommitted = async (): Promise<void> => {
      while (!(await isCommitted())) await sleep(50);
    };
    const ownersOf = async (): Promise<number> =>
      new Set((await cells()).rows.map(({ owner, unproven }) => (unproven === 0 ? owner : null))).size;
    const health = async (): Promise<{ status: string; unread?: { reason: string }[] }> =>
      (await (await fetch(`${cluster.apis[0]!.url}/ready`)).json()) as never;
    const versionsOf = async (): Promise<Set<unknown>> => {
      const rows = await db.selectFrom('unit_states').select('state').execute();
      return new Set(rows.map(({ state }) => (JSON.parse(state) as { v: unknown }).v));
    };

    await drive(30);
    await untilCommitted();
    // Both run, and the newer one takes over cells with states of the older one.
    const next = await cluster.addWorker(newer);
    while ((await ownersOf()) < 2) await drive(1);
    while ((await versionsOf()).size < 2) await drive(1);
    await drive(15);
    await untilCommitted();
    // The newer one ends. The older one takes its cells and cannot read their states.
    await next.stop();
    while (!(await health()).unread?.some(({ reason }) => reason === 'state-version')) await drive(1);
    // The newer one returns and the older one ends, as in a deploy.
    const again = await cluster.addWorker(newer);
    await cluster.workers[0]!.stop();
    while ((await health()).status !== 'ok') await drive(1);
    await drive(15);
    await untilCommitted();
    await again.restart();
    await drive(15);

    await endStream(cluster, LATENESS_SECONDS);
    await sender.close();
    const { visits, movement } = await itemsOf(storage, new ZoneIndex(idZones() as never), bestOf(sent));
    expect([visits, movement].map(({ batch, emitted }) => differenceOf(batch, emitted))).toEqual(
      Array.from({ length: 2 }, () => ({ lost: 0, doubled: 0, changed: 0, examples: [] })),
    );
    expect(visits.batch.size).toBeGreaterThan(50);
  });
});
