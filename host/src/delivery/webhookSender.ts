/** Webhooks: one `POST` per event, signed as the Standard Webhooks specification says (standardwebhooks.com). */

import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { AddressGuard } from './addressGuard.js';
import { type OutgoingEvent, type Sender, type Sink, SinkError } from './sink.js';

/** Limit for the answer of the receiver, milliseconds. */
const ANSWER_MS = 10_000;
/** A longer `Retry-After` counts as this. */
const MOST_RETRY_MS = 3_600_000;

/** `whsec_` and the key in base64, which the specification calls the secret. */
export const SECRET_PREFIX = 'whsec_';

/** The value of `webhook-signature`: HMAC-SHA-256 of id, time and body. `seconds`: epoch seconds. */
export function signatureOf(secret: string, { id, body }: OutgoingEvent, seconds: number): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

export function webhookSender({ target, secret }: Sink, guard: AddressGuard, now: () => number): Sender {
  const url = new URL(target.url);
  return {
    async send(message) {
      // An address without a name needs no lookup.
      await guard.resolve(url.hostname);
      const seconds = Math.floor(now() / 1000);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'wayzone-host',
        'webhook-id': message.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(secret, message, seconds),
      };
      await post(url, message.body, headers, guard.lookup);
    },
    close: async () => {},
  };
}

function post(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string | number>>,
  lookup: LookupFunction,
): Promise<void> {
  const send = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers, lookup, agent: false }, (answer) => {
      const { statusCode: status = 0 } = answer;
      answer.resume();
      // A redirect is a failure: its address was not chosen by the company's administrator.
      if (status >= 200 && status < 300) return resolve();
      reject(new SinkError(`status ${status}`, retryMsOf(answer.headers['retry-after'])));
    });
    const timer = setTimeout(
      () => request.destroy(new SinkError(`no answer within ${ANSWER_MS / 1000} s`)),
      ANSWER_MS,
    );
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
    request.end(body);
  });
}

function retryMsOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return null;
  return Math.min(1000 * Number(text), MOST_RETRY_MS);
}
