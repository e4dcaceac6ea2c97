/** The unit id in the name of a file. */

/** The name of a file without its folder and extensions. */
export function nameOfFile(fileName: string | undefined): string | null {
  if (fileName === undefined) return null;
  const base = fileName
    .replace(/^.*[/\\]/, '')
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '');
  return base === '' ? null : base;
}
