/** Wakes the streams of a company when any process has committed fixes or events of the company. */

import { sql } from 'kysely';
import type { Storage } from '../storage/storage.js';
import type { Log } from '../stream/log.js';

export interface LiveChanges {
  /**
   * Yields at once, then after each write of the company (several writes may yield once) and after each `IDLE_MS` without a write.
   * Returns when `signal` aborts or the host closes. A read after a yield sees at least the writes that caused it.
   */
  of(companyId: string, signal: AbortSignal): AsyncGenerator<'change' | 'idle'>;
  close(): void;
}

/** Less than the 30 s after which proxies close an idle connection. */
const IDLE_MS = 15_000;
const POLL_MS = 1000;

interface Watched {
  /** Number of hints so far. */
  turn: number;
  readonly waiting: Set<() => void>;
  readers: number;
}

export async function liveChanges(
  { db }: Pick<Storage, 'db'>,
  log: Pick<Log, 'listen'>,
): Promise<LiveChanges> {
  const watched = new Map<string, Watched>();
  let isClosed = false;
  /** The sum of all partitions' positions at the last poll. */
  let position = '';

  const wake = (company: Watched): void => {
    company.turn++;
    for (const resume of company.waiting) resume();
  };
  await log.listen((companyId) => {
    const company = watched.get(companyId);
    if (company !== undefined) wake(company);
  });
  // Hints may be lost, so positions are also compared each second.
  const poll = async (): Promise<void> => {
    if (watched.size === 0) return;
    const { rows } = await sql<{
      sum: string | null;
    }>`select sum(position)::text as sum from partitions`.execute(db);
    const sum = rows[0]?.sum ?? '';
    if (sum !== position && position !== '') for (const company of watched.values()) wake(company);
    position = sum;
  };
  const timer = setInterval(() => void poll().catch(() => {}), POLL_MS);
  timer.unref();

  /** Waits for a hint after `turn`, at most `IDLE_MS`. Returns whether one came. */
  const waitFor = (company: Watched, turn: number, signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      if (company.turn !== turn || signal.aborted || isClosed) return resolve(true);
      const done = (): void => {
        clearTimeout(idle);
        company.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve(company.turn !== turn);
      };
      const idle = setTimeout(done, IDLE_MS);
      company.waiting.add(done);
      signal.addEventListener('abort', done);
    });

  return {
    async *of(companyId, signal) {
      const company = watched.get(companyId) ?? { turn: 0, waiting: new Set(), readers: 0 };
      watched.set(companyId, company);
      company.readers++;
      try {
        let turn = company.turn;
        yield 'change';
        while (!signal.aborted && !isClosed) {
          const isChanged = await waitFor(company, turn, signal);
          if (signal.aborted || isClosed) return;
          turn = company.turn;
          yield isChanged ? 'change' : 'idle';
        }
      } finally {
        if (--company.readers === 0) watched.delete(companyId);
      }
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const company of watched.values()) wake(company);
    },
  };
}
