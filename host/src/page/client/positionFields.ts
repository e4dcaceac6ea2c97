/** The positions of a shape as fields, for the keyboard and for exact values. */

import { button, element } from '../../../../src/report/client/dom.js';
import { fill } from '../../../../src/report/client/formats.js';
import type { Draft, Position } from './draft.js';
import type { Words } from './words.js';

/** With more positions only the map changes them. */
const MOST = 60;

export interface PositionFields {
  readonly node: HTMLElement;
  /** Shows the draft's positions. A field that has the focus keeps its text. */
  readonly show: (draft: Draft) => void;
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
