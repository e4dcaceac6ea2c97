/** Errors of the file system in words. */

import { messageOf } from '../../core/errors.js';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'expected a file, received a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
};

/** The text for a person: `no such file`, with the path of the error if `withPath`; other errors keep their message. */
export function systemErrorText(error: unknown, withPath = false): string {
  const { code = '', path } = error as Partial<NodeJS.ErrnoException>;
  const words = error instanceof Error ? WORDS[code] : undefined;
  if (words === undefined) return messageOf(error);
  return withPath && path !== undefined ? `${path}: ${words}` : words;
}
