import { expect, test } from 'vitest';
import { fromKmz } from '../../src/interchange/index.js';
import { zip } from './zips.js';

const KML = '<kml><Placemark id="a"><Point><coordinates>1,2</coordinates></Point></Placemark></kml>';

test('the resource forks that macOS adds are not documents', () => {
  for (const files of [
    { '__MACOSX/._doc.kml': 'Mac OS X', 'doc.kml': KML },
    { '__MACOSX/a/._zones.kml': 'Mac OS X', 'a/zones.kml': KML },
    { '._zones.kml': 'Mac OS X', 'zones.kml': KML },
  ]) {
    const { value, issues } = fromKmz(zip(files));
    expect(issues).toEqual([]);
    expect(value.zones).toHaveLength(1);
  }
});

/** The file of one entry with the sizes of its local header in a ZIP64 field, as writers of streams put them. */
function withZip64(file: Buffer, wrong = 0): Buffer {
  const [packed, size, name] = [file.readUInt32LE(18), file.readUInt32LE(22), file.readUInt16LE(26)];
  const head = Buffer.from(file.subarray(0, 30 + name));
  head.writeUInt32LE(0xffffffff, 18);
  head.writeUInt32LE(0xffffffff, 22);
  head.writeUInt16LE(20, 28);
  const field = Buffer.alloc(20);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(16, 2);
  field.writeBigUInt64LE(BigInt(size + wrong), 4);
  field.writeBigUInt64LE(BigInt(packed), 12);
  const rest = Buffer.from(file.subarray(30 + name));
  const at = rest.length - 6;
  rest.writeUInt32LE(rest.readUInt32LE(at) + 20, at);
  return Buffer.concat([head, field, rest]);
}

test('sizes of a local header in a ZIP64 field are read, and must be those of the directory', () => {
  const file = zip({ 'doc.kml': KML });
  expect(fromKmz(withZip64(file))).toEqual(fromKmz(file));
  expect(fromKmz(withZip64(file)).value.zones).toHaveLength(1);
  expect(fromKmz(withZip64(file, 1)).issues).toMatchObject([{ code: 'kmz-corrupt' }]);
});
