/** Reads XML, whole or in chunks, in one pass with saxes: elements by local name with their own text. Rejects DTDs, bounds the depth. */

import type { SaxesParser, SaxesTagPlain } from 'saxes';
import saxes from '#lazy/saxes';
import type { ErrorCode } from '../../core/errorCode.js';
import { WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { decodeChunks, decodeText } from '../common/decodeText.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import type { IssueList } from '../common/issueList.js';
import { type LimitCounter, MAX_TEXT_LENGTH, type ReadOptions } from '../common/readOptions.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { XmlComments } from './xmlComments.js';

/** Largest depth of nested elements. */
const MAX_ELEMENT_DEPTH = 1000;

/** An element. `text` excludes the text of its children and is complete when the element closes. */
export interface XmlElement {
  /** Name without its namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly parent: XmlElement | null;
  text: string;
}

export interface XmlHandler {
  /** Names of elements that are read in any case, with a warning for each in another case. */
  readonly names?: readonly string[];
  open(element: XmlElement): void;
  close(element: XmlElement): void;
  /** Called once: at the end of the text, or after an error that ends the reading. */
  finish(): void;
}

const REFERENCE = /&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z_][\w.-]*);/y;
/** Errors after which the rest is still unambiguous. The characters stay as written. */
const HARMLESS = /undefined entity|malformed character entity|disallowed character\.$|empty entity name/;

/**
 * Calls the handler for every element in order, chunk by chunk. Comments are skipped.
 *
 * Stops at the first error that makes the rest ambiguous; earlier elements stay. Issues, with the line: `xml-dtd-forbidden`, `xml-malformed`,
 * `xml-truncated`, `xml-bad-char-ref`, `limit-depth`, `limit-bytes`, `limit-text`. A `WayzoneError` from the handler also stops it and becomes an
 * issue.
 */
export class XmlFeed {
  readonly #parser: SaxesParser = new (saxes().SaxesParser)({ xmlns: false, position: true });
  readonly #issues: IssueList;
  readonly #handler: XmlHandler;
  readonly #limits: LimitCounter;
  /** Names in the format's case, by names in the file. */
  readonly #names: Map<string, string>;
  readonly #byCase: ReadonlyMap<string, string>;
  readonly #comments = new XmlComments(
    (text, isText) => (isText ? this.#parseText(text) : this.#parse(text)),
    (lines) => {
      this.#skippedLines += lines;
    },
  );
  #current: XmlElement | null;
  #depth = 0;
  #skippedLines = 0;
  #begun = false;
  /** UTF-16 units since the last tag: the parser keeps them in memory until the next one. */
  #unitsSinceTag = 0;
  #stopped = false;

  /** `root`: parent of the root element, for a document that is read within another. */
  constructor(issues: IssueList, handler: XmlHandler, limits: LimitCounter, root: XmlElement | null = null) {
    this.#current = root;
    this.#issues = issues;
    this.#handler = handler;
    this.#limits = limits;
    const names = handler.names ?? [];
    this.#names = new Map(names.map((name) => [name, name]));
    this.#byCase = new Map(names.map((name) => [name.toLowerCase(), name]));
    this.#listen();
  }

