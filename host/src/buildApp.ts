/** The HTTP application: authentication, errors in the platform's form, and the resources. */

import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import websocket from '@fastify/websocket';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify';
import { requestError, WayzoneError } from 'wayzone';
import { accessOfKey } from './auth/apiKeys.js';
import { inSwitchedCompany, tokenOf } from './auth/inSwitchedCompany.js';
import type { MinRole } from './auth/roles.js';
import { redeemTicket } from './auth/tickets.js';
import type { Access } from './auth/tokens.js';
import type { Context } from './context.js';
import type {} from './errorCodes.js';
import { addBodies, drainUnread, parseQuery } from './http/addBodies.js';
import { addIds, addLogs, requestId } from './http/addLogs.js';
import { addCors, addSecurityHeaders } from './http/addSecurityHeaders.js';
import { addTags } from './http/addTags.js';
import { addTurns } from './http/addTurns.js';
import { drainBeforeClose } from './http/drainBeforeClose.js';
import { HostRequest } from './http/frontServer.js';
import { addUnknownAddresses, refuseUnread, sendError } from './http/refusal.js';
import { serveHealth } from './http/serveHealth.js';
import { servePage, servePages } from './http/servePages.js';
import { serveMetrics } from './metrics.js';
import { checkRole } from './operation.js';
import { addComponents, OPENAPI, publishedDocument } from './publishedDocument.js';
import { accessResource } from './resources/access.js';
import { companyResource } from './resources/company.js';
import { deliveriesResource } from './resources/deliveries.js';
import { dictionariesResource } from './resources/dictionaries.js';
import { eventsResource } from './resources/events.js';
import { fleetResource } from './resources/fleet.js';
import { geozoneGroupsResource } from './resources/geozoneGroups.js';
import { geozonesResource } from './resources/geozones.js';
import { historyResource } from './resources/history.js';
import { keysResource } from './resources/keys.js';
import { locatorsResource } from './resources/locators.js';
import { osmandResource } from './resources/osmand.js';
import { photosResource } from './resources/photos.js';
import { positionsResource } from './resources/positions.js';
import { routesResource } from './resources/routes.js';
import { routingResource } from './resources/routing.js';
import { tilesResource } from './resources/tiles.js';
import { tracksResource } from './resources/tracks.js';
import { tripsResource } from './resources/trips.js';
import { unitsResource } from './resources/units.js';
import { userSettingsResource } from './resources/userSettings.js';
import { checkText } from './storage/checkText.js';
import type { Tracing } from './tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    access: Access | null;
  }
  interface FastifyContextConfig {
    minRole?: MinRole;
    takesTicket?: boolean;
    /** Whether the body is left as text. */
    hasTextBody?: boolean;
    /** Whether the handler checks the texts of each item of the body. */
    checksItems?: boolean;
  }
}

const PREFIX = '/api_v1';
/** Maximum length of a path parameter, characters: ten points of 17 digits per coordinate, with room. */
const MAX_PARAM_LENGTH = 2000;
/** Limit for receiving a whole request, uploads included. */
const REQUEST_MS = 600_000;
/** Limit for the start or the end of one part of the application. */
const PLUGIN_MS = 60_000;
/** Limit for WebSocket messages from clients, which are ignored. */
const MAX_MESSAGE_BYTES = 1024;

const refuseSchema: FastifySchemaCompiler<unknown> = ({ method, url }) => {
  throw new TypeError(
    `expected ${method} ${url} to be declared by operation.ts, received another route with schemas`,
  );
};
const writeJson: FastifySerializerCompiler<unknown> = () => (value) => JSON.stringify(value);
/** In place of Fastify's own compilers, whose 120 files a start would load. */
const COMPILERS = { buildValidator: () => refuseSchema, buildSerializer: () => writeJson } as object;

