/** Errors of outputs, with the path that the user gave. */

import { WayzoneError } from '../../core/errors.js';

/** The result of `work`. A system error is thrown as `output-unwritable` with the user's path. */
export async function mapWriteErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'errno' in error)) throw error;
    throw unwritable(path, systemErrorText(String(error.code)), error);
  }
}

/** The reason in words for a code of a system error. */
export function systemErrorText(code: string): string {
  return REASONS.get(code) ?? code;
}

export function unwritable(path: string, reason: string, cause?: unknown): WayzoneError {
  return new WayzoneError('output-unwritable', '', `cannot write ${path}: ${reason}`, { cause });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'the file would be too large'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'its symbolic links form a circle'],
  ['EPIPE', 'its reader has gone'],
]);
