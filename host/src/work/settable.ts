/** The fields that the host sets itself. A caller may send them back, but their values are not taken. */

const OF_THE_HOST = ['id', 'company_id', 'version', 'created', 'is_delete'] as const;

/** The body without the host's own fields. Other values than objects are returned as they are. */
export function settable(body: unknown, kept: readonly string[] = []): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !isOfTheHost(name) && !kept.includes(name)),
  );
}

/** The schema of a body: that of an object without the requirement of the host's own fields. */
export function settableSchema(schema: object, kept: readonly string[] = []): object {
  const { required = [], properties = {} } = schema as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  return {
    ...schema,
    required: required.filter((name) => !isOfTheHost(name)),
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !isOfTheHost(name) && !kept.includes(name)),
    ),
  };
}

function isOfTheHost(name: string): boolean {
  return OF_THE_HOST.some((own) => own === name);
}
