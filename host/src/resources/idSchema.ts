/** The schema of an object with an id, and of an address with one. Every text may be an id: an unknown one is answered as its kind says. */
export const ID_SCHEMA = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
} as const;
