const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id as it is stored: a UUID in lower case (RFC 9562 section 4), another id as it is. */
export function storedId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}
