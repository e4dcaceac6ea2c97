/** Recognises UTF-8 that a program read in another encoding and wrote as UTF-8 again: `Ð¡ÐºÐ»Ð°Ð´` for `Склад`. */

import type { IssueList } from './issueList.js';

/** Encodings of one byte per character in which programs misread UTF-8, the most common first. */
const ENCODINGS = ['windows-1252', 'windows-1251', 'windows-1250'] as const;

/** First bytes of é, ü and other Latin letters: one of them is enough, since the text for it has a symbol within a word. */
const LATIN_LEAD = 0xc3;

/** A character beyond ASCII. */
const MARK = /[\u0080-\uffff]/;

/** Collects texts that seem to be encoded twice. */
export class EncodedTwice {
  #tables: ReadonlyMap<string, ReadonlyMap<string, number>> | null = null;
  #count = 0;
  #first: { readonly text: string; readonly meant: string; readonly encoding: string } | null = null;

  /** Examines one text. Cost: constant for almost all texts that are not encoded twice. */
  add(text: string): void {
    const first = text.search(MARK);
    if (first < 0) return;
    this.#tables ??= byteTables();
    for (const [encoding, byteOf] of this.#tables) {
      const [lead = 0, next = 0] = [byteOf.get(text[first]!), byteOf.get(text[first + 1] ?? '')];
      if (lead < 0xc2 || lead > 0xf4 || next < 0x80 || next > 0xbf) continue;
      const meant = meantText(text, byteOf);
      if (meant === null || (Array.from(meant).filter(isMark).length < 2 && lead > LATIN_LEAD)) continue;
      this.#count++;
      this.#first ??= { text, meant, encoding };
      return;
    }
  }

  /** Warns of the texts, if there are any. They stay as they are, since such a text can be meant. */
  report(issues: IssueList): void {
    if (this.#first === null) return;
    const { text, meant, encoding } = this.#first;
    const more = this.#count === 1 ? '' : `, and ${this.#count - 1} further texts`;
    const message = `expected text in UTF-8, received ${shown(text)}, which seems to be encoded twice: as ${encoding} it is ${shown(meant)}${more}; read as it is; convert the file from UTF-8 to ${encoding}, and read the result`;
    issues.warning('encoding', 'encoding', message);
  }
}

function isMark(character: string): boolean {
  return character > '\u007f';
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** The text of the bytes that `text` has in an encoding, if they are UTF-8. Its last character may be cut, as by trimming. */
function meantText(text: string, byteOf: ReadonlyMap<string, number>): string | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = isMark(text[i]!) ? byteOf.get(text[i]!) : text.charCodeAt(i);
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The bytes beyond ASCII by their characters, for each encoding. */
function byteTables(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i);
  return new Map(
    ENCODINGS.map((label) => {
      const characters = Array.from(new TextDecoder(label).decode(bytes));
      return [label, new Map(characters.map((one, i) => [one, 128 + i]))];
    }),
  );
}
