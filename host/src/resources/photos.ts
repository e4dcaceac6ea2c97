/** Pictures as the platform uploads them: the original as received, and a miniature. A custom geozone type then names their addresses. */

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { requestError, WayzoneError } from 'wayzone';
import type { CustomGeozoneType, Photo } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { formFiles } from '../http/addBodies.js';
import { refusal, rethrowBroken } from '../http/refusal.js';
import { type AuthorisedRequest, declare } from '../operation.js';
import type { Storage } from '../storage/storage.js';

const SIZE = {
  type: 'object',
  required: ['id', 'size'],
  properties: { id: { type: 'string' }, size: { type: 'string', enum: ['original', 'small'] } },
} as const;
const PHOTO = {
  type: 'object',
  required: ['id', 'url', 'width', 'height', 'param_type'],
  properties: {
    id: { type: 'string' },
    url: { type: 'string' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    param_type: { type: 'string' },
  },
};
/** Limits of the platform: the longest side of a picture and of a miniature, pixels. */
const MAX_SIDE = 3000;
const SMALL_SIDE = 110;
const MAX_BYTES = 5_000_000;
const PARAM_TYPE = 'geozones';
/** Accepted formats, by the content of the picture. The declared media type is ignored. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};
const ADDRESS = /^\/api_v1\/photos\/([\w-]{1,64})\/(original|small)$/;

interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly width: number;
  readonly height: number;
}

interface Multipart {
  isMultipart(): boolean;
}

export function photosResource(app: FastifyInstance, { storage }: Context): void {
  declare(app, {
    method: 'POST',
    url: '/upload_photos/geozones',
    summary:
      'Uploads a picture (PNG, JPEG, WebP or GIF, at most 5 MB and 3000x3000) and creates its miniature',
    tags: ['custom geozone types'],
    bodyLimit: MAX_BYTES,
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
    answer: { type: 'array', items: PHOTO, minItems: 2, maxItems: 2 },
    async handler(request) {
      const original = await readPicture(await bytesOf(request));
      const small = await miniatureOf(original);
      const id = randomUUID();
      const pictures = [
        ['original', original],
        ['small', small],
      ] as const;
      await storage.db
        .insertInto('pictures')
        .values(
          pictures.map(([size, { bytes, mediaType, width, height }]) => ({
            id,
            company_id: request.access.companyId,
            size,
            media_type: mediaType,
            width,
            height,
            bytes,
          })),
        )
        .execute();
      return pictures.map(([size, picture]) => ({ id, ...photoOf(id, size, picture) }));
    },
  });

  declare(app, {
    method: 'GET',
    url: '/photos/:id/:size',
    summary: 'The picture, original or small',
    tags: ['custom geozone types'],
    takesTicket: true,
    params: SIZE,
    answer: { type: 'string', format: 'binary' },
    produces: Object.values(MEDIA_TYPES),
    async handler({ access, params }, reply) {
      const found = await storage.db
        .selectFrom('pictures')
        .select(['media_type', 'bytes'])
        .where('id', '=', params.id)
        .where('size', '=', params.size)
        .where('company_id', '=', access.companyId)
        .executeTakeFirst();
      if (found === undefined)
        throw requestError(404, 'expected the address of a picture, received an unknown one', 'id');
      return reply.type(found.media_type).send(Buffer.from(found.bytes));
    },
  });
}

/** The type with the measures of its pictures. Throws 422 unless both photos have addresses of pictures that the company has uploaded. */
export async function withMeasures(
  { db }: Storage,
  companyId: string,
  type: CustomGeozoneType,
): Promise<CustomGeozoneType> {
  const photo = { ...type.photo };
  for (const size of ['original', 'small'] as const) {
    const { url } = photo[size];
    const [, id = '', named = ''] = ADDRESS.exec(url) ?? [];
    const found = await db
      .selectFrom('pictures')
      .select(['width', 'height'])
      .where('id', '=', id)
      .where('size', '=', named as 'small')
      .where('company_id', '=', companyId)
      .executeTakeFirst();
    if (found === undefined)
      throw new WayzoneError(
        'photo-foreign',
        `photo.${size}.url`,
        'expected the address of an uploaded picture, received another',
      );
    photo[size] = { ...photo[size], ...found, param_type: PARAM_TYPE };
  }
  return { ...type, photo };
}

async function bytesOf(request: AuthorisedRequest): Promise<Buffer> {
  const form = request as unknown as Multipart;
  if (!form.isMultipart())
    throw refusal(415, 'expected a body of multipart/form-data, received another media type');
  const files = formFiles(request, new Set(), MAX_BYTES);
  const part = await files.first();
  if (part === undefined) throw invalid('No File');
  const bytes = await part.toBuffer().catch(rethrowBroken);
  await files.checkEnd();
  return bytes;
}

/** A start without pictures need not load it: 0.1 s. */
async function loadSharp(): Promise<typeof import('sharp').default> {
  return (await import('sharp')).default;
}

async function readPicture(bytes: Buffer): Promise<Picture> {
  if (bytes.length === 0) throw invalid('No File');
  const sharp = await loadSharp();
  const { format, autoOrient } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw invalid('No Image');
    });
  // As browsers show it, turned by its EXIF orientation like the miniature.
  const { width, height } = autoOrient;
  const mediaType = MEDIA_TYPES[format];
  if (mediaType === undefined) throw invalid('No Image');
  if (width > MAX_SIDE || height > MAX_SIDE) throw invalid(`Image size exceeded ${MAX_SIDE}x${MAX_SIDE}`);
  return { bytes, mediaType, width, height };
}

async function miniatureOf({ bytes }: Picture): Promise<Picture> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    .rotate()
    .resize(SMALL_SIDE, SMALL_SIDE, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw invalid('No Image');
    });
  return { bytes: data, mediaType: 'image/png', width: info.width, height: info.height };
}

/** 422 with one of the platform's three messages. */
function invalid(message: string): WayzoneError {
  return new WayzoneError('format-unknown', 'file', message);
}

function photoOf(id: string, size: string, { width, height }: Picture): Photo {
  return { url: `/api_v1/photos/${id}/${size}`, width, height, param_type: PARAM_TYPE };
}
