/** The name of an operation for generated clients. */

/** `getUnitsByIdTrack` of `GET /units/:id/track`: the method, the words of the address, and `By` before a parameter. */
export function operationIdOf(method: string, url: string): string {
  const words = url
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? `By${titled(part.slice(1))}` : titled(part)));
  return `${method.toLowerCase()}${words.join('')}`;
}

function titled(part: string): string {
  return part
    .split(/[_-]/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
}
