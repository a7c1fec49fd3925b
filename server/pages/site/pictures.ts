import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PICTURE_ID_PATTERN, PICTURE_SIZES, type PictureSize } from '#contract/pictures.ts';
import type { Reads } from '#db/connections/databases.ts';
import {
  type PictureState,
  findPictureFiles,
  findPictureStates,
  pictureKey,
} from '#db/queries/pictures.ts';
import { AT_EVERY_HOST } from '#server/http/access/own-host.ts';
import { signedInAccount } from '#server/http/access/signed-in.ts';
import { securityHeaders } from '#server/http/answers/headers.ts';
import {
  type Representation,
  represent,
  sendRepresentation,
  sizeOf,
} from '#server/http/answers/representation.ts';
import { batchLookup } from '#server/limits/batch-lookup.ts';
import type { PageDependencies } from '../dependencies.ts';
import { PAGE_UNKNOWN } from './site-answers.ts';

/** Limit of the files that are kept in memory, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Pictures that one statement looks up, and files, which may be large. */
const STATES = 100;
const FILES = 16;

/** Time for which a browser shows a picture without asking again, in seconds: who has it has seen it. */
const BROWSER_SECONDS = 86_400;

const HEADERS = { ...securityHeaders(), 'cross-origin-resource-policy': 'cross-origin' };

interface Wanted {
  Params: { picture: string; size: string };
}

/** The pictures of pages. They never change, and are there as long as the page of their account is. */
export function pictureFiles(scope: FastifyInstance, dependencies: PageDependencies): void {
  const { reads, pageCacheSeconds } = dependencies;
  const find = pictureLookup(reads);
  // Without a time for shared caches only the visitor's own browser may keep it.
  const cacheControl =
    pageCacheSeconds > 0
      ? `public, max-age=${BROWSER_SECONDS}, s-maxage=${pageCacheSeconds}, immutable`
      : `private, max-age=${BROWSER_SECONDS}, immutable`;

  // The dashboard shows them, too.
  scope.get<Wanted>('/pictures/:picture/:size.webp', AT_EVERY_HOST, async (request, reply) => {
    const { picture: id, size: named } = request.params;
    const size = PICTURE_SIZES.find((one) => String(one) === named);
    if (!size || !PICTURE_ID_PATTERN.test(id)) throw PAGE_UNKNOWN;
    const state = await find.state(id);
    if (!state) throw PAGE_UNKNOWN;
    if (!state.visible) {
      const owner = await signedInAccount(request, dependencies);
      if (owner !== state.account_id) throw PAGE_UNKNOWN;
    }
    const file = await find.file(id, size);
    // Deleted meanwhile.
    if (!file) throw PAGE_UNKNOWN;
    return sendRepresentation(
      request,
      reply,
      file,
      state.visible ? cacheControl : 'private, no-cache',
    );
  });
}

/** Looks up pictures in batches; files are kept, states are not. */
function pictureLookup(reads: Reads) {
  const findState = batchLookup<PictureState>((ids) => findPictureStates(reads, ids), {
    gate: 'pages',
    limit: STATES,
  });
  const findFile = batchLookup<Buffer>((keys) => findPictureFiles(reads, keys), {
    gate: 'pages',
    limit: FILES,
  });
  const kept = new LRUCache<string, Representation>({
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });
  return {
    state: findState,
    file: async (id: string, size: PictureSize) => {
      const key = pictureKey(id, size);
      const known = kept.get(key);
      if (known) return known;
      const body = await findFile(key);
      if (!body) return undefined;
      const content = { type: 'image/webp', headers: HEADERS, body };
      const file = await represent(content, 'identity');
      kept.set(key, file);
      return file;
    },
  };
}
