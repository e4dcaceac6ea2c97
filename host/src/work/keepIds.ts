/** References of rows to other objects, as `{id}`. */

type Kind = 'geozone' | 'geozoneGroup' | 'route' | 'trip' | 'unit';

/** The paths of the references of each kind, `[]` for the items of a list, and the further fields that a reference has. */
const REFERENCES: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  geozone: { 'companies[]': [] },
  geozoneGroup: { 'geozones[]': [] },
  route: {},
  trip: {
    unit: [],
    trailer: [],
    route: ['width'],
    'changes[].trip.unit': [],
    'changes[].trip.trailer': [],
    'changes[].trip.route': ['width'],
  },
  unit: { 'drivers[].user': [], 'trailers[].trailer': [] },
};

/** The row with the id alone of every object that it names: a stored name would be wrong after a change of the object. */
export function keepIds<Row extends object>(kind: Kind, row: Row): Row {
  return Object.entries(REFERENCES[kind]).reduce<Row>(
    (kept, [path, further]) =>
      shortened(kept, path.replaceAll('[]', '.[]').split('.'), ['id', ...further]) as Row,
    row,
  );
}

function shortened(value: unknown, [step, ...rest]: readonly string[], fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (step === undefined)
    return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
  if (step === '[]') return Array.isArray(value) ? value.map((item) => shortened(item, rest, fields)) : value;
  if (!Object.hasOwn(value, step)) return value;
  const own = value as Readonly<Record<string, unknown>>;
  return { ...own, [step]: shortened(own[step], rest, fields) };
}
