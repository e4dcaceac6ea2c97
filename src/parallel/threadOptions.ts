/** The options of worker threads that run this folder's own files. */

/**
 * Nothing, so that a thread takes over Node's own options of the caller. Given as a list, Node refuses those of the whole process and of V8
 * (`--max-old-space-size`). It takes `--input-type` (`node --input-type=module -e …`) over too and then refuses to run a file: such a program's
 * threads have no options.
 */
export function threadOptions(): { readonly execArgv?: string[] } {
  const { execArgv } = process;
  return execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};
}
