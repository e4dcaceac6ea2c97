/** The company's events as they happen: one EventSource, opened again with a new ticket whenever it ends. */

import type { Api } from './api.js';
import type { UnitPosition } from './fleet.js';

export interface VisitMessage {
  readonly type: 'enter' | 'exit';
  readonly unitId: string;
  readonly zoneId: string;
  /** Epoch milliseconds UTC. */
  readonly time: number;
}

/** A visit that late positions changed; null before it was known, or after it has gone. */
interface RevisedMessage extends Omit<VisitMessage, 'type' | 'zoneId'> {
  readonly zoneId?: string;
  readonly was: Partial<Visit> | null;
  readonly is: Partial<Visit> | null;
}

interface Visit {
  readonly enter: number;
  readonly exit: number | null;
}

/** The entry and the exit that are new in a revised visit. */
function newOf({ unitId, zoneId, was, is }: RevisedMessage): VisitMessage[] {
  return (['enter', 'exit'] as const).flatMap((type) => {
    const time = is?.[type];
    if (zoneId === undefined || typeof time !== 'number' || time === was?.[type]) return [];
    return [{ type, unitId, zoneId, time }];
  });
}

export interface Listeners {
  readonly positions: (units: readonly UnitPosition[]) => void;
  readonly visit: (event: VisitMessage) => void;
  /** The zones have the version `version`; the last message had `before`, the first one the same. */
  readonly zones: (version: number, before: number) => void;
  readonly connected: (isConnected: boolean) => void;
}

/** Number of earlier events with which the page begins, among them those of visits that it lists. */
const EARLIER = 120;
/** Milliseconds before the first and the last attempts to connect again. */
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;

export function startEvents(api: Api, listeners: Listeners): void {
  let cursor: string | null = null;
  let version: number | null = null;
  let wait = FIRST_WAIT_MS;

  const again = (): void => {
    listeners.connected(false);
    setTimeout(() => void connect(), wait);
    wait = Math.min(2 * wait, LAST_WAIT_MS);
  };
  const connect = async (): Promise<void> => {
    let ticket: string;
    try {
      ({ ticket } = (await api.send<{ readonly ticket: string }>('POST', '/tickets')).body);
    } catch {
      return again();
    }
    const from = cursor === null ? { last: String(EARLIER) } : { cursor };
    const query = new URLSearchParams({ positions: 'true', ticket, ...from });
    const source = new EventSource(`/api_v1/events?${query}`);
    source.addEventListener('open', () => {
      wait = FIRST_WAIT_MS;
      listeners.connected(true);
    });
    source.addEventListener('error', () => {
      // The ticket is used up, so the browser's own attempt would fail.
      source.close();
      again();
    });
    const on = <Data>(type: string, take: (data: Data) => void): void =>
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        if (lastEventId !== '') cursor = lastEventId;
        take(JSON.parse(data) as Data);
      });
    on<{ readonly units: readonly UnitPosition[] }>('positions', ({ units }) => listeners.positions(units));
    on<VisitMessage>('enter', listeners.visit);
    on<VisitMessage>('exit', listeners.visit);
    on<RevisedMessage>('revised', (event) => newOf(event).forEach(listeners.visit));
    on<{ readonly version: number }>('zones', (data) => {
      const before = version ?? data.version;
      version = data.version;
      listeners.zones(version, before);
    });
  };
  void connect();
}
