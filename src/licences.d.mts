export function packagesOf(metafile: unknown): string[];
