import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of the computations, or of the jobs, of a process. */
export function computing(of: number, file: 'compute' | 'job' = 'compute'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        const parent = Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))![1]);
        return parent === of && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(`${file}Process.js`);
      } catch {
        return false;
      }
    });
}
