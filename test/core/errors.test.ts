import { expect, describe as suite, test } from 'vitest';
import { describe, expected, notFound, requestError, WayzoneError } from '../../src/core/errors.js';
import { errorOf } from '../errorOf.js';

suite('WayzoneError', () => {
  test('a single input error becomes a wire list with one entry', () => {
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
    ['geozone', 4000, 400, 'geozone "x" not found'],
    ['geozone_group', 4000, 400, 'geozone group "x" not found'],
    ['custom_geozone_type', 4000, 400, 'custom geozone type "x" not found'],
    ['route', 422, 422, 'parameter not found: route "x"'],
    ['trip', 422, 422, 'parameter not found: trip "x"'],
    ['unit', 422, 422, 'parameter not found: unit "x"'],
    ['trailer', 422, 422, 'parameter not found: trailer "x"'],
    ['user', 422, 422, 'parameter not found: user "x"'],
    ['company', 422, 422, 'parameter not found: company "x"'],
  ] as const)('an unknown %s id has the platform code %i', (kind, code, status, message) => {
    const error = notFound(kind, 'x');
    expect(error.toJSON()).toEqual({ code, message, field: 'id' });
    expect([error.status, error.statusCode]).toEqual([status, status]);
    expect(error.code).toBe(`${kind.replaceAll('_', '-')}-not-found`);
    expect(notFound(kind, 'x', 'points[0].id').toJSON()).toMatchObject({ field: 'points[0].id' });
  });

  test('an id kind that the platform does not know throws a coded error', () => {
    for (const kind of ['zone', 'toString', undefined, 7])
      expect(errorOf(() => notFound(kind as never, 'x'))).toMatchObject({
        code: 'option-value',
        field: 'kind',
      });
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
  ] as const)('a request refused with status %i has the single-error form', (status, code) => {
    const error = requestError(status);
    expect(error).toMatchObject({ code, status, statusCode: status });
    expect(error.toJSON()).toEqual({ code: status, message: error.message, field: '' });
    expect(error.message).toMatch(/^expected .+, received .+/);
    const own = requestError(status, 'company is not yours', 'company_id').toJSON();
    expect(own).toEqual({ code: status, message: 'company is not yours', field: 'company_id' });
    expect(errorOf(() => requestError(418 as never))).toMatchObject({
      code: 'option-value',
      field: 'status',
    });
  });
});

suite('messages', () => {
  test('any received value gets a short description, and none of its functions is called', () => {
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
