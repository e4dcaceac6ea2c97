/** Wakes the streams of a company when any process has committed fixes or events of the company. */

import { sql } from 'kysely';
import type { Storage } from '../storage/storage.js';

export interface LiveChanges {
  /**
   * Yields at once, then after each write of the company (several writes may yield once), and `idle` at least every `idleMs`, whatever else
   * is written. Returns when `signal` aborts or the host closes. A read after a yield sees at least the writes that caused it.
   */
  of(companyId: string, signal: AbortSignal): AsyncGenerator<'change' | 'idle'>;
  close(): void;
}

/** Less than the 30 s after which proxies close an idle connection. */
const IDLE_MS = 15_000;
const POLL_MS = 1000;

export interface LiveChangesOptions {
  /** Milliseconds between two idle turns. Default 15,000. */
  readonly idleMs?: number;
  /** Milliseconds between two polls. Default 1000. */
  readonly pollMs?: number;
}

interface Watched {
  /** Number of hints so far. */
  turn: number;
  readonly waiting: Set<() => void>;
  readers: number;
}

export async function liveChanges(
  { db, listen }: Pick<Storage, 'db' | 'listen'>,
  { idleMs = IDLE_MS, pollMs = POLL_MS }: LiveChangesOptions = {},
): Promise<LiveChanges> {
  const watched = new Map<string, Watched>();
  let isClosed = false;
  /** By company, the number of its last event at the last poll. */
  const last = new Map<string, string>();

  const wake = (company: Watched): void => {
    company.turn++;
    for (const resume of company.waiting) resume();
  };
  await listen('wayzone_live', ({ companyId }) => {
    const company = watched.get(companyId);
    if (company !== undefined) wake(company);
  });
  // Hints may be lost, so the numbers of events are also compared each second. Lost hints of fixes without events wait for `IDLE_MS`.
  const poll = async (): Promise<void> => {
    if (watched.size === 0) return;
    const { rows } = await sql<{ company_id: string; last: string }>`
      select company_id, last from event_numbers where company_id = any(${[...watched.keys()]}::text[])`.execute(
      db,
    );
    for (const { company_id: companyId, last: number } of rows) {
      if (last.get(companyId) === number) continue;
      last.set(companyId, number);
      const company = watched.get(companyId);
      if (company !== undefined) wake(company);
    }
    for (const companyId of last.keys()) if (!watched.has(companyId)) last.delete(companyId);
  };
  const timer = setInterval(() => void poll().catch(() => {}), pollMs);
  timer.unref();

  /** Waits for a hint after `turn`, at most `ms`. */
  const waitFor = (company: Watched, turn: number, ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (company.turn !== turn || signal.aborted || isClosed) return resolve();
      const done = (): void => {
        clearTimeout(idle);
        company.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const idle = setTimeout(done, Math.max(0, ms));
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
        let idleAt = performance.now() + idleMs;
        yield 'change';
        while (!signal.aborted && !isClosed) {
          await waitFor(company, turn, idleAt - performance.now(), signal);
          if (signal.aborted || isClosed) return;
          turn = company.turn;
          // Also a company that changes all the time has idle turns, because its changes may be none of what a reader sends.
          const isIdle = performance.now() >= idleAt;
          if (isIdle) idleAt = performance.now() + idleMs;
          yield isIdle ? 'idle' : 'change';
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
