/** Codes of ASCII characters that readers and writers of text compare, and text as UTF-8. */

export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const ZERO = 0x30;
export const ONE = 0x31;
export const NINE = 0x39;
export const COLON = 0x3a;

export const utf8Encoder: InstanceType<typeof TextEncoder> = new TextEncoder();

/** Largest number of UTF-8 bytes of a UTF-16 unit. */
export const MOST_UNIT_BYTES = 3;
