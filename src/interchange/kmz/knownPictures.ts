/** Small pictures for the platform's icons, drawn for this library. They are white with a dark edge, so that a style's colour tints them. */

/** PNG, 32 × 32 pixels, grey with transparency: a cross. */
const HOSPITAL =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAQAAADZc7J/AAAAU0lEQVR42mNgoCZQ+E8cpEgzDkMggsQCDCNI047FCFK1w4ygQDuKETQzADnMRw0gyQBCSXjUAHoYMJoSqWoA/UokigtVKhTrFFcsVKjaqFC5kgsAWw5riBmK6PsAAAAASUVORK5CYII=';

/** PNG, 32 × 32 pixels, grey with transparency: a scholar's cap. */
const SCHOOL =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAQAAADZc7J/AAAAaklEQVR42mNgoCZQ+E8cpEgzDkMggsQCDCNI047FCFK1w4ygQDuKETQ0ABbiZBmAHm0kGYAr7okygFACwmsAsamQdgYQ5wUFSgNx1IAhYgChbDzQBlC/RKK4UKVCsU5xxUKFqo0KlSu5AAAqQE3q27L4tAAAAABJRU5ErkJggg==';

/** PNG bytes by icon key. */
export function knownPictures(): Map<string, Uint8Array> {
  return new Map([
    ['hospital', bytesOf(HOSPITAL)],
    ['school', bytesOf(SCHOOL)],
  ]);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
}
