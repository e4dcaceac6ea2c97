/** Tiles of PostGIS by `ST_AsMVT`, from the database that `WAYZONE_POSTGIS` names, if it has the extension. */

import pg from 'pg';

export interface PostgisTiles {
  /** Asks for one tile and returns the wall time in ms. */
  tile(tile: { readonly z: number; readonly x: number; readonly y: number }): Promise<number>;
  close(): Promise<void>;
}

const ROWS = 1000;

/** Null without a database. The zones are in a temporary table with a GiST index, in EPSG:3857. */
export async function postgisTiles(collection: {
  readonly features: readonly { readonly geometry: object; readonly properties: unknown }[];
}): Promise<PostgisTiles | null> {
  const url = process.env['WAYZONE_POSTGIS'];
  if (url === undefined) return null;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS postgis');
  await client.query('CREATE TEMP TABLE zones (ordinal serial, name text, geom geometry)');
  for (let from = 0; from < collection.features.length; from += ROWS) {
    const part = collection.features.slice(from, from + ROWS);
    await client.query(
      'INSERT INTO zones (name, geom) SELECT n, ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(g), 4326), 3857) FROM unnest($1::text[], $2::text[]) AS t(n, g)',
      [
        part.map(({ properties }) => (properties as { name: string }).name),
        part.map(({ geometry }) => JSON.stringify(geometry)),
      ],
    );
  }
  await client.query('CREATE INDEX ON zones USING gist (geom)');
  await client.query('ANALYZE zones');
  return {
    async tile({ z, x, y }) {
      const start = performance.now();
      await client.query(
        `SELECT ST_AsMVT(t, 'zones', 4096, 'geom') FROM (
           SELECT name, ST_AsMVTGeom(geom, ST_TileEnvelope($1, $2, $3), 4096, 64) AS geom FROM zones
           WHERE geom && ST_TileEnvelope($1, $2, $3, margin => 64.0 / 4096)) t`,
        [z, x, y],
      );
      return performance.now() - start;
    },
    close: () => client.end(),
  };
}
