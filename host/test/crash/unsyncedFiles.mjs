/**
 * A file layer for power cuts: keeps an image of what a disk would hold of a folder. Loaded by `--import` before the program. A write
 * reaches the image when its file is synced, and a new, renamed or deleted name when its file or folder is synced. `DISK_FOLDER` and
 * `DISK_IMAGE` have the same content at the start.
 */

import { createRequire, syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';

const fs = createRequire(import.meta.url)('fs');
const real = { ...fs };
const { DISK_FOLDER: FOLDER, DISK_IMAGE: IMAGE } = process.env;
const PAGE = 4096;

/** The path in the image of each file that it holds, by inode. */
const held = new Map();
/** Pages written since the last sync, by inode; `all` for a whole file. */
const dirty = new Map();

const inode = (path) => real.lstatSync(path, { throwIfNoEntry: false })?.ino;
/** The path in the image; null for a path outside the folder. */
const imageOf = (path) =>
  path === FOLDER || path.startsWith(`${FOLDER}/`) ? IMAGE + path.slice(FOLDER.length) : null;

function hold(folder) {
  for (const entry of real.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) hold(path);
    else held.set(inode(path), imageOf(path));
  }
}

const forget = (ino) => {
  held.delete(ino);
  dirty.delete(ino);
};

/** Gives the image of a file its present name. Creates an empty file if the image has none. */
function place(ino, image) {
  const before = held.get(ino);
  if (before === image) return;
  for (const [other, path] of held) if (path === image) held.delete(other);
  real.mkdirSync(dirname(image), { recursive: true });
  if (before === undefined) {
    real.writeFileSync(image, '');
    dirty.set(ino, 'all');
  } else real.renameSync(before, image);
  held.set(ino, image);
}

function syncFile(path, image, { ino, size }) {
  place(ino, image);
  const pages = dirty.get(ino) ?? new Set();
  dirty.delete(ino);
  if (pages === 'all') return real.copyFileSync(path, image);
  const [from, to] = [real.openSync(path, 'r'), real.openSync(image, 'r+')];
  const page = Buffer.alloc(PAGE);
  for (const number of pages) {
    const bytes = real.readSync(from, page, 0, PAGE, number * PAGE);
    real.writeSync(to, page, 0, bytes, number * PAGE);
  }
  real.ftruncateSync(to, size);
  real.closeSync(from);
  real.closeSync(to);
}

function syncFolder(path, image) {
  real.mkdirSync(image, { recursive: true, mode: real.statSync(path).mode });
  const names = new Set();
  for (const entry of real.readdirSync(path, { withFileTypes: true })) {
    names.add(entry.name);
    const [own, its] = [join(path, entry.name), join(image, entry.name)];
    if (entry.isDirectory()) moveFolder(own, its);
    else place(inode(own), its);
  }
  for (const name of real.readdirSync(image))
    if (!names.has(name)) real.rmSync(join(image, name), { recursive: true });
}

/** Folders are held by their paths: a renamed one is found by a file in it. */
function moveFolder(own, its) {
  if (real.existsSync(its)) return;
  const [file] = real.readdirSync(own).filter((name) => real.lstatSync(join(own, name)).isFile());
  const before = file === undefined ? undefined : held.get(inode(join(own, file)));
  if (before === undefined) return real.mkdirSync(its, { mode: real.statSync(own).mode });
  const old = dirname(before);
  real.renameSync(old, its);
  for (const [ino, path] of held) if (path.startsWith(`${old}/`)) held.set(ino, its + path.slice(old.length));
}

/** Writes to the image what a sync of this open file promises. */
function sync(descriptor) {
  const path = real.readlinkSync(`/proc/self/fd/${descriptor}`);
  const image = imageOf(path);
  if (image === null || !real.existsSync(path)) return;
  const stat = real.fstatSync(descriptor);
  if (stat.isDirectory()) syncFolder(path, image);
  else syncFile(path, image, stat);
}

function written(ino, position, bytes) {
  const pages = dirty.get(ino) ?? new Set();
  if (pages === 'all') return;
  for (let page = Math.floor(position / PAGE); page * PAGE < position + bytes; page++) pages.add(page);
  dirty.set(ino, pages);
}

fs.writeSync = (descriptor, data, offset, length, position) => {
  const bytes = real.writeSync(descriptor, data, offset, length, position);
  const { ino } = real.fstatSync(descriptor);
  if (typeof position === 'number') written(ino, position, bytes);
  else dirty.set(ino, 'all');
  return bytes;
};
for (const name of ['writeFileSync', 'truncateSync'])
  fs[name] = (path, ...rest) => {
    real[name](path, ...rest);
    dirty.set(inode(path), 'all');
  };
fs.ftruncateSync = (descriptor, ...rest) => {
  real.ftruncateSync(descriptor, ...rest);
  dirty.set(real.fstatSync(descriptor).ino, 'all');
};
fs.openSync = (path, flags, ...rest) => {
  const descriptor = real.openSync(path, flags, ...rest);
  const isCut = typeof flags === 'string' ? flags.startsWith('w') : (flags & fs.constants.O_TRUNC) !== 0;
  if (isCut) dirty.set(real.fstatSync(descriptor).ino, 'all');
  return descriptor;
};
fs.unlinkSync = (path) => {
  const ino = inode(path);
  real.unlinkSync(path);
  forget(ino);
};
fs.renameSync = (from, to) => {
  const replaced = inode(to);
  real.renameSync(from, to);
  if (replaced !== undefined) forget(replaced);
};
for (const name of ['fsyncSync', 'fdatasyncSync'])
  fs[name] = (descriptor) => {
    real[name](descriptor);
    sync(descriptor);
  };
syncBuiltinESMExports();
if (real.existsSync(FOLDER)) hold(FOLDER);
