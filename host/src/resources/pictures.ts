/** Pictures of custom geozone types: the original as received, and a miniature. */

import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { notFound, requestError, WayzoneError } from 'wayzone';
import { type CustomGeozoneType, CustomGeozoneTypeSchema, type Photo } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { declare } from '../operation.js';
import { readRow, type WireRow, write } from '../storage/rows.js';
import { sendTag } from './etag.js';

const ID = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const SIZE = {
  type: 'object',
  required: ['id', 'size'],
  properties: { id: { type: 'string' }, size: { type: 'string', enum: ['original', 'small'] } },
};
/** Maximum width and height of a miniature. */
const SMALL_PIXELS = 64;
const MAX_PIXELS = 25_000_000;
const MAX_BYTES = 5_000_000;
const PARAM_TYPE = 'geozones';
/** Accepted formats, by the content of the picture. The declared media type is ignored. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

export function picturesResource(app: FastifyInstance, { storage }: Context): void {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_, body, done) =>
    done(null, body),
  );

  declare(app, {
    method: 'PUT',
    url: '/custom_geozone_types/:id/photo',
    summary: 'Sets the picture (PNG, JPEG, WebP or GIF, at most 5 MB) and creates its miniature',
    tags: ['custom geozone types'],
    minRole: 'ADMIN',
    params: ID,
    bodyLimit: MAX_BYTES,
    consumes: Object.values(MEDIA_TYPES),
    body: { type: 'string', format: 'binary' },
    answer: CustomGeozoneTypeSchema,
    async handler({ access, params, body }, reply) {
      const id = params['id']!;
      const original = await readPicture(body);
      const small = await miniatureOf(original);
      const [row, version] = await write(storage, access.companyId, async (writer) => {
        const { trx, companyId } = writer;
        const stored = await readRow(trx, 'custom_geozone_types', companyId, id);
        if (stored === null || stored.row.is_delete === true) throw notFound('custom_geozone_type', id);
        const next = {
          ...stored.row,
          photo: { original: photoOf(id, 'original', original), small: photoOf(id, 'small', small) },
        } as WireRow & Pick<CustomGeozoneType, 'photo'>;
        await writer.update('custom_geozone_types', next);
        await trx.deleteFrom('pictures').where('type_id', '=', id).execute();
        for (const [size, picture] of [
          ['original', original],
          ['small', small],
        ] as const)
          await trx
            .insertInto('pictures')
            .values({
              type_id: id,
              company_id: companyId,
              size,
              media_type: picture.mediaType,
              bytes: picture.bytes,
            })
            .execute();
        return [next, writer.version] as const;
      });
      sendTag(reply, version);
      return row;
    },
  });

  declare(app, {
    method: 'GET',
    url: '/custom_geozone_types/:id/photo/:size',
    summary: 'The picture, original or small',
    tags: ['custom geozone types'],
    minRole: 'VIEWER',
    takesTicket: true,
    params: SIZE,
    answer: { type: 'string', format: 'binary' },
    produces: Object.values(MEDIA_TYPES),
    async handler({ access, params }, reply) {
      const found = await storage.db
        .selectFrom('pictures')
        .select(['media_type', 'bytes'])
        .where('type_id', '=', params['id']!)
        .where('size', '=', params['size'] as 'small')
        .where('company_id', '=', access.companyId)
        .executeTakeFirst();
      if (found === undefined)
        throw requestError(404, 'expected the address of a picture, received an unknown one', 'id');
      return reply.type(found.media_type).send(Buffer.from(found.bytes));
    },
  });
}

async function readPicture(body: unknown): Promise<Picture> {
  if (!Buffer.isBuffer(body)) throw invalid('none');
  const { format, width, height } = await sharp(body, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch(() => {
      throw invalid('another file');
    });
  const mediaType = MEDIA_TYPES[format];
  if (mediaType === undefined) throw invalid(format);
  return { bytes: body, mediaType, width, height };
}

async function miniatureOf({ bytes }: Picture): Promise<Picture> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .rotate()
    .resize(SMALL_PIXELS, SMALL_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw invalid('a broken one');
    });
  return { bytes: data, mediaType: 'image/png', width: info.width, height: info.height };
}

function invalid(received: string): WayzoneError {
  return new WayzoneError(
    'format-unknown',
    'file',
    `expected a PNG, JPEG, WebP or GIF picture, received ${received}`,
  );
}

function photoOf(id: string, size: string, { width, height }: Picture): Photo {
  return { url: `/api_v1/custom_geozone_types/${id}/photo/${size}`, width, height, param_type: PARAM_TYPE };
}
