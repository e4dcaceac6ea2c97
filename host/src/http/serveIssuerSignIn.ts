/** `GET /map/sign-in/issuer`, its return, and `GET /map/sign-out`: redirects between the page and an issuer. A refusal ends at the page, with its code. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { WayzoneError } from 'wayzone';
import { type IssuerRedirects, RETURN_PATH, SIGN_IN_MS } from '../auth/issuerRedirects.js';

const COOKIE = 'wayzone-sign-in';
/** Each redirect may cost requests to the issuer. */
const LIMIT = { schema: { hide: true }, config: { rateLimit: { max: 60, timeWindow: '1 minute' } } };

/** `isSecure`: whether browsers reach the page by https. */
export function serveIssuerSignIn(
  app: FastifyInstance,
  issuer: IssuerRedirects,
  isSecure: boolean,
  log: Pick<Logger, 'warn'>,
): void {
  const cookieOf = (content: string, seconds: number): string =>
    `${COOKIE}=${content}; Path=/map/sign-in; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const redirect = async (reply: FastifyReply, addressOf: () => Promise<string>): Promise<FastifyReply> => {
    const location = await addressOf().catch((error: unknown) => {
      if (!(error instanceof WayzoneError)) throw error;
      const { code, field, message } = error;
      log.warn({ code, field, reason: message }, 'a sign-in was refused');
      return `/map#refused=${code}`;
    });
    return reply.header('cache-control', 'no-store').redirect(location, 303);
  };

  app.get('/map/sign-in/issuer', LIMIT, (_, reply) =>
    redirect(reply, async () => {
      const { location, cookie } = await issuer.begin();
      reply.header('set-cookie', cookieOf(cookie, SIGN_IN_MS / 1000));
      return location;
    }),
  );

  app.get(RETURN_PATH, LIMIT, ({ headers, url }, reply) => {
    const [, cookie = ''] = /(?:^|;\s*)wayzone-sign-in=([\w.-]+)/.exec(headers.cookie ?? '') ?? [];
    const at = url.indexOf('?');
    reply.header('set-cookie', cookieOf('', 0));
    return redirect(reply, () => issuer.end(at === -1 ? '' : url.slice(at), cookie));
  });

  app.get('/map/sign-out', LIMIT, (_, reply) => redirect(reply, () => issuer.leave()));
}
