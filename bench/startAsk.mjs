// `node startAsk.mjs wayzone|flatbush`: finds the zones of 1,000 positions among 1,000 polygons, once, and prints the number of hits.
// bench/start.ts measures the process.
const COUNT = 1000;
/** Member i of a sequence spread evenly over 0 to 1: the fractional parts of multiples of the golden ratio. */
const spread = (i) => (i * 0.618_033_988_749_894_9) % 1;

/** Stars of 4 to 63 vertices, about 0.5 to 2 km across, in a square of 20 km. */
const rings = Array.from({ length: COUNT }, (_, i) => {
  const vertices = 4 + (i % 60);
  const ring = Array.from({ length: vertices }, (_, k) => {
    const angle = (2 * Math.PI * k) / vertices;
    const reach = (0.25 + 0.75 * spread(i + k)) * 0.01;
    return [spread(i) * 0.2 + reach * Math.cos(angle), spread(7 * i + 1) * 0.2 + reach * Math.sin(angle)];
  });
  return [...ring, ring[0]];
});
const positions = new Float64Array(2 * COUNT).map((_, i) => 0.2 * spread(13 * (i >> 1) + (i & 1) * 5000));

const WAYS = {
  wayzone: async () => {
    const { ZoneIndex } = await import('../dist/index.js');
    const type = { key: 'polygon' };
    const zones = new ZoneIndex(rings.map((geometry, id) => ({ id: `${id}`, type, geometry })));
    return zones.atMany(positions).zones.length;
  },
  flatbush: async () => {
    const [{ default: Flatbush }, { default: pointInPolygon }] = await Promise.all([
      import('flatbush'),
      import('point-in-polygon-hao'),
    ]);
    const tree = new Flatbush(COUNT);
    for (const ring of rings) {
      const [x, y] = [ring.map(([lon]) => lon), ring.map(([, lat]) => lat)];
      tree.add(Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y));
    }
    tree.finish();
    let hits = 0;
    for (let i = 0; i < positions.length; i += 2) {
      const position = [positions[i], positions[i + 1]];
      hits += tree
        .search(...position, ...position)
        .filter((zone) => pointInPolygon(position, [rings[zone]]) !== false).length;
    }
    return hits;
  },
};

process.stdout.write(`${await WAYS[process.argv[2]]()}\n`);
