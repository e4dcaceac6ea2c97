/** Tickets for streams, whose clients cannot send headers. Random, single-use, valid for 30 seconds, stored as hashes. */

import { randomBytes } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { keyHash } from './apiKeys.js';
import type { Access } from './tokens.js';

const TICKET_MS = 30_000;
const BYTES = 32;

export interface Ticket {
  readonly ticket: string;
  /** Epoch milliseconds. */
  readonly expires: number;
}

/** Issues a ticket with the rights of this access. The stream that it opens closes when the access expires. */
export async function issueTicket({ db }: Storage, access: Access, now: number): Promise<Ticket> {
  const ticket = randomBytes(BYTES).toString('base64url');
  const expires = now + TICKET_MS;
  await db.deleteFrom('tickets').where('expires', '<', String(now)).execute();
  await db
    .insertInto('tickets')
    .values({ hash: keyHash(ticket), access: JSON.stringify(access), expires })
    .execute();
  return { ticket, expires };
}

/** The access of a ticket, which is then used up. Throws `unauthorized` (401) for an unknown, used or expired ticket. */
export async function redeemTicket({ db }: Storage, ticket: string, now: number): Promise<Access> {
  const found = await db
    .deleteFrom('tickets')
    .where('hash', '=', keyHash(ticket))
    .returning(['access', 'expires'])
    .executeTakeFirst();
  const access = found?.access as Access | undefined;
  if (
    found === undefined ||
    access === undefined ||
    Number(found.expires) < now ||
    (access.expiresAt ?? Number.POSITIVE_INFINITY) <= now
  )
    throw requestError(
      401,
      'expected a new, unused ticket, received an unknown, used or expired one',
      'ticket',
    );
  return access;
}
