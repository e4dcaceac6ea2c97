/** The inputs of a zone's name, type, colour, width and limit. */

import type { ZoneTypeKey } from 'wayzone';
import { element } from '../../../../src/report/client/dom.js';
import { type App, labelled } from './app.js';
import type { Draft } from './draft.js';
import { NO_COLOUR } from './mapStyle.js';

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
