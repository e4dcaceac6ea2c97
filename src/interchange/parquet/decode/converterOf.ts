/** Converts physical values of Parquet to plain JavaScript values. */

import { DAY_MS } from '../../../core/durations.js';
import { decimalText } from '../../common/parseTime.js';
import { damaged } from './byteReader.js';
import type { Leaf, Meaning } from './parquetFooter.js';

/** A physical value: a number, a bigint, a boolean or bytes. */
type Physical = number | bigint | boolean | Uint8Array;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOSSY_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Julian day of 1970-01-01, for INT96. */
const JULIAN_EPOCH = 2_440_588n;
const NS_PER_DAY = 86_400_000_000_000n;

/**
 * The function that converts values of a column. Times and dates become epoch milliseconds (finer fractions are cut off); times of day,
 * intervals and UUIDs become text. Decimals and whole numbers become a number if that is exact, else text or a bigint. Bytes become text if
 * they are UTF-8 and the column has no type, else they stay bytes.
 */
export function converterOf({ type }: Leaf, meaning: Meaning): (value: Physical) => unknown {
  if (type === 'INT96') return (value) => millisOfInt96(value as bigint);
  switch (meaning.kind) {
    case 'text':
    case 'json':
      return (value) => (value instanceof Uint8Array ? LOSSY_UTF8.decode(value) : plainNumberOf(value));
    case 'date':
      return (value) => Number(value) * DAY_MS;
    case 'timestamp': {
      const unit = BigInt(meaning.perSecond) / 1000n;
      return (value) => Number(floored(wholeOf(value), unit));
    }
    case 'time':
      return (value) => timeOfDay(wholeOf(value), meaning.perSecond);
    case 'decimal':
      return (value) =>
        decimalOf(value instanceof Uint8Array ? signedOf(value) : wholeOf(value), meaning.scale);
    case 'unsigned':
      return (value) =>
        typeof value === 'bigint' ? plainNumberOf(BigInt.asUintN(64, value)) : Number(value) >>> 0;
    case 'uuid':
      return (value) => (value instanceof Uint8Array && value.length === 16 ? uuidOf(value) : value);
    case 'float16':
      return (value) => (value instanceof Uint8Array && value.length === 2 ? halfOf(value) : value);
    case 'interval':
      return (value) => (value instanceof Uint8Array && value.length === 12 ? intervalOf(value) : value);
    case 'geometry':
      return (value) => value;
    default:
      return type === 'BYTE_ARRAY' ? textOrBytes : plainNumberOf;
  }
}

function wholeOf(value: Physical): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw damaged('whole numbers in a column of their type');
}

/** A bigint as a number if that is exact; -0 as 0. Other values are unchanged. */
function plainNumberOf(value: Physical): unknown {
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function textOrBytes(value: Physical): unknown {
  try {
    return UTF8.decode(value as Uint8Array);
  } catch {
    return value;
  }
}

function floored(value: bigint, unit: bigint): bigint {
  const rest = ((value % unit) + unit) % unit;
  return (value - rest) / unit;
}

/** Epoch milliseconds of an INT96: nanoseconds of the day in the low 64 bits, the Julian day above. */
function millisOfInt96(value: bigint): number {
  const nanos = BigInt.asIntN(64, value);
  const days = (value >> 64n) - JULIAN_EPOCH;
  return Number(floored(days * NS_PER_DAY + nanos, 1_000_000n));
}

/** The unscaled value of a decimal from its big-endian two's complement. */
function signedOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

/** The number if its text has exactly these digits, else the digits as text. */
function decimalOf(unscaled: bigint, scale: number): number | string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  const padded =
    scale > 0 ? digits.padStart(scale + 1, '0') : digits + (unscaled === 0n ? '' : '0'.repeat(-scale));
  const whole = scale > 0 ? padded.slice(0, -scale) : padded;
  const fraction = scale > 0 ? withoutZeros(padded.slice(-scale)) : '';
  const text = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const number = Number(text);
  if (number === 0) return unscaled === 0n ? 0 : text;
  return decimalText(number) === text ? number : text;
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
}

/** Time of day as `HH:mm:ss`, with the fraction if it is not zero. */
function timeOfDay(value: bigint, perSecond: number): string {
  const unit = BigInt(perSecond);
  const seconds = floored(value, unit);
  const fraction = withoutZeros(String(value - seconds * unit).padStart(String(perSecond).length - 1, '0'));
  const two = (part: bigint): string => String(part).padStart(2, '0');
  const text = `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
  return fraction === '' ? text : `${text}.${fraction}`;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function uuidOf(bytes: Uint8Array): string {
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A number in IEEE 754 binary16. */
function halfOf(bytes: Uint8Array): number {
  const bits = bytes[0]! | (bytes[1]! << 8);
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return size === 0 ? 0 : sign * size;
}

/** A duration of months, days and milliseconds, as ISO 8601. */
function intervalOf(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number];
  return `P${months}M${days}DT${millis / 1000}S`;
}
