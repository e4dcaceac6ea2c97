/** Turns of companies at a number of places: no company occupies all of them, and none waits behind the queue of another. */

import { WayzoneError } from 'wayzone';
import { hostEnds } from './pipe.js';

export interface CompanyTurns {
  /** Resolves when the company's turn has come: it has a place then. Throws `limit-queue` (429) if too many of its jobs wait. */
  turn(companyId: string): Promise<void>;
  /** A place is free. */
  free(): void;
  /** A job of the company is over. */
  end(companyId: string): void;
  /** The company's next turn comes after a rest. */
  rest(companyId: string): void;
  /** All that wait fail. */
  close(): void;
}

export interface CompanyTurnOptions {
  /** Number of places. */
  readonly most: number;
  /** Maximum number of jobs of one company that are not over. */
  readonly mostOfCompany: number;
  /** Maximum number of waiting jobs of a company. */
  readonly mostWaiting: number;
}

interface Waiting {
  begin(): void;
  refuse(error: Error): void;
}

/** After a job has ended its process, or was cancelled, its company's next one begins after a rest: a new process takes a large host's event loop some 0.1 s. */
const REST_MS = 2000;
export function companyTurns({ most, mostOfCompany, mostWaiting }: CompanyTurnOptions): CompanyTurns {
  /** Companies with waiting jobs. The first is the next; a company that was served goes to the end. */
  const queues = new Map<string, Waiting[]>();
  /** Numbers of jobs that are not over. */
  const running = new Map<string, number>();
  const resting = new Map<string, NodeJS.Timeout>();
  let busy = 0;
  let isClosed = false;

  const begin = (): void => {
    for (const [companyId, [next, ...rest]] of queues) {
      if (busy >= most) return;
      const own = running.get(companyId) ?? 0;
      if (own >= mostOfCompany || resting.has(companyId)) continue;
      queues.delete(companyId);
      if (rest.length > 0) queues.set(companyId, rest);
      running.set(companyId, own + 1);
      busy++;
      next!.begin();
    }
  };
  return {
    turn: (companyId) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(hostEnds());
        const queue = queues.get(companyId) ?? [];
        if (queue.length >= mostWaiting) return reject(queueFull(mostWaiting));
        queue.push({ begin: resolve, refuse: reject });
        queues.set(companyId, queue);
        begin();
      }),
    free() {
      busy--;
      begin();
    },
    end(companyId) {
      const left = running.get(companyId)! - 1;
      if (left === 0) running.delete(companyId);
      else running.set(companyId, left);
      begin();
    },
    rest(companyId) {
      clearTimeout(resting.get(companyId));
      const wake = (): void => {
        resting.delete(companyId);
        begin();
      };
      resting.set(companyId, setTimeout(wake, REST_MS).unref());
    },
    close() {
      isClosed = true;
      const waiting = [...queues.values()].flat();
      queues.clear();
      for (const one of waiting) one.refuse(hostEnds());
    },
  };
}

function queueFull(mostWaiting: number): WayzoneError {
  const text = `expected at most ${mostWaiting} waiting jobs of a company, received more`;
  return new WayzoneError('limit-queue', '', text, { status: 429, wireCode: 429 });
}
