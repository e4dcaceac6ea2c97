/** Pages for people: `/` links to the documents and the health, `/docs` shows the published document. Neither loads anything from elsewhere. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.js';
import { HOST_FOLDER } from '../jobs/jobProcesses.js';
import type { PageSettings } from '../page/pageSettings.js';
import type { Basemap, Settings } from '../settings.js';
import { serveIssuerSignIn } from './serveIssuerSignIn.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1c2733;background:#fff}
h1{font-size:1.5rem}dt{font-weight:600}dd{margin:0 0 1rem}a{color:#0b62a8}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#12181f}a{color:#7cc0ff}}`;
const LINKS = [
  ['/map', 'Map', 'The page for dispatchers: zones, vehicles and trips'],
  ['/docs', 'Operations', 'Every operation with its schemas and examples, to read and to try'],
  ['/api_v1/openapi.json', 'OpenAPI 3.1', 'The same document for generators of clients'],
  ['/ready', 'Ready', 'Whether the database answers and the stream is read'],
  ['/health', 'Health', 'Whether the process answers'],
  ['/metrics', 'Metrics', 'Figures for Prometheus'],
] as const;
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>wayzone host</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body><h1>wayzone host</h1><dl>
${LINKS.map(([url, title, text]) => `<dt><a href="${url}">${title}</a></dt><dd>${text}</dd>`).join('\n')}
</dl></body></html>\n`;
/** The folder that `npm run build:host` writes. */
const FOLDER = fileURLToPath(new URL('dist/map/', HOST_FOLDER));
const ARCHIVE = '/map/basemap.pmtiles';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const PAGE_POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
/** Swagger UI sets styles from scripts and draws icons from `data:` addresses. Scripts and requests are those of the host only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export async function servePages(app: FastifyInstance, documentOf: () => object): Promise<void> {
  app.get('/', { schema: { hide: true } }, (_, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
  await app.register(async (own) => {
    own.addHook('onRequest', (_, reply, done) => {
      reply.header('content-security-policy', DOCS_POLICY);
      done();
    });
    await own.register(swaggerUi, {
      routePrefix: '/docs',
      // The address of the validator of Swagger UI would be another server.
      uiConfig: { url: '/api_v1/openapi.json', validatorUrl: null, deepLinking: true, docExpansion: 'list' },
      theme: { title: 'wayzone host' },
      transformSpecification: documentOf as () => never,
      transformSpecificationClone: false,
    });
  });
}

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
