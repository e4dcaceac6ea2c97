import { computing } from './computing.js';

/** Work that never ends by itself, on any machine: the process that gets its input is stopped (SIGSTOP). */
export interface EndlessWork {
  /** The input, which stops the one process that was started since `endlessWork`. */
  readonly input: () => AsyncGenerator<string>;
  /** Resolves when the process is stopped. */
  readonly begun: Promise<void>;
}

export function endlessWork(file: 'compute' | 'job'): EndlessWork {
  const before = new Set(computing(process.pid, file));
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    async *input() {
      for (const id of computing(process.pid, file)) if (!before.has(id)) process.kill(id, 'SIGSTOP');
      begin();
      yield '';
    },
    begun,
  };
}
