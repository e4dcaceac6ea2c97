/** The query of reads by ids. */

export const IDS_QUERY = {
  type: 'object',
  properties: {
    ids: {
      type: 'string',
      description:
        'Ids, separated by commas. One id: the object, 404 if it is unknown. Several: a list without unknown ones',
    },
  },
} as const;

/** The ids of a query, each once. An empty result stands for all rows. */
export function idsOf(text: string | undefined): string[] {
  const ids = (text ?? '').split(',').map((id) => id.trim());
  return [...new Set(ids)].filter((id) => id !== '');
}
