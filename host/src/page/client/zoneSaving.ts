/** Stores a new or changed zone, and lets somebody merge two edits where another was first. */

import type { GeozoneInput } from 'wayzone';
import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { ApiError } from './api.js';
import { type App, failureText, type PageZone, typeText } from './app.js';
import { bodyOf, type Draft, draftOf, problemText } from './draft.js';
import { say } from './say.js';
import type { Words } from './words.js';

export interface ZoneSaving {
  /** The body of a request that stores the draft. */
  readonly body: () => ReturnType<typeof bodyOf>;
  readonly save: () => Promise<void>;
  /** Element that shows two edits beside each other. */
  readonly conflict: HTMLElement;
}

interface ZoneSavingOptions {
  /** The zone as it was read; null for a new one. */
  readonly zone: PageZone | null;
  /** Its entity tag, without which somebody else's edit would be overwritten. */
  readonly tag: string | null;
  readonly draft: () => Draft;
  readonly busy: (isBusy: boolean) => void;
  readonly stored: (after: PageZone, tag: string | null) => void;
  /** Shows the reasons for which the host refused a zone. */
  readonly refused: (texts: readonly string[]) => void;
  /** The draft is what somebody chose of both edits. */
  readonly merged: (draft: Draft) => void;
}

export function createZoneSaving(
  app: App,
  { zone, tag, draft, busy, stored, refused, merged }: ZoneSavingOptions,
): ZoneSaving {
  const conflict = element('div');
  let base = zone;
  let baseTag = tag;

  async function send(body: object): Promise<void> {
    busy(true);
    try {
      const { body: after, tag: written } =
        base === null
          ? await app.api.send<PageZone>('POST', '/geozones', body)
          : await app.api.send<PageZone>(
              'PUT',
              `/geozones/${encodeURIComponent(base.id)}`,
              body,
              baseTag === null ? {} : { 'if-match': baseTag },
            );
      stored(after, written);
    } catch (error) {
      busy(false);
      if (error instanceof ApiError && error.status === 412 && base !== null) return resolve(base);
      if (error instanceof ApiError && error.errors.length > 0)
        refused(error.errors.map((problem) => problemText(app.words, problem)));
      say(failureText(app, error));
    }
  }
  /** Shows both edits. The merged zone is saved over theirs, unless there is a third edit. */
  async function resolve(before: PageZone): Promise<void> {
    try {
      const query = new URLSearchParams({ ids: before.id });
      const { body: theirs, tag: theirTag } = await app.api.get<PageZone>(`/geozones?${query}`);
      if (theirs.is_delete === true) return say(app.words.gone);
      const view = conflictView(app, before, bodyOf(before, draft()), theirs, (zoneToSave) => {
        conflict.replaceChildren();
        base = theirs;
        baseTag = theirTag;
        merged(draftOf(zoneToSave));
        void send(zoneToSave);
      });
      conflict.replaceChildren(view);
      view.querySelector('h3')!.focus();
    } catch (error) {
      say(failureText(app, error));
    }
  }
  const body = (): ReturnType<typeof bodyOf> => bodyOf(base, draft());
  return { conflict, body, save: () => send(body()) };
}

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
function conflictView(
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
