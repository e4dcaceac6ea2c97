/** The folder of the package: two folders above this module, and above the built chunk that contains it. */
export const PACKAGE_ROOT: URL = new URL('../../', import.meta.url);
