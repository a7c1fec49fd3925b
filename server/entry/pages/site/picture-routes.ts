import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PICTURE_ID_PATTERN, PICTURE_SIZES, type PictureSize } from '#contract/shared/pictures.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import {
  type PictureVisibility,
  findPictureFiles,
  findPictureVisibility,
  pictureKey,
} from '#db/queries/pictures.ts';
import type { Services } from '#server/features/services.ts';
import { findSignedInAccount } from '#server/platform/http/access/caller.ts';
import { ON_EVERY_HOST } from '#server/platform/http/access/hosts.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import {
  type Representation,
  createRepresentation,
  sendRepresentation,
  memorySize,
} from '#server/platform/http/responses/representation.ts';
import { batchLookup } from '#server/platform/limits/batch-lookup.ts';
import { looksAfter } from './looks-after.ts';
import { PAGE_NOT_FOUND } from './site-responder.ts';

const MAX_CACHE_BYTES = 16 * 1024 * 1024;
/** Per SQL statement. Files can be large. */
const STATE_BATCH_SIZE = 100;
const FILE_BATCH_SIZE = 16;

/** Browsers may show a deleted picture for this long, because the visitor has already seen it. */
const BROWSER_CACHE_SECONDS = 86_400;

const HEADERS = { ...securityHeaders(), 'cross-origin-resource-policy': 'cross-origin' };

interface PictureParams {
  Params: { picture: string; size: string };
}

/** Pictures never change. Who sees the page of their account sees them. */
export function registerPictureRoutes(server: FastifyInstance, app: Services): void {
  const { PAGE_CACHE_SECONDS: pageCacheSeconds } = app.config;
  const lookup = createPictureLookup(app.pageReadDb);
  // If `PAGE_CACHE_SECONDS` is 0, only the visitor's browser may cache pictures.
  const cacheControl =
    pageCacheSeconds > 0
      ? `public, max-age=${BROWSER_CACHE_SECONDS}, s-maxage=${pageCacheSeconds}, immutable`
      : `private, max-age=${BROWSER_CACHE_SECONDS}, immutable`;

  // On every host, because the dashboard shows pictures, too.
  server.get<PictureParams>(
    '/pictures/:picture/:size.webp',
    ON_EVERY_HOST,
    async (request, reply) => {
      const { picture: id, size: sizeParam } = request.params;
      const size = PICTURE_SIZES.find((candidate) => String(candidate) === sizeParam);
      if (!size || !PICTURE_ID_PATTERN.test(id)) throw PAGE_NOT_FOUND;
      const state = await lookup.state(id);
      if (!state) throw PAGE_NOT_FOUND;
      if (!state.visible) {
        const reader = await findSignedInAccount(request, app);
        const canSee =
          reader !== undefined &&
          (state.for_members ||
            (await looksAfter(app.pageReadDb, app.features, {
              actorId: reader,
              accountId: state.account_id,
            })));
        if (!canSee) throw PAGE_NOT_FOUND;
        reply.header('vary', 'cookie');
      }
      const file = await lookup.file(id, size);
      // The picture was deleted after the lookup above.
      if (!file) throw PAGE_NOT_FOUND;
      return sendRepresentation(
        request,
        reply,
        file,
        state.visible
          ? cacheControl
          : state.for_members
            ? 'private, no-store'
            : 'private, no-cache',
      );
    },
  );
}

/** Caches files, but not whether a picture is public. */
function createPictureLookup(readDb: ReadDatabase) {
  const findState = batchLookup<PictureVisibility>((ids) => findPictureVisibility(readDb, ids), {
    gate: 'pages',
    maxKeysPerBatch: STATE_BATCH_SIZE,
  });
  const findFile = batchLookup<Buffer>((keys) => findPictureFiles(readDb, keys), {
    gate: 'pages',
    maxKeysPerBatch: FILE_BATCH_SIZE,
  });
  const cache = new LRUCache<string, Representation>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: memorySize,
  });
  return {
    state: findState,
    file: async (id: string, size: PictureSize) => {
      const key = pictureKey(id, size);
      const cached = cache.get(key);
      if (cached) return cached;
      const body = await findFile(key);
      if (!body) return undefined;
      const content = { type: 'image/webp', headers: HEADERS, body };
      const file = await createRepresentation(content, 'identity');
      cache.set(key, file);
      return file;
    },
  };
}
