/** Names of months in twelve languages, from `Intl`. */

/** Languages whose month names are read. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'cs', 'ru', 'uk'] as const;

/** Names that programs write but `Intl` does not return. */
const FURTHER: readonly (readonly [string, number])[] = [
  ['sept', 9],
  ['mrz', 3],
  ['märz', 3],
  ['dez', 12],
  ['июня', 6],
  ['июля', 7],
  ['мая', 5],
  ['май', 5],
  ['сент', 9],
  ['нояб', 11],
  ['февр', 2],
];

/** Months by name, in the form of a `ReadonlyMap`. */
export interface MonthNames {
  /** The number of a month by its name in lower case, without points; undefined for other texts. */
  get(name: string): number | undefined;
}

/** Month names of all languages, except those that mean several months. Made at the first look-up, because most tables have none. */
export function monthNames(): MonthNames {
  let names: MonthNames | null = null;
  return {
    get: (name) => {
      names ??= allNames();
      return names.get(name);
    },
  };
}

function allNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const mixed = new Set<string>();
  const add = (name: string, month: number): void => {
    const plain = plainMonth(name);
    if (plain.length < 2 || /\d/.test(plain)) return;
    const known = found.get(plain);
    if (known !== undefined && known !== month) mixed.add(plain);
    found.set(plain, month);
  };
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, {
          month,
          timeZone: 'UTC',
          ...(day === undefined ? {} : { day }),
        });
        for (let i = 0; i < 12; i++) {
          const part = format.formatToParts(Date.UTC(2026, i, 15)).find(({ type }) => type === 'month');
          if (part !== undefined) add(part.value, i + 1);
        }
      }
    }
  }
  for (const [name, month] of FURTHER) add(name, month);
  for (const name of mixed) found.delete(name);
  return found;
}

export function plainMonth(name: string): string {
  return name.toLowerCase().replace(/[.\s]/g, '');
}
