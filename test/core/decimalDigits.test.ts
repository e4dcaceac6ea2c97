import { expect, test } from 'vitest';
import { DecimalDigits, LEAST_DECIMAL, MOST_DECIMAL } from '../../src/core/decimalDigits.js';
import { seeded, volume } from '../volume.js';

const digits = new DecimalDigits();
const bytes = new Uint8Array(32);
const decoder = new TextDecoder();

/** Compares the written text with `String`. `false` if the writer leaves the number to `String`. */
function check(value: number): boolean {
  if (!(value >= LEAST_DECIMAL && value < MOST_DECIMAL)) return true;
  const end = digits.write(value, bytes, 0);
  if (end < 0) return false;
  const text = decoder.decode(bytes.subarray(0, end));
  if (text !== String(value)) expect(text).toBe(String(value));
  return true;
}

test('every number is written as String writes it', () => {
  const random = seeded(17);
  let written = 0;
  const count = volume(400_000);
  for (let i = 0; i < count; i++) {
    if (check(random() * 180)) written++;
    if (check(random())) written++;
    if (check(random() * 2 ** (Math.floor(random() * 31) - 20))) written++;
    if (check(Number((random() * 1024).toFixed(i % 18)))) written++;
  }
  // The writer leaves the other numbers to `String`.
  expect(written).toBeGreaterThan(3.99 * count);
});

test('the neighbours of powers of two, whole numbers and halves are written as String writes them', () => {
  for (let exponent = -20; exponent <= 10; exponent++) {
    for (let k = -50; k <= 50; k++) {
      check(2 ** exponent * (1 + k * 2 ** -52));
      check(2 ** exponent * (1 + k * 2 ** -53));
    }
  }
  for (let whole = 0; whole < MOST_DECIMAL; whole++) {
    for (let k = 0; k < 40; k++) {
      for (const scale of [43, 44, 50, 52]) {
        check(whole + k * 2 ** -scale);
        check(whole + 0.5 + k * 2 ** -scale);
        check(whole + 1 - k * 2 ** -scale);
      }
    }
  }
});
