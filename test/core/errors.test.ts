import { expect, describe as suite, test } from 'vitest';
import { describe, expected, notFound, WayzoneError } from '../../src/core/errors.js';

suite('WayzoneError', () => {
  test('a single input error becomes the wire list of one', () => {
    const error = new WayzoneError('lat-range', 'geometry[3][1]', 'expected a latitude, received 91');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 4220,
      message: 'expected a latitude, received 91',
      errors: [
        {
          code: 4221,
          field: 'geometry[3][1]',
          message: 'expected a latitude, received 91',
          reason: 'lat-range',
        },
      ],
    });
    expect(error.status).toBe(422);
    expect(error).toBeInstanceOf(Error);
  });

  test.each([
    ['geozone', 4000, 400],
    ['route', 422, 422],
    ['trip', 422, 422],
  ] as const)('an unknown %s id has the platform code %i', (kind, code, status) => {
    const error = notFound(kind, 'x');
    expect(error.toJSON()).toEqual({ code, message: `${kind} "x" not found`, field: 'id' });
    expect(error.status).toBe(status);
    expect(error.code).toBe(`${kind}-not-found`);
  });
});

suite('messages', () => {
  test('any received value gets a short text without being called', () => {
    const revoked = Proxy.revocable([], {});
    revoked.revoke();
    const hostile = {
      toString(): string {
        throw new Error('called');
      },
    };
    const texts = [
      null,
      undefined,
      1n,
      -0,
      Symbol('s'),
      hostile,
      [],
      revoked.proxy,
      () => 1,
      'a'.repeat(1_000_000),
    ].map(describe);
    expect(texts.slice(0, 9)).toEqual([
      'null',
      'undefined',
      'a BigInt',
      '0',
      'a symbol',
      'an object',
      'an array',
      'an object',
      'a function',
    ]);
    expect(texts[9]!.length).toBeLessThan(100);
    expect(expected('a number', 'x')).toBe('expected a number, received "x"');
  });
});
