/** Encodes and decodes messages of the log: fixes of one company, or a tick of the clock. */

import { type Fix, WayzoneError } from 'wayzone';
import type { UnitFix } from '../live/unitFix.js';
import { checkText } from '../storage/checkText.js';

export interface FixesMessage {
  readonly kind: 'fixes';
  readonly companyId: string;
  readonly fixes: readonly UnitFix[];
}

export type Message = FixesMessage | { readonly kind: 'tick' };

const VERSION = 1;
/** Each day of fixes is a table: a time far from the message's time would create useless tables. */
const MOST_DAYS_BEFORE = 40_000;
const MOST_DAYS_AFTER = 2;
const DAY_MS = 86_400_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export const TICK: Uint8Array = encoder.encode(JSON.stringify({ v: VERSION, tick: true }));

/** Throws `text-invalid` for a text that PostgreSQL cannot store. */
export function encodeFixes(companyId: string, fixes: readonly UnitFix[]): Uint8Array {
  const body = { v: VERSION, company: companyId, fixes: fixes.map(({ unitId, fix }) => [unitId, fix]) };
  const text = JSON.stringify(body);
  checkText(body, text);
  return encoder.encode(text);
}

/** Throws `message-invalid` for bytes that are not a message. `stamp` is when the log received it, epoch milliseconds. */
export function decodeMessage(payload: Uint8Array, stamp: number): Message {
  let body: unknown;
  let text: string;
  try {
    text = decoder.decode(payload);
    body = JSON.parse(text);
  } catch {
    throw invalid('', 'JSON', 'other bytes');
  }
  const { v, tick, company, fixes } = Object(body) as Record<string, unknown>;
  if (v !== VERSION) throw invalid('v', `version ${VERSION}`, String(v));
  if (tick === true) return { kind: 'tick' };
  if (typeof company !== 'string' || !Array.isArray(fixes))
    throw invalid('', 'a company and its fixes', text.slice(0, 60));
  checkText(body, text);
  return { kind: 'fixes', companyId: company, fixes: fixes.map((item, i) => readFix(item, i, stamp)) };
}

function readFix(item: unknown, i: number, stamp: number): UnitFix {
  const [unitId, fix] = Array.isArray(item) ? (item as unknown[]) : [];
  const { time, lon, lat, accuracyMeters = 0 } = Object(fix) as Record<string, unknown>;
  const isFix = [time, lon, lat, accuracyMeters].every((value) => Number.isFinite(value));
  if (typeof unitId !== 'string' || !isFix) throw invalid(`fixes[${i}]`, 'a unit and a fix', typeof item);
  const days = ((time as number) - stamp) / DAY_MS;
  if (days < -MOST_DAYS_BEFORE || days > MOST_DAYS_AFTER)
    throw invalid(`fixes[${i}].time`, 'a time near that of the message', String(time));
  return { unitId, fix: fix as Fix };
}

function invalid(field: string, expected: string, received: string): WayzoneError {
  return new WayzoneError('message-invalid', field, `expected ${expected}, received ${received}`);
}
