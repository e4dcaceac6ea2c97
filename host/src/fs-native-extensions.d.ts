/** The function of `fs-native-extensions` that the host uses; the package has no types. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock of an open file (`fcntl` with `F_OFD_SETLK` on Linux). `false`: another open file holds it. */
  export function tryLock(descriptor: number): boolean;
}
