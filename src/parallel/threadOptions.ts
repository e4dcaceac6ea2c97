/** The options of worker threads that run this folder's own files. */

/**
 * Node's own options for a thread: those of the caller, without the ones that say how to read the caller's program.
 * Node refuses `--input-type` (`node --input-type=module -e …`) for a thread that runs a file.
 */
export function threadOptions(): { readonly execArgv: string[] } {
  const { execArgv } = process;
  return {
    execArgv: execArgv.filter(
      (option, i) => !option.startsWith('--input-type') && execArgv[i - 1] !== '--input-type',
    ),
  };
}
