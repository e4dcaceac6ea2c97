/** The states of vehicles: how many have each, and which are shown. It is the legend of the map's colours too. */

import { element } from '../../../../src/report/client/dom.js';
import { UNIT_STATES, type UnitState } from './fleet.js';
import type { Words } from './words.js';

export interface StateFilter {
  readonly node: HTMLElement;
  /** Whether vehicles in this state are shown. */
  readonly has: (state: UnitState) => boolean;
  readonly show: (counts: ReadonlyMap<UnitState, number>) => void;
}

/** Without a choice all states are shown. */
export function createStateFilter(words: Words, changed: () => void): StateFilter {
  const wanted = new Set<UnitState>();
  const counts = new Map<UnitState, HTMLElement>();
  const node = element('div', { className: 'tools states' });
  node.setAttribute('role', 'group');
  node.setAttribute('aria-label', words.states);
  for (const state of UNIT_STATES) {
    const dot = element('span', { className: `dot ${state}` });
    const count = element('span', { className: 'count', textContent: '0' });
    const toggle = element('button', { type: 'button', className: 'small' }, dot, words[state], ' ', count);
    toggle.setAttribute('aria-pressed', 'false');
    toggle.addEventListener('click', () => {
      if (!wanted.delete(state)) wanted.add(state);
      toggle.setAttribute('aria-pressed', String(wanted.has(state)));
      changed();
    });
    counts.set(state, count);
    node.append(toggle);
  }
  return {
    node,
    has: (state) => wanted.size === 0 || wanted.has(state),
    show(found) {
      for (const [state, count] of counts) {
        const text = String(found.get(state) ?? 0);
        if (count.textContent !== text) count.textContent = text;
      }
    },
  };
}
