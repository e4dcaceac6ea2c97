import { expect, test } from 'vitest';
import { ByteText } from '../../src/cli/io/byteText.js';
import { seeded, volume } from '../volume.js';

test('numbers are written as by String', () => {
  const random = seeded(3);
  const out = new ByteText(16);
  const bits = new Float64Array(1);
  const words = new Uint32Array(bits.buffer);
  const kinds: readonly (() => number)[] = [
    () => Number((random() * 360 - 180).toFixed(6)),
    () => Number((random() * 4e9 - 2e9).toFixed(Math.floor(random() * 8))),
    () => random() * 360 - 180,
    () => Math.floor(random() * 2 ** 53),
    () => Number((random() * 1e-5).toFixed(Math.floor(random() * 12))),
    () => Math.floor(random() * 1000) / 1000,
    () => {
      words[0] = random() * 2 ** 32;
      words[1] = random() * 2 ** 32;
      return Number.isFinite(bits[0]) ? bits[0]! : 0;
    },
  ];
  for (let i = 0; i < volume(1_000_000); i++) {
    const value = kinds[i % kinds.length]!();
    out.number(value);
    const text = Buffer.from(out.takeBytes()).toString();
    if (text !== String(value)) expect(text).toBe(String(value));
  }
  for (const value of [
    0, -0, 1, -1, 1e-6, 1e-7, 9.99e-7, 0.1, 2e9, 1999999999.999999, 1e21, 123456789012345680000, 5e-324,
  ]) {
    out.number(value);
    expect(Buffer.from(out.takeBytes()).toString()).toBe(String(value));
  }
});

test('the buffer grows for integers, digits and pieces longer than its first size', () => {
  const out = new ByteText(1);
  const bytes = new TextEncoder().encode('Ключ '.repeat(100));
  out.digits(7, 3);
  out.whole(0);
  out.whole(1772438400123);
  out.whole(2 ** 53);
  out.piece(bytes);
  out.byte(0x21);
  expect(Buffer.from(out.takeBytes()).toString()).toBe(`00701772438400123${2 ** 53}${'Ключ '.repeat(100)}!`);
  expect(Buffer.from(out.takeBytes()).toString()).toBe('');
});
