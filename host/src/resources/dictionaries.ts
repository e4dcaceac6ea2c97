/** The dictionaries of the platform, in the caller's language. */

import type { FastifyInstance } from 'fastify';
import { requestError } from 'wayzone';
import { listDictionaries } from 'wayzone/schemas';
import { declare } from '../operation.js';
import { languageOf } from './crud.js';

const ENTRIES = {
  type: 'array',
  items: {
    type: 'object',
    required: ['key', 'type', 'value'],
    properties: { key: { type: 'string' }, type: { type: 'string' }, value: { type: 'string' } },
  },
};

export function dictionariesResource(app: FastifyInstance): void {
  const common = { method: 'GET', tags: ['dictionaries'], minRole: 'VIEWER', answer: ENTRIES } as const;
  declare(app, {
    ...common,
    url: '/dictionaries',
    summary: 'Every entry of every dictionary',
    handler: (request) => listDictionaries({ language: languageOf(request) }),
  });
  declare(app, {
    ...common,
    url: '/dictionaries/:type',
    summary: 'The entries of one dictionary',
    params: { type: 'object', required: ['type'], properties: { type: { type: 'string' } } },
    handler(request) {
      const entries = listDictionaries({ language: languageOf(request) });
      const ofType = entries.filter(({ type }) => type === request.params['type']);
      if (ofType.length === 0)
        throw requestError(404, 'expected a known dictionary, received an unknown one', 'type');
      return ofType;
    },
  });
}
