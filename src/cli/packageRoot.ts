/** The folder of the package. This module and the chunk that contains it once built lie two folders below it. */
export const PACKAGE_ROOT: URL = new URL('../../', import.meta.url);
