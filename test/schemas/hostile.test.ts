import { describe, expect, test } from 'vitest';
import {
  validateCustomGeozoneType,
  validateGeozone,
  validateGeozoneGroup,
  validateRoute,
  validateTrip,
} from '../../src/schemas/index.js';
import { errorOf } from '../errorOf.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';
import { customType, geozone, group, point, polygon, route, SQUARE, trip } from './samples.js';

/** Inputs that JSON cannot hold, and JSON that nobody sends, give coded errors, stay unchanged and are read once. */

const VALIDATORS = [
  ['geozone', validateGeozone, geozone],
  ['group', validateGeozoneGroup, group],
  ['custom type', validateCustomGeozoneType, customType],
  ['route', validateRoute, route],
  ['trip', validateTrip, trip],
] as const;

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function throwing(): never {
  throw new TypeError('the caller’s own');
}

type Path = readonly (string | number)[];
type Change = (parent: object, key: string | number) => void;

/** The path of every field and item in plain data. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if (value === cyclic) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const inside = [...path, Array.isArray(value) ? Number(key) : key];
    return [inside, ...places(child, inside)];
  });
}

function put(root: unknown, path: Path, change: Change): void {
  let parent = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as typeof parent;
  change(parent, path.at(-1)!);
}

/** A fresh sample for each field and item in it, which `change` has changed; and the path of that place. */
function* changedAnywhere(sample: () => object, change: Change): Generator<[input: object, Path]> {
  for (const path of places(sample())) {
    const input = sample();
    put(input, path, change);
    yield [input, path];
  }
}

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const EVIL: readonly [string, () => unknown][] = [
  ['a revoked proxy', () => revoked({})],
  ['a revoked proxy of a list', () => revoked([])],
  [
    'a proxy whose traps throw',
    () => new Proxy({}, { get: throwing, ownKeys: throwing, getPrototypeOf: throwing }),
  ],
  ['a proxy of a list whose traps throw', () => new Proxy([1], { get: throwing, has: throwing })],
  ['a BigInt', () => 10n],
  ['a symbol', () => Symbol('a')],
  ['a function', () => throwing],
  ['a text of 1 MB', () => 'x'.repeat(1_000_000)],
  ['a cycle', () => cyclic],
  ['a sparse list', () => new Array(5)],
  ['a huge sparse list', () => new Array(4_294_967_295)],
  ['NaN', () => Number.NaN],
  ['a date', () => new Date(0)],
  ['bytes', () => new Uint8Array(1_000_000)],
  ['a value whose conversion throws', () => ({ toString: throwing, valueOf: throwing, toJSON: throwing })],
  ['an object without a prototype', () => Object.create(null) as object],
  ['nothing', () => null],
];

describe.each(EVIL)('%s', (_, make) => {
  test.each(VALIDATORS)(
    'anywhere in a %s: the value, or coded errors with short messages',
    (_name, validate, sample) => {
      const replace: Change = (parent, key) => {
        (parent as Record<string | number, unknown>)[key] = make();
      };
      for (const [input] of changedAnywhere(sample, replace)) {
        try {
          validate(input);
        } catch {
          const error = errorOf(() => validate(input));
          expect(error.code).toBe('validation');
          for (const { field, message } of error.errors)
            expect(field.length + message.length).toBeLessThan(400);
        }
      }
    },
  );
});

