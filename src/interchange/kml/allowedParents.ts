/** The parents that KML 2.3 (OGC 12-007r2) and Google's extensions allow for elements with positions, times and names. */

const CONTAINERS = ['kml', 'Document', 'Folder'];
const GEOMETRY = ['Placemark', 'MultiGeometry'];
const RING = ['outerBoundaryIs', 'innerBoundaryIs'];

const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kml', []],
  ['Document', CONTAINERS],
  ['Folder', CONTAINERS],
  ['Placemark', CONTAINERS],
  ['Point', GEOMETRY],
  ['LineString', GEOMETRY],
  ['LinearRing', [...GEOMETRY, ...RING]],
  ['Polygon', GEOMETRY],
  ['MultiGeometry', GEOMETRY],
  ['MultiTrack', GEOMETRY],
  ['Track', [...GEOMETRY, 'MultiTrack']],
  ['outerBoundaryIs', ['Polygon']],
  ['innerBoundaryIs', ['Polygon']],
  ['coordinates', ['Point', 'LineString', 'LinearRing', ...RING]],
  // Custom elements in ExtendedData may have these names.
  ['when', ['Track', 'TimeStamp', 'ExtendedData']],
  ['coord', ['Track', 'ExtendedData']],
  ['angles', ['Track', 'ExtendedData']],
]);

/** Fields of a Document, Folder or Placemark, and the elements in which they are lost. */
const FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'styleUrl', 'TimeStamp', 'TimeSpan']);
const WITHOUT_FIELDS: ReadonlySet<string> = new Set([
  ...[...PARENTS.keys()].filter((name) => !['Document', 'Folder', 'Placemark'].includes(name)),
  'name',
  'Data',
  'Style',
]);

/** The parents that KML allows for an element, if `parent` is not one of them; else null. */
export function allowedParents(name: string, parent: string): string | null {
  if (FIELDS.has(name) || (name === 'ExtendedData' && parent === 'kml'))
    return WITHOUT_FIELDS.has(parent) ? 'Document, Folder, Placemark' : null;
  const allowed = PARENTS.get(name);
  if (allowed === undefined || allowed.includes(parent)) return null;
  return allowed.length === 0 ? 'nothing' : allowed.join(', ');
}
