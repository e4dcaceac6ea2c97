import { execFileSync } from 'node:child_process';

/** Installs the packages of tools/package.json, with which some tests compare; `npm ci` leaves them out. Takes no time if they are there. */
export default function installTools(): void {
  execFileSync(process.execPath, ['tools/install.mjs'], { stdio: 'inherit' });
}
