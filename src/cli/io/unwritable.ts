/** Errors of outputs, with the caller's own path. */

import { WayzoneError } from '../../core/errors.js';

/** Runs `work`; an error of the system becomes `output-unwritable` with the caller's path. */
export async function said<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'errno' in error)) throw error;
    throw unwritable(path, reasonOf(String(error.code)), error);
  }
}

/** The reason in words for an error code of the system. */
export function reasonOf(code: string): string {
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
