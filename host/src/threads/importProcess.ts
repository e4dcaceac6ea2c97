/**
 * Reads uploaded files, one after another, in a process of its own: a file that needs more memory than the limit ends this process, where
 * it would end the whole host from a thread.
 */

import { importJob } from './importJob.js';
import type { FromImport, ToImport } from './importProcesses.js';
import { lowerPriority } from './lowerPriority.js';
import { type PipeMessage, pipeOver } from './pipe.js';

const send = (message: FromImport): void => void process.send?.(message);

let current = 0;
let receive: (message: PipeMessage) => void = () => {};

process.on('message', (sent: ToImport) => {
  const { job } = sent;
  if ('options' in sent) {
    current = job;
    const pipe = pipeOver({
      onMessage(listener) {
        receive = listener;
      },
      // The process ends with the host.
      onClose: () => {},
      post: (message) => send({ job, message }),
      close: () => {},
    });
    importJob(pipe, sent.options).then(
      (value) => pipe.end(value),
      (error: unknown) => pipe.fail(error),
    );
  } else if (job === current) receive(sent.message);
});
process.on('disconnect', () => process.exit());
lowerPriority();
send('ready');
