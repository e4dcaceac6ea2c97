/** Creates elements, tabs that show one of several, and saved files. Texts are always inserted as text, never as markup; nothing is sent. */

type Child = Node | string;

/** An HTML element with the given properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** A button with the given text. */
export function button(textContent: string, click: () => void, className = 'small'): HTMLButtonElement {
  const node = element('button', { type: 'button', className, textContent });
  node.addEventListener('click', click);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

/** An SVG element with the given attributes and children. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** An SVG text element. */
export function svgText(text: string, attributes: Readonly<Record<string, string | number>>): SVGTextElement {
  return svg('text', attributes, text);
}

/** An SVG title, which browsers show as a tooltip. */
export function tip(text: string): SVGTitleElement {
  return svg('title', {}, text);
}

/** A block of lines, the first one bold. */
export function textBlock(lines: readonly string[]): HTMLElement {
  return element(
    'div',
    {},
    ...lines.map((textContent, i) => element(i === 0 ? 'strong' : 'div', { textContent })),
  );
}

/** The element with this id, which must exist. */
export function byId(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`expected an element with the id ${id}, received none`);
  return node;
}

/** Value of a custom property of the page's style. */
export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

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

/** Saves a file under a name, as a click on a link would. */
export function save(name: string, content: string | Uint8Array, type: string): void {
  const url = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
