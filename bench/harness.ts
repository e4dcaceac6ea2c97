/**
 * Compares contenders in one run, by processor time. All warm up and must give the same answers before any is timed; then they run in turns. Quote
 * ratios: absolute times depend on the machine.
 */

import { cpuMs } from './zoneTime.js';

export interface Contender {
  readonly name: string;
  /** Does the whole work once and returns a checksum of its answers. */
  run(): number;
}

export interface Timing {
  readonly name: string;
  readonly nsPerOperation: number;
  readonly ratio: number;
}

/** Medians of `rounds` alternating runs. Ratios are the contender's time over that of the first contender. */
export function compare(contenders: readonly Contender[], operations: number, rounds: number = 5): Timing[] {
  const sums = contenders.map((contender) => contender.run());
  for (let i = 1; i < sums.length; i++) {
    if (sums[i] !== sums[0]) {
      throw new Error(
        `expected the checksum ${sums[0]} of ${contenders[0]!.name}, received ${sums[i]} of ${contenders[i]!.name}`,
      );
    }
  }
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    contenders.forEach((contender, i) => {
      times[i]!.push((cpuMs(() => contender.run()) * 1e6) / operations);
    });
  }
  const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!);
  return contenders.map(({ name }, i) => ({
    name,
    nsPerOperation: medians[i]!,
    ratio: medians[i]! / medians[0]!,
  }));
}

export function table(title: string, timings: readonly Timing[]): string {
  const rows = timings.map(
    ({ name, nsPerOperation, ratio }) => `| ${name} | ${nsPerOperation.toFixed(0)} | ${ratio.toFixed(2)} |`,
  );
  return [`### ${title}`, '', '| | ns per operation | times the first |', '|---|---|---|', ...rows, ''].join(
    '\n',
  );
}
