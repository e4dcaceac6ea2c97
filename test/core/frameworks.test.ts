import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { notFound, requestError, WayzoneError } from '../../src/index.js';
import { validateTrip, WireErrorSchema } from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';

/** Errors as web frameworks receive them: thrown or sent, without help from wayzone. */

const ERRORS = [
  ['a validation with a list', errorOf(() => validateTrip({ dates: ['2026-02-30'] }))],
  [
    'a single input error',
    new WayzoneError('lat-range', 'geometry[3][1]', 'expected a latitude, received 91'),
  ],
  ['an unknown id', notFound('trip', 'x')],
  ['a refused request', requestError(403)],
] as const;

describe.each(ERRORS)('%s', (_, error) => {
  const wire = JSON.parse(JSON.stringify(error)) as object;

  test('the wire form equals what the platform sends', () => {
    expect(wire).toMatchObject(
      error.wireCode === null ? { code: 4220, errors: error.errors } : { field: error.field },
    );
  });

  test.each(['thrown', 'sent'])('%s in Fastify, with the response schema of errors', async (way) => {
    const app = Fastify();
    app.get('/', { schema: { response: { '4xx': WireErrorSchema } } }, (_request, reply) => {
      if (way === 'thrown') throw error;
      return reply.send(error);
    });
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(error.status);
    expect(answer.json()).toEqual(wire);
  });

  test.each(['thrown', 'sent'])('%s in Fastify, with the error handler of the guide', async (way) => {
    const app = Fastify();
    app.setErrorHandler((fault, _request, reply) => {
      if (fault instanceof WayzoneError) return reply.code(fault.statusCode).send(fault.toJSON());
      throw fault;
    });
    app.get('/', (_request, reply) => {
      if (way === 'thrown') throw error;
      return reply.send(error);
    });
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(error.status);
    expect(answer.json()).toEqual(wire);
  });

  test('in Fastify without a schema or handler the status is correct', async () => {
    const app = Fastify();
    app.get('/', (_request, reply) => reply.send(error));
    expect((await app.inject('/')).statusCode).toBe(error.status);
  });

  test('an object that inherits from the error has its wire form (Express and Fastify send such objects)', () => {
    expect(JSON.parse(JSON.stringify(Object.create(error)))).toEqual(wire);
    expect((Object.create(error) as WayzoneError).statusCode).toBe(error.status);
  });
});
