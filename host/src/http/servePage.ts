/** `GET /map`: the page for dispatchers, its files, and its base map. The page itself asks for a token. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';
import { HOST_FOLDER } from '../jobs/hostFolder.js';
import type { PageSettings } from '../page/pageSettings.js';
import type { Basemap, Settings } from '../settings.js';
import { serveIssuerSignIn } from './serveIssuerSignIn.js';

/** The folder that `npm run build:host` writes. */
const FOLDER = fileURLToPath(new URL('dist/map/', HOST_FOLDER));
const ARCHIVE = '/map/basemap.pmtiles';

/** Serves nothing if the page was not built. */
export async function servePage(
  app: FastifyInstance,
  {
    settings,
    links,
    issuerSignIn,
    log,
  }: Pick<Context, 'links' | 'issuerSignIn' | 'log'> & {
    readonly settings: Pick<Settings, 'basemap' | 'basemapAttribution' | 'signIn'>;
  },
): Promise<void> {
  const pagePath = join(FOLDER, 'index.html');
  if (!existsSync(pagePath)) return;
  const { basemap, signIn } = settings;
  const html = readFileSync(pagePath);
  const tag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  const policy = policyOf(basemap);
  app.get('/map', { schema: { hide: true } }, (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', etag: tag });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('text/html; charset=utf-8').send(html);
  });

  const answer: PageSettings = {
    basemap: publicOf(basemap),
    attribution: settings.basemapAttribution,
    issuer: signIn?.name ?? null,
  };
  app.get('/map/settings.json', { schema: { hide: true } }, (_, reply) =>
    reply.header('cache-control', 'no-cache').send(answer),
  );

  if (links !== null)
    app.post('/map/sign-in', { schema: { hide: true } }, async (request, reply) => {
      const { link } = Object(request.body) as { readonly link?: unknown };
      const token = await links.redeem(typeof link === 'string' ? link : '');
      return reply.header('cache-control', 'no-store').send({ token });
    });

  if (issuerSignIn !== null) serveIssuerSignIn(app, issuerSignIn, signIn!.origin.startsWith('https:'), log);

  // In a scope of its own, so that no other plugin meets its decorators.
  await app.register(async (own) => {
    // The names of all files contain a hash of their content.
    await own.register(files, {
      root: FOLDER,
      prefix: '/map/',
      wildcard: false,
      index: false,
      globIgnore: ['**/index.html'],
      immutable: true,
      maxAge: '365d',
      // A worker has the policy of its own script.
      setHeaders: (reply) => void reply.header('content-security-policy', policy),
    });
    if (basemap?.kind !== 'archive') return;
    const [folder, name] = [dirname(basemap.file), basename(basemap.file)];
    own.get(ARCHIVE, { schema: { hide: true } }, (_, reply) =>
      reply.sendFile(name, folder, { immutable: false, maxAge: 0, cacheControl: true }),
    );
  });
}

function publicOf(basemap: Basemap | null): PageSettings['basemap'] {
  if (basemap === null) return null;
  return basemap.kind === 'archive'
    ? { kind: 'archive', url: ARCHIVE }
    : { kind: basemap.kind, url: basemap.url };
}

/** Content Security Policy (W3C CSP 3): only the host's own files, and what the base map's servers send. */
function policyOf(basemap: Basemap | null): string {
  const origins = basemap === null || basemap.kind === 'archive' ? [] : basemap.origins;
  const origin = origins.map((one) => ` ${one}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${origin}`,
    `connect-src 'self'${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