test.each(VALIDATORS)(
  'a getter that throws anywhere in a %s is unreadable there, and only there',
  (_, validate, sample) => {
    const trap: Change = (parent, key) => {
      Object.defineProperty(parent, key, { get: throwing, enumerable: true });
    };
    for (const [input, path] of changedAnywhere(sample, trap)) {
      const field = path
        .map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`))
        .join('');
      const found = errorOf(() => validate(input)).errors.map((error) => `${error.field}: ${error.reason}`);
      expect(found).toEqual([`${field}: input-unreadable`]);
    }
  },
);

test('an unknown field whose getter throws is reported with a short path', () => {
  const input = geozone();
  Object.defineProperty(input, 'k'.repeat(100_000), { get: throwing, enumerable: true });
  const [error] = errorOf(() => validateGeozone(input)).errors;
  expect(error).toMatchObject({ reason: 'input-unreadable' });
  expect(error!.field.length).toBeLessThan(120);
});

test('each field is read once: the returned value is the checked one', () => {
  let reads = 0;
  const input = polygon(SQUARE);
  Object.defineProperty(input, 'name', { enumerable: true, get: () => (reads++ === 0 ? 'first' : 7) });
  expect(validateGeozone(input).name).toBe('first');
  const pairs = SQUARE.map(
    (pair) =>
      new Proxy([...pair], {
        get: (target, key) => (key === '0' ? reads++ && target[0] : Reflect.get(target, key)),
      }),
  );
  reads = 1;
  expect(validateGeozone(polygon(pairs)).geometry).toEqual(SQUARE);
  expect(reads).toBe(1 + SQUARE.length);
});

test('keys named like Object.prototype members are ordinary fields', () => {
  const text = JSON.stringify(geozone()).replace(
    '{',
    '{"__proto__": {"name": "x"}, "constructor": 1, "hasOwnProperty": 2, "toString": 3,',
  );
  const input = JSON.parse(text) as object;
  const zone = validateGeozone(input);
  expect(Object.getPrototypeOf(zone)).toBe(Object.prototype);
  expect(Object.keys(zone).slice(0, 4)).toEqual(['__proto__', 'constructor', 'hasOwnProperty', 'toString']);
  expect(Object.getOwnPropertyDescriptor(zone, '__proto__')?.value).toEqual({ name: 'x' });
  expect(({} as { name?: string }).name).toBeUndefined();
  const inherited = Object.create(geozone()) as object;
  expect(errorOf(() => validateGeozone(inherited)).errors.map(({ reason }) => reason)).toEqual([
    'required',
    'required',
    'required',
  ]);
});

test('class instances and lists of another realm are validated by their own fields', () => {
  class Row {
    name = 'Depot';
    type = { key: 'point' };
    geometry = [[1, 2]];
  }
  expect(validateGeozone(new Row())).toEqual({
    name: 'Depot',
    type: { key: 'point', type: 'geozone_type', value: 'Point' },
    geometry: [[1, 2]],
  });
});

function freezeAll<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freezeAll);
  return value;
}

test.each(VALIDATORS)(
  'a frozen %s comes back as a mutable copy; the input never changes',
  (_, validate, sample) => {
    const input = freezeAll(sample());
    const result = validate(input);
    expect(Object.isFrozen(result)).toBe(false);
    expect(input).toEqual(sample());
    const points = [
      point({ geometry: undefined, coordinates: [[1, 2]] }),
      point({ geometry: [[1, 91]], coordinates: [[1, 2]] }),
    ];
    const wrong = { ...sample(), points, geometry: [[1, 'x']], name: 7 };
    const before = structuredClone(wrong);
    errorOf(() => validate(freezeAll(wrong)));
    expect(wrong).toEqual(before);
  },
);

test('geometry beyond the limit is refused before any of it is read', () => {
  for (const geometry of [new Array(1_000_001).fill([0, 0]), new Array(4_000_000_000)]) {
    const { errors } = errorOf(() => validateGeozone(polygon(geometry)));
    expect(errors.map(({ field, reason }) => `${field}: ${reason}`)).toEqual(['geometry: limit-vertices']);
  }
});

test('parts beyond the limits name the limit, whichever list is too long', () => {
  const ring = wkt('0 0, 1 0, 1 1');
  const reasons = (parts: unknown): string[] =>
    errorOf(() => validateGeozone({ ...polygon(ring), parts })).errors.map(
      ({ field, reason }) => `${field}: ${reason}`,
    );
  expect(reasons(new Array(50_001).fill([ring]))).toEqual(['parts: limit-rings']);
  expect(reasons([new Array(50_001).fill(ring)])).toEqual(['parts[0]: limit-rings']);
  expect(reasons(new Array(2).fill(new Array(30_000).fill(ring)))).toEqual(['parts: limit-rings']);
  expect(reasons([[new Array(1_000_001).fill([0, 0])]])).toEqual(['parts[0][0]: limit-vertices']);
});

test('randomly damaged input gives a result or coded errors', () => {
  const random = seeded(5);
  for (let i = 0; i < volume(20_000); i++) {
    const [, validate, sample] = VALIDATORS[Math.floor(random() * VALIDATORS.length)]!;
    const input = sample();
    for (let n = 0; n < 3; n++) {
      const all = places(input);
      const path = all[Math.floor(random() * all.length)]!;
      const [, make] = EVIL[9 + Math.floor(random() * (EVIL.length - 9))]!;
      put(input, path, (parent, key) => {
        const kind = random();
        if (kind < 0.4) delete (parent as Record<string | number, unknown>)[key];
        else (parent as Record<string | number, unknown>)[key] = kind < 0.7 ? String(n) : make();
      });
    }
    try {
      validate(input);
    } catch {
      expect(errorOf(() => validate(input)).code).toBe('validation');
    }
  }
});
