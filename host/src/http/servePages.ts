/** Pages for people: `/` links to the documents and the health, `/docs` shows the published document. Neither loads anything from elsewhere. */

import { createHash } from 'node:crypto';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

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
