/** The folder of the host's package: two folders above this module, and above the built chunk that contains it. */
export const HOST_FOLDER: URL = new URL('../../', import.meta.url);