  /** Reads text. Returns whether more is needed. */
  write(text: string): boolean {
    return this.#guard(() => {
      let body = text;
      if (!this.#begun) {
        body = text.trimStart();
        this.#skippedLines += text.slice(0, text.length - body.length).split('\n').length - 1;
        if (body === '') return;
        this.#begun = true;
      }
      this.#comments.write(body);
    });
  }

  /** Parses text outside CDATA sections. An ampersand that begins no reference is read as a character. */
  #parseText(text: string): void {
    let from = 0;
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
      REFERENCE.lastIndex = at;
      if (REFERENCE.test(text)) continue;
      this.#parse(text.slice(from, at));
      const message = 'expected &amp;, received a bare &; read as an ampersand';
      this.#issues.warning('xml-bad-char-ref', '', message, this.#line());
      this.#parse('&amp;');
      from = at + 1;
    }
    this.#parse(from === 0 ? text : text.slice(from));
  }

  #parse(text: string): void {
    this.#unitsSinceTag += text.length;
    if (this.#unitsSinceTag > MAX_TEXT_LENGTH + text.length) {
      stop('limit-text', `expected at most ${MAX_TEXT_LENGTH} characters between two tags, received more`);
    }
    this.#parser.write(text);
  }

  /** Ends the text. `cut`: the text ends early on purpose, so a missing end is not an issue. */
  close(cut: boolean = false): void {
    if (!cut) {
      this.#guard(() => {
        this.#comments.end();
        this.#parser.close();
      });
    }
    this.#stopped = false;
    this.#guard(() => {
      this.#handler.finish();
    });
    this.#stopped = true;
  }

  /** Current line in the whole text. The parser does not count skipped lines. */
  #line(): number {
    return this.#parser.line + this.#skippedLines;
  }

  /** Calls `run` unless the reading has stopped. A `WayzoneError` stops the reading and becomes an issue. Returns whether to go on. */
  #guard(run: () => void): boolean {
    if (this.#stopped) return false;
    try {
      run();
    } catch (error) {
      this.#stopped = true;
      this.#issues.caught(error, this.#line());
    }
    return !this.#stopped;
  }

  /** The name in the format's case. */
  #nameOf(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const own = this.#byCase.get(name.toLowerCase());
    // Other names are not cached, because a file may have any number of them.
    if (own === undefined) return name;
    this.#names.set(name, own);
    this.#issues.warning(
      'element-case',
      name,
      `expected the element ${own}, received ${name}; read`,
      this.#line(),
    );
    return own;
  }

  #listen(): void {
    const parser = this.#parser;
    parser.on('error', (error) => {
      const message = error.message.replace(/^[^:]*:\d+: /, '');
      if (HARMLESS.test(message)) {
        const code = /entity/.test(message) ? 'xml-bad-char-ref' : 'xml-malformed';
        this.#issues.warning(code, '', `expected well-formed XML, received: ${message}`, this.#line());
        return;
      }
      const truncated = /unexpected end|unclosed tag|must contain a root/.test(message);
      stop(truncated ? 'xml-truncated' : 'xml-malformed', `expected well-formed XML, received: ${message}`);
    });
    parser.on('doctype', () => {
      stop('xml-dtd-forbidden', 'expected XML without a DOCTYPE, received one; nothing after it is read');
    });
    parser.on('opentag', (tag: SaxesTagPlain) => {
      this.#unitsSinceTag = 0;
      const most = Math.min(this.#limits.maxDepth, MAX_ELEMENT_DEPTH);
      if (++this.#depth > most) stop('limit-depth', `expected at most ${most} levels, received more`);
      const element: XmlElement = {
        name: this.#nameOf(localName(tag.name)),
        attributes: tag.attributes,
        line: this.#line(),
        parent: this.#current,
        text: '',
      };
      this.#current = element;
      this.#handler.open(element);
    });
    const addText = (part: string): void => {
      if (this.#current !== null) this.#current.text += part;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', () => {
      this.#unitsSinceTag = 0;
      this.#depth--;
      const closed = this.#current;
      if (closed === null) return;
      this.#current = closed.parent;
      this.#handler.close(closed);
    });
  }
}

function stop(code: ErrorCode, message: string): never {
  throw new WayzoneError(code, '', message);
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** The element's own attribute, or undefined. */
export function attribute(element: XmlElement, name: string): string | undefined {
  return Object.hasOwn(element.attributes, name) ? element.attributes[name] : undefined;
}

type HandlerOf = (builder: ForeignBuilder) => XmlHandler;

export function readXml(input: string | Uint8Array, options: ReadOptions, handlerOf: HandlerOf): ForeignData {
  const builder = new ForeignBuilder(options);
  const feed = new XmlFeed(builder.issues, handlerOf(builder), builder.limits);
  const text = decodeText(input, builder.issues, builder.limits);
  if (text !== null) feed.write(text);
  feed.close(text === null);
  return builder.toForeignData();
}

export async function readXmlChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
  handlerOf: HandlerOf,
): Promise<ForeignData> {
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const feed = new XmlFeed(builder.issues, handlerOf(builder), builder.limits);
  const isWhole = await decodeChunks(chunks, builder.issues, builder.limits, (text) => feed.write(text));
  feed.close(!isWhole);
  return builder.toForeignData();
}
