/**
 * Counts the steps that a backtracking engine takes over a text (ECMA-262 §22.2.2, without captures). Measured time would be inexact.
 *
 * The pattern is parsed into a tree; the engine itself tests which characters an atom matches. Attack texts consist of the pattern's
 * own characters: a shortest prefix that leads to a repeated part, many repetitions of it, and an end that cannot match.
 */

type Node =
  /** `takes`: whether it matches a character, of those that were asked. */
  | { readonly kind: 'char'; readonly source: string; readonly takes: Map<string, boolean> }
  | { readonly kind: 'anchor'; readonly source: string }
  | { readonly kind: 'look'; readonly node: Node; readonly negative: boolean }
  | { readonly kind: 'list'; readonly nodes: readonly Node[] }
  | { readonly kind: 'either'; readonly nodes: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** Parses a pattern into a tree. Throws for syntax that it does not know (group references, lookbehind). */
class PatternParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    const node = this.#either();
    if (this.#at < this.#text.length) throw new Error(`what is ${this.#text.slice(this.#at)}?`);
    return node;
  }

  #either(): Node {
    const nodes = [this.#list()];
    while (this.#take('|')) nodes.push(this.#list());
    return nodes.length === 1 ? nodes[0]! : { kind: 'either', nodes };
  }

  #list(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) nodes.push(this.#repeat());
    return { kind: 'list', nodes };
  }

  #repeat(): Node {
    const node = this.#atom();
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(this.#text.slice(this.#at));
    if (match === null) return node;
    this.#at += match[0].length;
    const [, mark, low, comma, high, lazy] = match;
    const min = mark === undefined ? Number(low) : mark === '+' ? 1 : 0;
    const upper = high === '' || high === undefined ? Number.POSITIVE_INFINITY : Number(high);
    const max =
      mark === undefined ? (comma === '' ? min : upper) : mark === '?' ? 1 : Number.POSITIVE_INFINITY;
    return { kind: 'repeat', node, min, max, lazy: lazy !== '' };
  }

  #atom(): Node {
    const rest = this.#text.slice(this.#at);
    const group = /^\((?:\?:|\?=|\?!|\?<[A-Za-z]\w*>)?/.exec(rest);
    if (group !== null) {
      if (/^\(\?(?!:|=|!|<[A-Za-z])/.test(rest)) throw new Error(`unknown group ${rest.slice(0, 5)}`);
      this.#at += group[0].length;
      const node = this.#either();
      if (!this.#take(')')) throw new Error('an open group');
      if (group[0] === '(?=') return { kind: 'look', node, negative: false };
      return group[0] === '(?!' ? { kind: 'look', node, negative: true } : node;
    }
    const anchor = /^(?:\^|\$|\\b|\\B)/.exec(rest)?.[0];
    if (anchor !== undefined) {
      this.#at += anchor.length;
      return { kind: 'anchor', source: anchor };
    }
    const char =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\p\{\w+\}|\\P\{\w+\}|\\[^1-9k]|[^\\])/.exec(
        rest,
      )?.[0];
    if (char === undefined) throw new Error(`unknown atom ${rest.slice(0, 5)}`);
    this.#at += char.length;
    return { kind: 'char', source: char, takes: new Map() };
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }
}

/** A pattern prepared for counting. */
export class StepCounter {
  readonly #root: Node;
  readonly #flags: string;
  readonly #atoms: RegExp[] = [];
  #steps = 0;

  constructor(source: string, flags: string) {
    this.#root = new PatternParser(source).whole();
    this.#flags = flags;
    const collect = (node: Node): void => {
      if (node.kind === 'char') this.#atoms.push(this.#regexOf(node.source));
      else if ('node' in node) collect(node.node);
      else if ('nodes' in node) node.nodes.forEach(collect);
    };
    collect(this.#root);
  }

  /** The greatest growth of the steps for a text four times as long: about 4 if linear, 16 if quadratic. */
  growth(): { readonly factor: number; readonly text: string } {
    const long = this.attacks(4 * SHORT);
    let worst = { factor: 0, text: '' };
    for (const [i, text] of this.attacks(SHORT).entries()) {
      const steps = this.steps(long[i]!);
      const factor = steps >= MOST_STEPS ? Number.POSITIVE_INFINITY : steps / (this.steps(text) + 20);
      if (factor > worst.factor) worst = { factor, text };
    }
    return worst;
  }

  /** Steps until no start matches (a sticky pattern tries only the first start), or until there are too many. */
  steps(text: string): number {
    this.#steps = 0;
    const isSticky = this.#flags.includes('y');
    for (let start = 0; start <= text.length && this.#steps < MOST_STEPS; start++) {
      let end = -1;
      const found = this.#match(this.#root, text, start, (at) => {
        end = at;
        return true;
      });
      if (isSticky) break;
      if (!found) continue;
      // A global pattern searches on behind the match.
      if (!this.#flags.includes('g')) break;
      start = Math.max(start, end - 1);
    }
    return this.#steps;
  }

  /** Texts of about `length` characters that are hard for the pattern. */
  attacks(length: number): string[] {
    const classes = this.#classes();
    const foreign = '\u0001';
    const pumps = [...classes, ...classes.flatMap((a) => classes.map((b) => a + b))];
    const leads = new Set(['', foreign]);
    this.#leads(this.#root, '', leads);
    const texts: string[] = [];
    for (const lead of leads) {
      for (const pump of pumps) {
        const body = lead + pump.repeat(Math.ceil(length / pump.length));
        for (const end of [foreign, '', classes[0] ?? '']) texts.push(body + end);
      }
    }
    return texts;
  }

  #match(node: Node, text: string, at: number, next: (at: number) => boolean): boolean {
    if (++this.#steps > MOST_STEPS) return true;
    switch (node.kind) {
      case 'char':
        return at < text.length && this.#takesChar(node, text[at]!) && next(at + 1);
      case 'anchor':
        return this.#holds(node.source, text, at) && next(at);
      case 'look':
        return this.#match(node.node, text, at, () => true) !== node.negative && next(at);
      case 'either':
        return node.nodes.some((choice) => this.#match(choice, text, at, next));
      case 'list': {
        const from = (i: number, place: number): boolean => {
          const item = node.nodes[i];
          return item === undefined ? next(place) : this.#match(item, text, place, (end) => from(i + 1, end));
        };
        return from(0, at);
      }
      case 'repeat':
        return this.#repeat(node, text, at, 0, next);
    }
  }

  #repeat(
    node: Extract<Node, { kind: 'repeat' }>,
    text: string,
    at: number,
    count: number,
    next: (at: number) => boolean,
  ): boolean {
    if (++this.#steps > MOST_STEPS) return true;
    const more = (): boolean =>
      count < node.max &&
      this.#match(
        node.node,
        text,
        at,
        (end) => (end > at || count < node.min) && this.#repeat(node, text, end, count + 1, next),
      );
    if (count < node.min) return more();
    return node.lazy ? next(at) || more() : more() || next(at);
  }

  #holds(anchor: string, text: string, at: number): boolean {
    const isWord = (i: number): boolean => /\w/.test(text[i] ?? '');
    const isLine = this.#flags.includes('m');
    if (anchor === '^') return at === 0 || (isLine && text[at - 1] === '\n');
    if (anchor === '$') return at === text.length || (isLine && text[at] === '\n');
    return (isWord(at - 1) !== isWord(at)) === (anchor === '\\b');
  }

  #takesChar({ source, takes }: Extract<Node, { kind: 'char' }>, char: string): boolean {
    const known = takes.get(char);
    if (known !== undefined) return known;
    const found = this.#regexOf(source).test(char);
    takes.set(char, found);
    return found;
  }

  #regexOf(source: string): RegExp {
    return new RegExp(`^(?:${source})$`, this.#flags.replace(/[gy]/g, ''));
  }

  /** One character for each set of atoms that match it. */
  #classes(): string[] {
    const found = new Map<string, string>();
    for (const char of POOL) {
      const signature = this.#atoms.map((atom) => (atom.test(char) ? '1' : '0')).join('');
      if (signature.includes('1') && !found.has(signature)) found.set(signature, char);
    }
    return [...found.values()].slice(0, 10);
  }

  /** Adds the shortest text before each repeated part to `leads`. Returns the shortest text up to the end of the node. */
  #leads(node: Node, before: string, leads: Set<string>): string {
    switch (node.kind) {
      case 'char':
        return before + (POOL.find((char) => this.#takesChar(node, char)) ?? '');
      case 'list':
        return node.nodes.reduce((text, item) => this.#leads(item, text, leads), before);
      case 'either':
        return node.nodes.map((item) => this.#leads(item, before, leads))[0] ?? before;
      case 'repeat': {
        leads.add(before);
        const once = this.#leads(node.node, before, leads);
        return node.min === 0 ? before : before + once.slice(before.length).repeat(node.min);
      }
      default:
        return before;
    }
  }
}

/** Longer than the counts in our patterns, except the one that counts to 200. */
const SHORT = 70;
const MOST_STEPS = 1_000_000;

const POOL: readonly string[] = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  '\t',
  '\n',
  '\r',
  '\u0085',
  '\u00a0',
  '\u0300',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ufffe',
  '\uff1d',
  '\ud800',
  'é',
];
