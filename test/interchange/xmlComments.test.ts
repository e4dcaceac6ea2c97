import { describe, expect, test } from 'vitest';
import { fromKml, readKml } from '../../src/interchange/index.js';
import { MAX_COMMENT_LENGTH } from '../../src/interchange/xml/xmlComments.js';

const FILE =
  '<?xml version="1.0"?><!-- a\n > <kml> --><kml><!----><Document><!-- \n\n --><name>A<!-- x -->B &lt;!-- c</name>' +
  '<Placemark><name><![CDATA[<!-- kept --> ]]></name><description a=">"><!-- <b> --></description><?pi <!-- ?>' +
  '<Point><coordinates>1,2</coordinates></Point></Placemark>\n<Placemark/></Document></kml><!-- end -->';

describe('comments of XML', () => {
  test('are removed and all other text stays, for any split into chunks', async () => {
    const whole = fromKml(FILE);
    expect(whole.value).toMatchObject({
      document: { name: 'AB <!-- c' },
      zones: [{ name: '<!-- kept -->' }],
    });
    expect(whole.issues).toMatchObject([{ code: 'geometry-missing', line: 5 }]);
    const bytes = new TextEncoder().encode(FILE);
    for (let cut = 301; cut < bytes.length; cut++) {
      expect(await readKml([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    for (const step of [1, 2, 3, 5]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
        bytes.subarray(i * step, (i + 1) * step),
      );
      expect(await readKml(pieces)).toEqual(whole);
    }
  });

  test.each([
    ['two hyphens in it', '<kml><!-- a -- b --></kml>', 'xml-malformed'],
    ['three at its end', '<kml><!-- a ---></kml>', 'xml-malformed'],
    ['in a tag', '<kml <!-- a --> ></kml>', 'xml-malformed'],
    ['without an end', '<kml><!-- a ', 'xml-truncated'],
    ['cut in its mark', '<kml><!-', 'xml-truncated'],
  ])('a comment with %s is an issue', (_, text, code) => {
    expect(fromKml(text).issues).toMatchObject([{ code, severity: 'error' }]);
  });

  test('a long comment gives limit-text while it is read, and ends the reading of the source', async () => {
    const most = `<kml><!--${'x\n'.repeat(MAX_COMMENT_LENGTH / 2 - 1)}--></kml>`;
    expect(fromKml(most).issues).toEqual([]);
    const bytes = new TextEncoder().encode(most.replace('-->', 'y'.repeat(9)));
    let asked = 0;
    function* chunks(): Generator<Uint8Array> {
      yield bytes;
      for (; asked < 10_000; asked++) yield new Uint8Array(65_536).fill(0x20);
    }
    const { issues } = await readKml(chunks());
    expect(issues).toMatchObject([{ code: 'limit-text', severity: 'error' }]);
    expect(asked).toBeLessThan(3);
    expect(fromKml(`<kml><?p ${'x'.repeat(MAX_COMMENT_LENGTH)}?></kml>`).issues).toMatchObject([
      { code: 'limit-text' },
    ]);
  });
});
