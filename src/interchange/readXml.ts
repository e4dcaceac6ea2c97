/** One pass over XML text with saxes: elements by local name with their direct text; no DTD, no tree, bounded depth. */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { WayzoneError } from '../core/errors.js';
import type { IssueList } from './issueList.js';

/** Elements may lie in each other this deep. */
export const MAX_ELEMENT_DEPTH = 1000;

/** An open element; `text` is complete when it closes and holds its own text only, not that of its children. */
export interface XmlElement {
  /** The local name: without its namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly parent: XmlElement | null;
  text: string;
}

export interface XmlHandler {
  open(element: XmlElement): void;
  close(element: XmlElement): void;
}

/** Errors after which the text still has one meaning: the characters stay as they are written. */
const HARMLESS = /undefined entity|malformed character entity|disallowed character\.$|empty entity name/;

/**
 * Calls the handler for every element in order.
 *
 * It stops at the first error that makes the rest doubtful, and what was read till then stands. Issues, with the line:
 * `xml-dtd-forbidden`, `xml-malformed`, `xml-truncated`, `xml-bad-char-ref`, `limit-depth`.
 * A `WayzoneError` from the handler stops it too and becomes an issue.
 */
export function readXml(text: string, issues: IssueList, handler: XmlHandler): void {
  const body = text.trimStart();
  const skippedLines = text.slice(0, text.length - body.length).split('\n').length - 1;
  const parser = new SaxesParser({ xmlns: false, position: true });
  let current: XmlElement | null = null;
  let depth = 0;
  const stop = (code: string, message: string): never => {
    throw new WayzoneError(code, '', message);
  };
  parser.on('error', (error) => {
    const message = error.message.replace(/^[^:]*\d+:\d+: /, '');
    if (HARMLESS.test(message)) {
      const code = /entity/.test(message) ? 'xml-bad-char-ref' : 'xml-malformed';
      issues.warning(code, '', `expected well-formed XML, received: ${message}`, parser.line + skippedLines);
      return;
    }
    const truncated = /unexpected end|unclosed tag|must contain a root/.test(message);
    stop(truncated ? 'xml-truncated' : 'xml-malformed', `expected well-formed XML, received: ${message}`);
  });
  parser.on('doctype', () => {
    stop('xml-dtd-forbidden', 'expected XML without a DOCTYPE, received one; nothing after it is read');
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    if (++depth > MAX_ELEMENT_DEPTH)
      stop('limit-depth', `expected at most ${MAX_ELEMENT_DEPTH} levels, received more`);
    const element: XmlElement = {
      name: localName(tag.name),
      attributes: tag.attributes,
      line: parser.line + skippedLines,
      parent: current,
      text: '',
    };
    current = element;
    handler.open(element);
  });
  const addText = (part: string): void => {
    if (current !== null) current.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth--;
    const closed = current;
    if (closed === null) return;
    current = closed.parent;
    handler.close(closed);
  });
  try {
    parser.write(body).close();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    issues.error(error.code, error.field, error.message, parser.line + skippedLines);
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

/** The attribute, or undefined; only the element's own attributes count. */
export function attribute(element: XmlElement, name: string): string | undefined {
  return Object.hasOwn(element.attributes, name) ? element.attributes[name] : undefined;
}
