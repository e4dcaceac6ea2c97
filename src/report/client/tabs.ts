/** The tabs of the tables. */

import { byId } from './dom.js';

/** Name of the event that a panel receives when it is chosen. */
export const SHOWN = 'shown';

export interface Tabs {
  /** The panel with this name. */
  readonly panel: (name: string) => HTMLElement;
  readonly choose: (name: string) => void;
  /** The name of the chosen tab. */
  readonly chosen: () => string;
  /** Calls `act` after the user chose another tab. */
  readonly onChoose: (act: () => void) => void;
  /** Calls `draw` when the panel is chosen, and when the window's width changes while the panel is visible. */
  readonly whenShown: (name: string, draw: () => void) => void;
}

export function createTabs(): Tabs {
  const draws = new Map<string, () => void>();
  const acts: (() => void)[] = [];
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  const nameOf = (tab: HTMLElement): string => tab.id.slice('tab-'.length);
  const panel = (name: string): HTMLElement => byId(`panel-${name}`);
  const choose = (name: string): void => {
    for (const tab of tabs) {
      const isChosen = nameOf(tab) === name;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panel(nameOf(tab)).hidden = !isChosen;
    }
    panel(name).dispatchEvent(new Event(SHOWN));
    draws.get(name)?.();
    for (const act of acts) act();
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => choose(nameOf(tab)));
    tab.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      const next = tabs[(i + step + tabs.length) % tabs.length]!;
      choose(nameOf(next));
      next.focus();
    });
  });
  let lastWidth = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === lastWidth) return;
    lastWidth = innerWidth;
    for (const [name, draw] of draws) if (!panel(name).hidden) draw();
  });
  return {
    panel,
    choose,
    chosen: () => nameOf(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true')!),
    onChoose: (act) => void acts.push(act),
    whenShown: (name, draw) => void draws.set(name, draw),
  };
}
