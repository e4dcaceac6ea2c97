/**
 * Installs the packages of tools/package.json, and links them and their commands into node_modules. Checks, benches and mutation use them,
 * and some tests; building and running wayzone does not. Does nothing if they are there.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const TOOLS = import.meta.dirname;
const ROOT = dirname(TOOLS);
const list = Object.entries(manifest(TOOLS).dependencies);

if (!list.every(isIn(ROOT))) {
  if (!list.every(isIn(TOOLS))) {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, error } = spawnSync('npm', ['ci', '--prefix', TOOLS, ...options], { stdio: 'inherit' });
    if (error) throw error;
    if (status !== 0) process.exit(status ?? 1);
  }
  for (const [name] of list) {
    link(name);
    for (const command of commandsOf(name)) link(`.bin/${command}`);
  }
}

function manifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Whether a folder has a package at its listed version. */
function isIn(folder) {
  return ([name, version]) => {
    try {
      return manifest(join(folder, 'node_modules', name)).version === version;
    } catch {
      return false;
    }
  };
}

function commandsOf(name) {
  const { bin = {} } = manifest(join(TOOLS, 'node_modules', name));
  return typeof bin === 'string' ? [name.split('/').at(-1)] : Object.keys(bin);
}

function link(path) {
  const place = join(ROOT, 'node_modules', path);
  mkdirSync(dirname(place), { recursive: true });
  if (lstatSync(place, { throwIfNoEntry: false })) rmSync(place, { recursive: true });
  symlinkSync(relative(dirname(place), join(TOOLS, 'node_modules', path)), place);
}
