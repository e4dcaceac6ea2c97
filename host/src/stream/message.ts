/** Encodes and decodes messages of the log: fixes of one company, a tick of the clock, or the retry of a unit that is set aside. */

import { type Fix, WayzoneError } from 'wayzone';
import { DAY_MS } from '../durations.js';
import type { UnitFix } from '../live/fixes.js';
import { checkText } from '../storage/checkText.js';

/** A message of a cell. */
export interface LogMessage {
  /** 1, 2, … in the order of commits. */
  readonly seq: number;
  /** When it was committed, epoch milliseconds. */
  readonly stamp: number;
  readonly payload: Uint8Array;
}

export interface FixesMessage {
  readonly kind: 'fixes';
  readonly companyId: string;
  readonly fixes: readonly UnitFix[];
  /** Units with a fix that cannot be read, each with the reason. `fixes` has none of theirs. Absent: no such unit. */
  readonly bad?: ReadonlyMap<string, string>;
}

/** An operator's decision about a unit that is set aside: it is followed again. */
export interface RetryMessage {
  readonly kind: 'retry';
  readonly companyId: string;
  readonly unitId: string;
  /** The messages whose fixes of the unit are given up; those of others are applied. */
  readonly skip: readonly number[];
}

export type Message = FixesMessage | RetryMessage | { readonly kind: 'tick' };

const VERSION = 1;
/** Each day of fixes is a table: a time far from the message's time would create useless tables. */
const MOST_DAYS_BEFORE = 40_000;
const MOST_DAYS_AFTER = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeTick(): Uint8Array {
  return encoder.encode(JSON.stringify({ v: VERSION, tick: true }));
}

/** Throws `text-invalid` for a text that PostgreSQL cannot store. */
export function encodeFixes(companyId: string, fixes: readonly UnitFix[]): Uint8Array {
  const body = { v: VERSION, company: companyId, fixes: fixes.map(({ unitId, fix }) => [unitId, fix]) };
  const text = JSON.stringify(body);
  checkText(body, text);
  return encoder.encode(text);
}

export function encodeRetry({ companyId, unitId, skip }: Omit<RetryMessage, 'kind'>): Uint8Array {
  return encoder.encode(JSON.stringify({ v: VERSION, company: companyId, retry: unitId, skip }));
}

/** The part of a unit of messages with fixes, readable or not, as one message. */
export function partOfUnit(companyId: string, unitId: string, payloads: readonly Uint8Array[]): Uint8Array {
  const fixes = payloads.flatMap((payload) =>
    (JSON.parse(decoder.decode(payload)) as { readonly fixes: readonly unknown[] }).fixes.filter(
      (item) => Array.isArray(item) && item[0] === unitId,
    ),
  );
  return encoder.encode(JSON.stringify({ v: VERSION, company: companyId, fixes }));
}

/** The units of a message with fixes; none of a message that cannot be read or has none. */
export function unitsOf(payload: Uint8Array): string[] {
  try {
    const message = decodeMessage(payload, Date.now());
    if (message.kind !== 'fixes') return [];
    return [...new Set([...message.fixes.map(({ unitId }) => unitId), ...(message.bad?.keys() ?? [])])];
  } catch {
    return [];
  }
}

/** A fix that an operator gives up; null: its value cannot be read. */
export interface GivenUp {
  readonly time: number;
  readonly lon: number | null;
  readonly lat: number | null;
}

/** The fixes of a message with fixes that have a time, readable or not. */
export function givenUp(payload: Uint8Array): GivenUp[] {
  const { fixes } = JSON.parse(decoder.decode(payload)) as { readonly fixes: readonly unknown[][] };
  return fixes.flatMap((item) => {
    const { time, lon, lat } = Object(item[1]) as Readonly<Record<string, unknown>>;
    const numberOf = (value: unknown): number | null => (Number.isFinite(value) ? (value as number) : null);
    return Number.isSafeInteger(Math.round(Number(time ?? Number.NaN)))
      ? [{ time: Math.round(time as number), lon: numberOf(lon), lat: numberOf(lat) }]
      : [];
  });
}

/**
 * Throws `message-invalid` or `text-invalid` for bytes that name no company or no units. `stamp` is when they were committed, epoch
 * milliseconds.
 */
export function decodeMessage(payload: Uint8Array, stamp: number): Message {
  let body: unknown;
  let text: string;
  try {
    text = decoder.decode(payload);
    body = JSON.parse(text);
  } catch {
    throw invalid('', 'JSON', 'other bytes');
  }
  const { v, tick, company, fixes, retry, skip = [] } = Object(body) as Record<string, unknown>;
  if (v !== VERSION) throw invalid('v', `version ${VERSION}`, String(v));
  if (tick === true) return { kind: 'tick' };
  if (typeof company === 'string' && typeof retry === 'string' && Array.isArray(skip))
    return { kind: 'retry', companyId: company, unitId: retry, skip: skip.map(Number) };
  if (typeof company !== 'string' || !Array.isArray(fixes))
    throw invalid('', 'a company and its fixes', text.slice(0, 60));
  return readFixes(company, fixes, stamp, !isStorable(body, text));
}

/** `isSuspect`: a text somewhere in the message cannot be stored. */
function readFixes(
  companyId: string,
  items: readonly unknown[],
  stamp: number,
  isSuspect: boolean,
): FixesMessage {
  const fixes: UnitFix[] = [];
  const bad = new Map<string, string>();
  if (isSuspect) checkText({ company: companyId });
  for (const [i, item] of items.entries()) {
    const unitId: unknown = Array.isArray(item) ? item[0] : undefined;
    if (typeof unitId !== 'string') throw invalid(`fixes[${i}]`, 'a unit and a fix', typeof item);
    if (isSuspect) checkText({ [`fixes[${i}]`]: unitId });
    try {
      if (isSuspect) checkText({ [`fixes[${i}]`]: item });
      fixes.push({ unitId, fix: readFix((item as unknown[])[1], i, stamp) });
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      if (!bad.has(unitId)) bad.set(unitId, `${error.field}: ${error.message}`);
    }
  }
  if (bad.size === 0) return { kind: 'fixes', companyId, fixes };
  return { kind: 'fixes', companyId, fixes: fixes.filter(({ unitId }) => !bad.has(unitId)), bad };
}

function isStorable(body: unknown, text: string): boolean {
  try {
    checkText(body, text);
    return true;
  } catch {
    return false;
  }
}

function readFix(fix: unknown, i: number, stamp: number): Fix {
  const { time, lon, lat, accuracyMeters = 0 } = Object(fix) as Record<string, unknown>;
  if (![time, lon, lat, accuracyMeters].every((value) => Number.isFinite(value)))
    throw invalid(`fixes[${i}]`, 'a time and a position', JSON.stringify(fix)?.slice(0, 60) ?? 'none');
  const days = ((time as number) - stamp) / DAY_MS;
  if (days < -MOST_DAYS_BEFORE || days > MOST_DAYS_AFTER)
    throw invalid(`fixes[${i}].time`, 'a time near that of the message', String(time));
  return fix as Fix;
}

function invalid(field: string, expected: string, received: string): WayzoneError {
  return new WayzoneError('message-invalid', field, `expected ${expected}, received ${received}`);
}
