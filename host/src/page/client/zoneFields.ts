/** The inputs of a zone's name, type, colour, width and limit. */

import type { ZoneTypeKey } from 'wayzone';
import { button, element, fill } from '../../../../src/report/client/shared/index.js';
import { type App, labelled } from './app.js';
import type { Draft, Position } from './draft.js';
import { NO_COLOUR } from './mapStyle.js';
import type { Words } from './words.js';

/** With more positions only the map changes them. */
const MOST = 60;

/** The positions of a shape as fields, for the keyboard and for exact values. */
interface PositionFields {
  readonly node: HTMLElement;
  /** Shows the draft's positions. A field that has the focus keeps its text. */
  readonly show: (draft: Draft) => void;
}

const TYPES = ['polygon', 'circle', 'line', 'point'] as const;

export interface ZoneFields {
  readonly nodes: readonly HTMLElement[];
  readonly focus: () => void;
  /** Shows a draft, but leaves what somebody types in as it is. */
  readonly show: (draft: Draft) => void;
}

export interface ZoneFieldsOptions {
  /** The type cannot be changed. */
  readonly isFixed: boolean;
  readonly changed: (part: Partial<Draft>) => void;
  readonly typeChanged: (type: ZoneTypeKey) => void;
}

export function createZoneFields(
  { words }: App,
  { isFixed, changed, typeChanged }: ZoneFieldsOptions,
): ZoneFields {
  const name = element('input', { required: true, maxLength: 1000 });
  const type = element('select', { disabled: isFixed });
  for (const key of TYPES) type.append(element('option', { value: key, textContent: words[key] }));
  const color = element('input', { type: 'color' });
  const width = element('input', { type: 'number', min: '0.1', step: 'any' });
  const widthField = labelled('', width);
  const limit = element('input', { type: 'number', min: '1', step: 'any' });

  name.addEventListener('input', () => changed({ name: name.value }));
  color.addEventListener('input', () => changed({ color: color.value.toUpperCase() }));
  width.addEventListener('input', () => changed({ width: numberOf(width) }));
  limit.addEventListener('input', () => changed({ speed_limit: numberOf(limit) }));
  type.addEventListener('change', () => typeChanged(type.value as ZoneTypeKey));

  return {
    nodes: [
      labelled(words.name, name),
      labelled(words.type, type),
      widthField,
      element(
        'div',
        { className: 'tools' },
        labelled(words.color, color),
        labelled(`${words.limit}, ${words.kph}`, limit),
      ),
    ],
    focus: () => name.focus(),
    show(draft) {
      widthField.hidden = draft.type === 'polygon';
      widthField.firstChild!.textContent = `${draft.type === 'line' ? words.width : words.radius}, ${words.meters}`;
      if (document.activeElement !== width) width.value = textOf(draft.width);
      if (document.activeElement !== name) name.value = draft.name;
      type.value = draft.type;
      color.value = draft.color !== null && /^#[0-9a-f]{6}$/i.test(draft.color) ? draft.color : NO_COLOUR;
      if (document.activeElement !== limit) limit.value = textOf(draft.speed_limit);
    },
  };
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value);
}

function numberOf(input: HTMLInputElement): number | null {
  return Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber;
}

export function createPositionFields(
  words: Words,
  changed: (geometry: readonly Position[]) => void,
): PositionFields {
  const fields = element('div', { className: 'positions' });
  const note = element('p', { className: 'note' });
  let shown: Draft | null = null;
  const add = button(words.addVertex, () => {
    const { geometry = [] } = shown ?? {};
    changed([...geometry, geometry.at(-1) ?? [0, 0]]);
    fields.querySelector<HTMLInputElement>('input:nth-last-of-type(2)')?.focus();
  });
  const node = element('details', {}, element('summary', { textContent: words.vertices }), note, fields, add);

  const inputOf = (i: number, axis: 0 | 1): HTMLInputElement => {
    const input = element('input', { type: 'number', step: 'any', value: String(shown!.geometry[i]![axis]) });
    input.setAttribute('aria-label', fill(axis === 0 ? words.vertexLon : words.vertexLat, { n: i + 1 }));
    input.addEventListener('change', () => {
      const value = input.valueAsNumber;
      if (Number.isNaN(value)) return;
      changed(
        shown!.geometry.map((pair, k): Position => {
          if (k !== i) return pair;
          return axis === 0 ? [value, pair[1]] : [pair[0], value];
        }),
      );
    });
    return input;
  };
  return {
    node,
    show(draft) {
      const { geometry, type } = draft;
      const isNew =
        shown === null ||
        shown.geometry.length !== geometry.length ||
        shown.type !== draft.type ||
        !fields.contains(document.activeElement);
      shown = draft;
      const isFew = geometry.length <= MOST;
      note.textContent = isFew ? '' : fill(words.choices, { count: geometry.length });
      add.hidden = !isFew || ((type === 'point' || type === 'circle') && geometry.length > 0);
      if (!isNew) return;
      fields.replaceChildren(
        ...(isFew ? geometry : []).flatMap((_, i) => {
          const remove = button('×', () => changed(shown!.geometry.filter((__, k) => k !== i)));
          remove.setAttribute('aria-label', fill(words.removeVertex, { n: i + 1 }));
          return [inputOf(i, 0), inputOf(i, 1), remove];
        }),
      );
    },
  };
}
