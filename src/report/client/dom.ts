/** Creates elements. Texts are always inserted as text, never as markup. */

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
