import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect } from 'vitest';
import { needs, SPARK, SPARK_PATH } from '../needs.js';
import { seeded } from '../volume.js';

/** The adapter for Spark: two executors, one of which is killed, write what one process computes. */

const START = Date.UTC(2026, 2, 2, 6);
const ADAPTER = resolve(import.meta.dirname, '../../adapters/spark');
const DEPOT = { id: 'depot', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
const JOB = {
  zones: [DEPOT],
  timeZone: 'Europe/Moscow',
  trips: [
    {
      date: '2026-03-02',
      trip: {
        id: 'round',
        unit: { id: 'unit-3' },
        activation_type: { key: 'entrance_to_first_point' },
        passage_order_type: { key: 'strict' },
        dates: ['2026-03-02'],
        points: [
          { ...DEPOT, arrival: { time: '09:40', deviation_minutes: 30 } },
          { ...DEPOT, arrival: { time: '10:20', deviation_minutes: 30 } },
        ],
      },
    },
  ],
};

/** Fixes in no order: drives to and fro over the depot with rests. */
function fixes() {
  const random = seeded(11);
  const rows = Array.from({ length: 12 * 600 }, (_, i) => {
    const [unit, minute] = [i % 12, Math.floor(i / 12)];
    const within = (minute + 7 * unit) % 40;
    return {
      order: random(),
      unit_id: `unit-${unit}`,
      time: START + minute * 60_000,
      lon: 30 + (Math.min(within, 20) - 10) / 300,
      lat: 60,
      speedKph: within < 20 ? 40 : 0,
      ignition: within < 20,
    };
  });
  return rows.sort((a, b) => a.order - b.order);
}

/** Processes whose command line has these words. */
function processesOf(...words: readonly string[]): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return words.every((word) => line.includes(word)) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

needs(SPARK).test(
  'a killed executor changes nothing (needs npm run test:spark)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-spark-'));
    try {
      const rows = fixes();
      mkdirSync(join(folder, 'fixes'));
      for (let i = 0; i < 4; i++) {
        const own = rows.filter((_, k) => k % 4 === i);
        const column = (name: string, type: string) => ({
          name,
          type: type as 'DOUBLE',
          data: own.map((row) => {
            const value = row[name as 'time'];
            return type === 'INT64' ? BigInt(value) : value;
          }),
        });
        const columnData = [
          column('unit_id', 'STRING'),
          column('time', 'INT64'),
          ...['lon', 'lat', 'speedKph'].map((name) => column(name, 'DOUBLE')),
          column('ignition', 'BOOLEAN'),
        ];
        writeFileSync(join(folder, 'fixes', `${i}.parquet`), Buffer.from(parquetWriteBuffer({ columnData })));
      }
      const job = join(folder, 'job.json');
      writeFileSync(job, JSON.stringify(JOB));
      const spark = spawn(
        SPARK_PATH,
        [
          '--master=local-cluster[2,1,1024]',
          '--driver-memory=512m',
          join(ADAPTER, 'archive.py'),
          `--fixes=${join(folder, 'fixes')}`,
          `--job=${job}`,
          `--out=${join(folder, 'out')}`,
          '--partitions=6',
        ],
        { stdio: 'ignore', env: { ...process.env, PYSPARK_PYTHON: join(SPARK_PATH, '../python3') } },
      );
      const ended = once(spark, 'exit');
      let killed = 0;
      while (spark.exitCode === null && killed === 0) {
        const [executor] = processesOf('CoarseGrainedExecutorBackend');
        if (executor !== undefined && processesOf('worker.mjs', job).length > 0) {
          process.kill(executor, 'SIGKILL');
          killed++;
        }
        await sleep(5);
      }
      expect([killed, ...(await ended)]).toEqual([1, 0, null]);

      const sorted = [...rows].sort((a, b) => a.unit_id.localeCompare(b.unit_id) || a.time - b.time);
      const alone = execFileSync(process.execPath, [join(ADAPTER, 'worker.mjs'), job], {
        input: sorted.map((fix) => JSON.stringify({ ...fix, order: undefined })).join('\n'),
        encoding: 'utf8',
      });
      const expected = alone
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { table: string; unit_id: string; row: string });
      const db = await (await DuckDBInstance.create()).connect();
      const read = async (query: string) => (await db.runAndReadAll(query)).getRowObjectsJS();
      const found = await read(
        `select "table", unit_id, row from read_parquet('${folder}/out/rows/*/*.parquet', hive_partitioning = true)`,
      );
      const texts = (list: readonly unknown[]): string[] => list.map((one) => JSON.stringify(one)).sort();
      expect(texts(found)).toEqual(texts(expected));
      for (const table of ['visits', 'movement', 'ledger', 'trips']) {
        const [{ n }] = (await read(`select count(*)::int as n from '${folder}/out/${table}/*.parquet'`)) as [
          { n: number },
        ];
        expect([table, n]).toEqual([table, expected.filter((one) => one.table === table).length]);
        expect(n).toBeGreaterThan(0);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  600_000,
);
