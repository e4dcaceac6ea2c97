/** Distinguishes an unavailable database, which is temporary, from other errors. */

/** SQLSTATE classes 08 (connection), 53 (resources, such as disk) and 57P (shutdown), 25006 (read-only), and codes of Node. */
const CODES = /^(?:08|53|57P|25006$)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOSPC|ETIMEDOUT)$/;
/** Messages of `pg` for a broken connection; these errors have no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying)/;

export function isUnavailable(error: unknown): boolean {
  const { code, syscall, message } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && CODES.test(code)) return true;
  // Covers a missing socket file of PostgreSQL and an unknown host name.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return BROKEN.test(String(message));
}
