/** Starts PostgreSQL, workers and API processes for a test. Each can be killed, stopped and started again. */

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, ownPostgres } from '../testHost.js';

export const MAIN: string = resolve(import.meta.dirname, '../../dist/main.js');
/** Ends in a row, before the process is ready, that count as a failure. */
const MOST_FAILURES = 20;
export const SECRET = 'a secret of the tests, 32 bytes long';

export interface Node {
  readonly name: string;
  /** The process; 0 for PostgreSQL. */
  readonly pid: number;
  /** Sends SIGKILL and starts the process again, after `meanwhile`. */
  kill(meanwhile?: () => void): Promise<void>;
  /** Sends SIGTERM and starts the process again after it has ended. */
  restart(): Promise<void>;
  /** Sends SIGSTOP, waits, and sends SIGCONT. A process killed meanwhile is not started again. */
  pause(ms: number): Promise<void>;
  /** Whether the process is killed and not started yet, or paused. */
  readonly isAway: boolean;
  /** Whether the process ended by itself. */
  readonly hasEnded: boolean;
  /** The address of an API process, or of a worker with `METRICS_PORT`; else empty. */
  readonly url: string;
  /** Standard error of an API process or worker so far; else empty. */
  readonly stderr: string;
  stop(): Promise<void>;
}

export interface Cluster {
  readonly database: Database;
  readonly workers: readonly Node[];
  readonly apis: readonly Node[];
  readonly postgres: Node;
  /** `main`: the program, for a worker of another version. */
  addWorker(main?: string): Promise<Node>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly workers: number;
  readonly apis: number;
  readonly environment: NodeJS.ProcessEnv;
  /** Folder of PostgreSQL's data. Default: the folder for temporary files. */
  readonly databaseFolder?: string;
  /** Folder of PostgreSQL's write-ahead log. Default: with its data. */
  readonly walFolder?: string;
  /** Called after the database has started, before all other processes. */
  readonly prepare: (database: Database) => Promise<void>;
}

export async function startCluster({
  workers,
  apis,
  environment,
  databaseFolder,
  walFolder,
  prepare,
}: ClusterOptions): Promise<Cluster> {
  const database = await ownPostgres(databaseFolder, walFolder);
  const started: Node[] = [];
  try {
    await prepare(database);
    const env = {
      LOG_LEVEL: 'warn',
      ...process.env,
      TOKEN_SECRET: SECRET,
      DATABASE_URL: database.url!,
      FOLLOW: 'no',
      PORT: '0',
      POSITIONS_PER_MINUTE: '1000000000',
      ...environment,
    };
    const nodes = await Promise.all(
      Array.from({ length: workers + apis }, (_, i) =>
        i < workers ? hostNode(`worker ${i}`, ['worker'], env) : hostNode(`api ${i - workers}`, [], env),
      ),
    );
    started.push(...nodes);
    const list = nodes.slice(0, workers);
    return {
      database,
      workers: list,
      apis: nodes.slice(workers),
      postgres: postgresNode(database),
      async addWorker(main = MAIN) {
        const node = await hostNode(`worker ${list.length}`, ['worker'], env, main);
        started.push(node);
        list.push(node);
        return node;
      },
      async close() {
        await Promise.all(started.map((node) => node.stop()));
        await database.storage.close();
        database.remove();
      },
    };
  } catch (error) {
    for (const node of started) await node.stop();
    await database.storage.close();
    database.remove();
    throw error;
  }
}

/** A process that `kill` and `restart` start again. */
function nodeOf(
  name: string,
  start: () => Promise<{ readonly child: ChildProcess; readonly url: string }>,
  first: { readonly child: ChildProcess; readonly url: string },
  stderr: () => string = () => '',
): Node {
  let running = first;
  let isAway = false;
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  };
  return {
    name,
    get pid() {
      return running.child.pid ?? 0;
    },
    get url() {
      return running.url;
    },
    get stderr() {
      return stderr();
    },
    get isAway() {
      return isAway;
    },
    get hasEnded() {
      const { exitCode, signalCode } = running.child;
      return exitCode !== null || signalCode !== null;
    },
    async kill(meanwhile) {
      isAway = true;
      await end('SIGKILL');
      meanwhile?.();
      running = await start();
      isAway = false;
    },
    async restart() {
      isAway = true;
      await end('SIGTERM');
      running = await start();
      isAway = false;
    },
    async pause(ms) {
      const { child } = running;
      isAway = true;
      child.kill('SIGSTOP');
      await sleep(ms);
      child.kill('SIGCONT');
      isAway = false;
    },
    stop: () => end('SIGKILL'),
  };
}

async function hostNode(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  main: string = MAIN,
): Promise<Node> {
  let failures = 0;
  let stderr = '';
  const start = async (): Promise<{ child: ChildProcess; url: string }> => {
    const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
      process.execPath,
      [main, ...args, '--json'],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      process.stderr.write(text);
    });
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      child.stdout.resume();
      failures = 0;
      return { child, url: (JSON.parse(String(chunk)) as { url?: string | null }).url ?? '' };
    }
    // The process was killed or lost its database before it was ready.
    if (++failures > MOST_FAILURES) throw new Error(`expected ${name} to start, received ${failures} ends`);
    await sleep(100);
    return start();
  };
  return nodeOf(name, start, await start(), () => stderr);
}

/** PostgreSQL. `kill` ends all its processes at once, as if the machine ran out of memory. */
function postgresNode(database: Database): Node {
  return {
    name: 'postgres',
    pid: 0,
    url: '',
    stderr: '',
    isAway: false,
    hasEnded: false,
    async kill() {
      database.kill();
      for (;;) {
        try {
          database.start();
          return;
        } catch {
          await sleep(100);
        }
      }
    },
    restart: async () => {},
    pause: async () => {},
    stop: async () => {},
  };
}
