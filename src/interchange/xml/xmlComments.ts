/**
 * Removes comments (XML 1.0 §2.5) from XML text chunk by chunk, and limits their length. The parser would collect each comment as a whole.
 */

import { WayzoneError } from '../../core/errors.js';

/** Largest length of a comment or processing instruction, UTF-16 units. */
export const MAX_COMMENT_LENGTH = 1_048_576;

const COMMENT = '<!--';
const CDATA = '<![CDATA[';
/** Length of the longest reference, UTF-16 units. */
const MOST_REFERENCE = 48;

type Mode = 'text' | 'comment' | 'cdata' | 'pi';

/** Text that ends each mode. */
const ENDS = { comment: '--', cdata: ']]>', pi: '?>' } as const;

export class XmlComments {
  #mode: Mode = 'text';
  /** End of the last chunk, if it may be the start of a delimiter such as `<!--`. */
  #rest = '';
  /** Length of the open comment or instruction so far, UTF-16 units. */
  #length = 0;
  /** Whether the text so far ends inside a tag. */
  #inTag = false;
  /** End of the last text, if it may be the start of a reference such as `&amp;`. */
  #reference = '';
  readonly #take: (text: string, isText: boolean) => void;
  readonly #skip: (lines: number) => void;

  /**
   * Calls, in the order of the text, `take` with text outside comments and `skip` with the number of line ends in removed text. `isText`: the text is
   * outside CDATA sections and instructions, and cuts no reference.
   */
  constructor(take: (text: string, isText: boolean) => void, skip: (lines: number) => void) {
    this.#take = take;
    this.#skip = skip;
  }

  /** Takes a chunk. Throws `limit-text` for a too long comment or instruction, `xml-malformed` for a comment that contains `--`. */
  write(chunk: string): void {
    const text = this.#rest + chunk;
    this.#rest = '';
    let from = 0;
    while (from < text.length)
      from = this.#mode === 'text' ? this.#text(text, from) : this.#inside(text, from);
  }

  /** Ends the text. An open comment or delimiter is passed on, so that the parser reports it. */
  end(): void {
    if (this.#mode === 'comment') this.#take(COMMENT, false);
    else if (this.#rest !== '' || this.#reference !== '') this.#takeText(this.#rest, true);
    this.#rest = '';
  }

  /** Passes text on. Unless `isWhole`, an unfinished reference at its end is kept. */
  #takeText(text: string, isWhole: boolean): void {
    const all = this.#reference + text;
    const at = isWhole ? -1 : all.lastIndexOf('&');
    const isOpen = at >= 0 && all.length - at < MOST_REFERENCE && all.indexOf(';', at) < 0;
    this.#reference = isOpen ? all.slice(at) : '';
    const ready = isOpen ? all.slice(0, at) : all;
    if (ready !== '') this.#take(ready, true);
  }

  /** Passes text on up to the next comment, CDATA section or instruction. Returns the index at which it stopped. */
  #text(text: string, from: number): number {
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      const mark = text.charCodeAt(at + 1);
      if (at + 1 === text.length || (mark === BANG && isBegin(text, at))) {
        this.#keepRest(text, from, at);
        return text.length;
      }
      if (mark === QUESTION) return this.#open('pi', text, from, at + 2);
      if (mark === BANG && text.startsWith(CDATA, at))
        return this.#open('cdata', text, from, at + CDATA.length);
      if (mark === BANG && text.startsWith(COMMENT, at)) {
        const before = text.slice(from, at);
        this.#takeText(before, true);
        const isTag =
          before.lastIndexOf('<') > before.lastIndexOf('>') || (this.#inTag && !before.includes('>'));
        // A comment inside a tag is an error; it is passed on, so that the parser reports it.
        if (isTag) this.#take(COMMENT, false);
        this.#inTag = false;
        return this.#open('comment', text, at + COMMENT.length, at + COMMENT.length);
      }
    }
    const rest = text.slice(from);
    const [opened, closed] = [rest.lastIndexOf('<'), rest.lastIndexOf('>')];
    if (opened >= 0 || closed >= 0) this.#inTag = opened > closed;
    this.#takeText(rest, false);
    return text.length;
  }

  #open(mode: Mode, text: string, from: number, to: number): number {
    if (mode !== 'comment') this.#takeText(text.slice(from, to), true);
    this.#mode = mode;
    this.#length = 0;
    if (mode !== 'comment') this.#inTag = false;
    return to;
  }

  /** Continues in the open comment, CDATA section or instruction. Returns the index at which it stopped. */
  #inside(text: string, from: number): number {
    const mode = this.#mode as keyof typeof ENDS;
    const end = ENDS[mode];
    const found = text.indexOf(end, from);
    // The end may be split between chunks. To end a comment, the character after `--` is needed too.
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
    else if (piece !== '') this.#take(piece, false);
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

  /** Passes text on up to `at`, and keeps the rest for the next chunk. */
  #keepRest(text: string, from: number, at: number): void {
    if (at > from) {
      const before = text.slice(from, at);
      const [opened, closed] = [before.lastIndexOf('<'), before.lastIndexOf('>')];
      if (opened >= 0 || closed >= 0) this.#inTag = opened > closed;
      this.#takeText(before, false);
    }
    this.#rest = text.slice(at);
  }
}

const BANG = 0x21;
const QUESTION = 0x3f;
const GREATER = 0x3e;

/** Whether the text from `at` to its end is the start of `<!--` or `<![CDATA[`. */
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
