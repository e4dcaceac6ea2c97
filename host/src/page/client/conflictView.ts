/** Shows what two edits of a zone changed, with a choice for each difference. */

import type { GeozoneInput } from 'wayzone';
import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import { type App, type PageZone, typeText } from './app.js';
import type { Words } from './words.js';

type Choice = 'mine' | 'theirs';

interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** The side that alone changed the field; `mine` if both did. */
  readonly choice: Choice;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the host computes. */
const COMPUTED: readonly string[] = [
  'id',
  'area',
  'perimeter',
  'polygon_geometry',
  'created',
  'is_delete',
  'companies',
];

/** `save` gets the merged zone. */
export function conflictView(
  { words }: Pick<App, 'words'>,
  base: PageZone,
  mine: GeozoneInput,
  theirs: PageZone,
  save: (zone: PageZone) => void,
): HTMLElement {
  const list = differences(base, mine, theirs);
  const choices = new Map<string, Choice>(list.map(({ field, choice }) => [field, choice]));
  const rows = list.map(({ field, mine: own, theirs: other }) => {
    const option = (choice: Choice, value: unknown): HTMLElement => {
      const radio = element('input', {
        type: 'radio',
        name: `conflict-${field}`,
        checked: choices.get(field) === choice,
      });
      radio.addEventListener('change', () => choices.set(field, choice));
      const text = element('span', { textContent: ` ${words[choice]}: ${valueText(words, field, value)}` });
      return element('label', {}, radio, text);
    };
    const legend = element('legend', { textContent: fieldText(words, field) });
    return element('fieldset', {}, legend, option('mine', own), element('br'), option('theirs', other));
  });
  const heading = element('h3', { textContent: words.conflictTitle, tabIndex: -1 });
  return element(
    'div',
    { className: 'conflict' },
    heading,
    element('p', { textContent: words.conflictHelp }),
    ...rows,
    button(words.saveMerged, () => save(merged(theirs, list, (field) => choices.get(field)!)), 'primary'),
  );
}

function fieldText(words: Words, field: string): string {
  const known: Readonly<Record<string, string>> = {
    name: words.name,
    type: words.type,
    color: words.color,
    width: words.width,
    geometry: words.geometry,
    hours: words.hours,
    speed_limit: words.limit,
  };
  return known[field] ?? field;
}

function valueText(words: Words, field: string, value: unknown): string {
  if (value === null) return '–';
  if (field === 'geometry') return fill(words.choices, { count: (value as readonly unknown[]).length });
  const key: unknown = Object(value).key;
  if (typeof key === 'string') return field === 'type' ? typeText(words, key) : key;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fields in which the two edits of `base` differ. */
export function differences(base: PageZone, mine: object, theirs: PageZone): Difference[] {
  const [before, own, other] = [base, mine, theirs] as unknown as [Fields, Fields, Fields];
  const fields = new Set([...Object.keys(other), ...Object.keys(own)]);
  return [...fields].flatMap((field): Difference[] => {
    if (COMPUTED.includes(field) || isSame(own[field], other[field])) return [];
    const choice = isSame(own[field], before[field]) ? 'theirs' : 'mine';
    return [{ field, mine: own[field] ?? null, theirs: other[field] ?? null, choice }];
  });
}

/** `theirs` with the chosen fields of `mine`. */
export function merged(
  theirs: PageZone,
  list: readonly Difference[],
  choiceOf: (field: string) => Choice,
): PageZone {
  const own = list.filter(({ field }) => choiceOf(field) === 'mine');
  return { ...theirs, ...Object.fromEntries(own.map(({ field, mine }) => [field, mine])) } as PageZone;
}

/** Absent and null are the same, and so are entries of a dictionary with the same key. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain(value: unknown): unknown {
  const key: unknown = Object(value).key;
  return typeof key === 'string' ? key : (value ?? null);
}
