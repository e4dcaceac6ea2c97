/** Tells a database that is away, which passes, from an error that does not. */

/** SQLSTATE classes 08 (connection), 53 (resources, such as disk), 57P (shutdown), 25006 (read-only); codes of Node. */
const CODES = /^(?:08|53|57P|25006$)|^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOSPC|ETIMEDOUT)$/;
/** Messages of `pg` for a broken connection; these errors have no code. */
const BROKEN =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying)/;

export function isUnavailable(error: unknown): boolean {
  const { code, syscall, message } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && CODES.test(code)) return true;
  // PostgreSQL's socket file is missing, or its host name is unknown.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return BROKEN.test(String(message));
}
