import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { moduleMap } from '../../fixtures/moduleMap.js';

test('the module map shows the present imports (npm run pictures)', () => {
  const file = new URL('../../fixtures/pictures/modules.svg', import.meta.url);
  expect(moduleMap()).toBe(readFileSync(file, 'utf8'));
});
