/** Text as UTF-8. */

export const utf8Encoder: InstanceType<typeof TextEncoder> = new TextEncoder();

/** Largest number of UTF-8 bytes of a UTF-16 unit. */
export const MOST_UNIT_BYTES = 3;
