/**
 * The part of vitest's API that the test files use, for many runs in one process. The mutation runner replaces vitest by this
 * module, so that a test costs only its own time. The matchers are vitest's own.
 */

import { GLOBAL_EXPECT, JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect';
import * as chai from 'chai';

type Body = (...args: never[]) => unknown;

export interface Test {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** All tests of the bundle, in file order. */
export const TESTS: Test[] = [];

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect: Chai.ExpectStatic = Object.assign(chai.expect, {
  unreachable: (message = 'reached'): never => chai.assert.fail(message),
});
(globalThis as Record<symbol, unknown>)[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false }, expect as never);

const suites: string[] = [];

function title(name: string, args: readonly unknown[], row: number): string {
  return `${name} [${row}] ${args.map((arg) => (typeof arg === 'string' || typeof arg === 'number' ? String(arg) : '')).join(' ')}`;
}

function rowsOf(table: readonly unknown[]): (readonly unknown[])[] {
  return table.map((row) => (Array.isArray(row) ? row : [row]));
}

function addSuite(name: string, body: () => void): void {
  suites.push(name);
  body();
  suites.pop();
}

function addTest(name: string, first: Body | object, second?: Body | number): void {
  const body = (typeof first === 'function' ? first : second) as () => unknown;
  TESTS.push({
    name: [...suites, name].join(' > '),
    run: async () => {
      await body();
    },
  });
}

function withTables<T extends (name: string, body: Body & (() => void)) => void>(add: T): T & Tables<T> {
  const each =
    (table: readonly unknown[]) =>
    (name: string, body: Body): void => {
      rowsOf(table).forEach((args, row) => {
        add(title(name, args, row), (() => body(...(args as never[]))) as never);
      });
    };
  const skip = (): void => undefined;
  const skipIf = (condition: unknown): unknown =>
    condition ? Object.assign(skip, { each: () => skip }) : add;
  const runIf = (condition: unknown): unknown => skipIf(!condition);
  return Object.assign(add, { each, skip, skipIf, runIf }) as never;
}

interface Tables<T> {
  readonly each: (table: readonly unknown[]) => (name: string, body: Body) => void;
  readonly skip: () => void;
  readonly skipIf: (condition: unknown) => T;
  readonly runIf: (condition: unknown) => T;
}

export const describe: typeof addSuite & Tables<typeof addSuite> = withTables(addSuite);
export const test: typeof addTest & Tables<typeof addTest> = withTables(addTest);
export const it: typeof addTest & Tables<typeof addTest> = withTables(addTest);
