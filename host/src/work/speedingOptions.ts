/** Options of `findSpeeding` that a request may give. */

export const SPEEDING_NAMES = [
  'limitKph',
  'zoneLimits',
  'overlap',
  'combine',
  'toleranceKph',
  'minSeconds',
  'trustSpeeds',
] as const;

export const SPEEDING: Readonly<Record<(typeof SPEEDING_NAMES)[number], object>> = {
  limitKph: { type: 'number' },
  zoneLimits: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
  overlap: { type: 'string' },
  combine: { type: 'string' },
  toleranceKph: { type: 'number' },
  minSeconds: { type: 'number' },
  trustSpeeds: { type: 'boolean' },
};
