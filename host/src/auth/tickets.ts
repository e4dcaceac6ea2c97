/** Tickets for streams, whose clients can send no header: random, single-use, valid for 30 seconds, kept by their hash. */

import { randomBytes } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { hashOf } from './apiKeys.js';
import type { Access } from './tokens.js';

const TICKET_MS = 30_000;
const BYTES = 32;

export interface Ticket {
  readonly ticket: string;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** A ticket for what this access may do. The stream that it opens still closes when the access expires. */
export async function issueTicket({ db }: Storage, access: Access, now: number): Promise<Ticket> {
  const ticket = randomBytes(BYTES).toString('base64url');
  const expires = now + TICKET_MS;
  await db.deleteFrom('tickets').where('expires', '<', String(now)).execute();
  await db
    .insertInto('tickets')
    .values({ hash: hashOf(ticket), access: JSON.stringify(access), expires })
    .execute();
  return { ticket, expires };
}

/** Whose ticket it is; `unauthorized` (401) for one that is unknown, used or too old. */
export async function redeemTicket({ db }: Storage, ticket: string, now: number): Promise<Access> {
  const found = await db
    .deleteFrom('tickets')
    .where('hash', '=', hashOf(ticket))
    .returning(['access', 'expires'])
    .executeTakeFirst();
  const access = found?.access as Access | undefined;
  if (
    found === undefined ||
    access === undefined ||
    Number(found.expires) < now ||
    (access.expiresAt ?? Number.POSITIVE_INFINITY) <= now
  )
    throw requestError(401, 'expected a ticket that is new and unused, received another', 'ticket');
  return access;
}
