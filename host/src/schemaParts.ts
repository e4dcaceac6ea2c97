/** Schemas of values that many endpoints have. */

export const TEXT = { type: 'string' } as const;
/** Maximum length of a text that an index of the database has, characters. PostgreSQL takes 2,704 bytes. */
export const MOST_INDEXED = 255;
export const NUMBER = { type: 'number' } as const;
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const TIME = { type: 'integer', description: 'epoch milliseconds UTC' } as const;
export const TIME_OR_NULL = { type: ['integer', 'null'], description: 'epoch milliseconds UTC' } as const;
/** An object with an id, and an address with one. Every text may be an id: an unknown one is answered as its kind says. */
export const WITH_ID = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
} as const;

/** A file of geozones as GeoJSON (RFC 7946); `leftOut` names the geozones whose shape cannot be written. */
export const GEOJSON: object = {
  type: 'object',
  required: ['type', 'features'],
  properties: {
    type: { const: 'FeatureCollection' },
    features: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'geometry', 'properties'],
        properties: {
          type: { const: 'Feature' },
          id: { type: ['string', 'number'] },
          geometry: { type: ['object', 'null'], properties: { type: TEXT } },
          properties: { type: ['object', 'null'], properties: { name: TEXT } },
        },
      },
    },
  },
};

/** An issue of the library. */
export const ISSUE: object = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    severity: { type: 'string' },
    field: { type: 'string' },
    message: { type: 'string' },
    count: { type: 'integer', description: 'how many issues this one stands for' },
    of: { type: 'integer', description: 'how many were compared' },
    received: { enum: ['rest', 'motion'] },
  },
};