export async function buildApp(context: Context, tracing: Tracing | null = null): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: context.settings.bodyBytes,
    routerOptions: {
      maxParamLength: MAX_PARAM_LENGTH,
      ignoreTrailingSlash: true,
      querystringParser: parseQuery,
    },
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    forceCloseConnections: true,
    http: { IncomingMessage: HostRequest },
    // `drainBeforeClose` refuses requests in the form of all refusals.
    return503OnClosing: false,
    trustProxy: context.settings.trustProxy,
    requestTimeout: REQUEST_MS,
    // A busy machine starts and closes late.
    pluginTimeout: PLUGIN_MS,
    clientErrorHandler: refuseUnread,
    schemaController: { compilersFactory: COMPILERS },
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request as unknown as FastifyRequest, reply as never),
  });
  tracing?.addTo(app);
  addLogs(app);
  drainBeforeClose(app);
  drainUnread(app);
  app.decorateRequest('access', null);
  app.setErrorHandler(sendError);
  addUnknownAddresses(app);
  addTurns(app);
  addBodies(app);
  addTags(app);
  addIds(app);

  addSecurityHeaders(app);
  await addCors(app, context.settings.corsOrigins);
  await app.register(multipart, {
    limits: { fileSize: context.settings.maxBodyBytes, files: 1, fields: 20 },
  });
  await app.register(rateLimit, {
    global: false,
    // Limits count the requests of a company, or of an address without a token.
    keyGenerator: ({ access, ip }) => (access === null ? `ip ${ip}` : `company ${access.companyId}`),
    errorResponseBuilder: (_, { after, statusCode }) =>
      new WayzoneError('rate-limit', '', `expected fewer requests, received too many: retry after ${after}`, {
        status: statusCode,
        wireCode: statusCode,
      }),
  });
  await app.register(websocket, { options: { maxPayload: MAX_MESSAGE_BYTES } });
  addComponents(app);
  await app.register(swagger, {
    openapi: OPENAPI,
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
  });

  app.addHook('onRequest', (request, _, done) => {
    const { refusal } = request.raw as HostRequest;
    if (refusal !== undefined) return done(refusal);
    const { minRole, takesTicket = false } = request.routeOptions.config;
    if (minRole === undefined) return done();
    const remembered =
      takesTicket || 'user_company_api_key' in request.headers
        ? null
        : context.tokens.known(tokenOf(request) ?? '');
    // A caller of several companies may have switched to another one.
    const known = remembered?.companies.length === 0 ? remembered : null;
    const admit = (access: Access): void => {
      request.access = access;
      checkRole(access, minRole, context.settings.sideRanks);
    };
    // A token that was verified earlier needs no asynchronous check.
    if (known === null)
      accessOf(context, request, takesTicket)
        .then(admit)
        .then(() => done(), done);
    else {
      admit(known);
      done();
    }
  });
  // Ids and queries are used in SQL, which cannot contain NUL. `addBodies` checks bodies.
  app.addHook('preValidation', ({ url, params, query }, _, done) => {
    if (url.includes('%')) for (const fields of [params, query]) checkText(fields);
    done();
  });

  const documentOf = (): object => publishedDocument(app, context.settings.publicUrls);
  await app.register(
    async (api) => {
      for (const resource of [
        geozonesResource,
        geozoneGroupsResource,
        routesResource,
        tripsResource,
        tracksResource,
        routingResource,
        dictionariesResource,
        accessResource,
        userSettingsResource,
        companyResource,
        historyResource,
        keysResource,
        unitsResource,
        positionsResource,
        osmandResource,
        eventsResource,
        deliveriesResource,
        tilesResource,
        fleetResource,
        locatorsResource,
        photosResource,
      ])
        resource(api, context);
      let document: object | undefined;
      api.get('/openapi.json', { schema: { hide: true } }, () => {
        document ??= documentOf();
        return document;
      });
    },
    { prefix: PREFIX },
  );
  serveMetrics(app, context.metrics);
  serveHealth(app, context);
  await servePages(app, documentOf);
  await servePage(app, context);
  await app.ready();
  return app;
}

async function accessOf(
  { storage, tokens, now }: Context,
  request: FastifyRequest,
  takesTicket: boolean,
): Promise<Access> {
  const { ticket } = request.query as { readonly ticket?: unknown };
  if (takesTicket && typeof ticket === 'string') return redeemTicket(storage, ticket, now());
  const { user_company_api_key: key } = request.headers;
  if (typeof key === 'string') return inSwitchedCompany(storage, key, await accessOfKey(storage, key, now()));
  const token = tokenOf(request);
  if (token === undefined) throw requestError(401, undefined, 'authorization');
  return inSwitchedCompany(storage, token, await tokens.verify(token));
}
