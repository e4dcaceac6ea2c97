/** XML text without its comments (XML 1.0 §2.5), which nobody reads: what a parser would hold as a whole is skipped, and bounded, as it comes in. */

import { WayzoneError } from '../../core/errors.js';

/** The most UTF-16 units of a comment or processing instruction. */
export const MAX_COMMENT_LENGTH = 1_048_576;

const COMMENT = '<!--';
const CDATA = '<![CDATA[';

type Mode = 'text' | 'comment' | 'cdata' | 'pi';

/** What ends each of them. */
const ENDS = { comment: '--', cdata: ']]>', pi: '?>' } as const;

export class XmlComments {
  #mode: Mode = 'text';
  /** The end of the last chunk, which may be the begin of a mark. */
  #rest = '';
  /** Units of the open comment or instruction. */
  #length = 0;
  /** Whether the last `<` before a comment began a tag that is not closed. */
  #inTag = false;
  readonly #take: (text: string) => void;
  readonly #skip: (lines: number) => void;

  /** `take` gets the text between comments, `skip` the number of line ends in those that were left out, each at its place. */
  constructor(take: (text: string) => void, skip: (lines: number) => void) {
    this.#take = take;
    this.#skip = skip;
  }

  /** Throws `limit-text`, and `xml-malformed` for a comment that XML does not allow. */
  write(chunk: string): void {
    const text = this.#rest + chunk;
    this.#rest = '';
    let from = 0;
    while (from < text.length)
      from = this.#mode === 'text' ? this.#text(text, from) : this.#inside(text, from);
  }

  /** The text is at its end: what is open there is the parser's to judge. */
  end(): void {
    if (this.#mode === 'comment') this.#take(COMMENT);
    else if (this.#rest !== '') this.#take(this.#rest);
    this.#rest = '';
  }

  /** Hands on text up to the next comment; returns where it stopped. */
  #text(text: string, from: number): number {
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      const mark = text.charCodeAt(at + 1);
      if (at + 1 === text.length || (mark === BANG && isBegin(text, at))) {
        this.#hold(text, from, at);
        return text.length;
      }
      if (mark === QUESTION) return this.#open('pi', text, from, at + 2);
      if (mark === BANG && text.startsWith(CDATA, at))
        return this.#open('cdata', text, from, at + CDATA.length);
      if (mark === BANG && text.startsWith(COMMENT, at)) {
        const before = text.slice(from, at);
        this.#take(before);
        const isTag =
          before.lastIndexOf('<') > before.lastIndexOf('>') || (this.#inTag && !before.includes('>'));
        // A parser must see that it stands where none may be.
        if (isTag) this.#take(COMMENT);
        this.#inTag = false;
        return this.#open('comment', text, at + COMMENT.length, at + COMMENT.length);
      }
    }
    const rest = text.slice(from);
    const [opened, closed] = [rest.lastIndexOf('<'), rest.lastIndexOf('>')];
    if (opened >= 0 || closed >= 0) this.#inTag = opened > closed;
    this.#take(rest);
    return text.length;
  }

  #open(mode: Mode, text: string, from: number, to: number): number {
    if (to > from) this.#take(text.slice(from, to));
    this.#mode = mode;
    this.#length = 0;
    if (mode !== 'comment') this.#inTag = false;
    return to;
  }

  /** Goes on in what is open; returns where it ends. */
  #inside(text: string, from: number): number {
    const mode = this.#mode as keyof typeof ENDS;
    const end = ENDS[mode];
    const found = text.indexOf(end, from);
    // A mark may be cut in two; of a comment its last character must be there to be judged.
    const isCut = found < 0 || (mode === 'comment' && found + 2 >= text.length);
    const to = isCut
      ? found < 0
        ? Math.max(from, text.length - end.length + 1)
        : found
      : found + end.length;
    this.#length += to - from;
    if (mode !== 'cdata' && this.#length > MAX_COMMENT_LENGTH) {
      const what = mode === 'pi' ? 'a processing instruction' : 'a comment';
      throw new WayzoneError(
        'limit-text',
        '',
        `expected ${what} of at most ${MAX_COMMENT_LENGTH} characters, received more`,
      );
    }
    const piece = text.slice(from, to);
    if (mode === 'comment') this.#skip(linesOf(piece));
    else if (piece !== '') this.#take(piece);
    if (isCut) {
      this.#rest = text.slice(to);
      return text.length;
    }
    this.#mode = 'text';
    if (mode !== 'comment') return to;
    if (text.charCodeAt(to) !== GREATER) {
      throw new WayzoneError('xml-malformed', '', 'expected well-formed XML, received: malformed comment.');
    }
    return to + 1;
  }

  #hold(text: string, from: number, at: number): void {
    if (at > from) {
      const before = text.slice(from, at);
      const [opened, closed] = [before.lastIndexOf('<'), before.lastIndexOf('>')];
      if (opened >= 0 || closed >= 0) this.#inTag = opened > closed;
      this.#take(before);
    }
    this.#rest = text.slice(at);
  }
}

const BANG = 0x21;
const QUESTION = 0x3f;
const GREATER = 0x3e;

/** Whether the text ends in what may become a comment or CDATA. */
function isBegin(text: string, at: number): boolean {
  const rest = text.length - at;
  return (
    (rest < COMMENT.length && COMMENT.startsWith(text.slice(at))) ||
    (rest < CDATA.length && CDATA.startsWith(text.slice(at)))
  );
}

function linesOf(text: string): number {
  let lines = 0;
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lines++;
  return lines;
}
