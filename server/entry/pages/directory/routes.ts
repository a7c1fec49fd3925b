import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import {
  countDirectory,
  type DirectoryEntry,
  type DirectoryQuery,
  type LetterCount,
  listDirectory,
} from '#db/queries/directory.ts';
import { listDirectoryGroups } from '#db/queries/groups.ts';
import { PAGE_POLICY } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import { newestListedAccount } from '#server/features/sites/listed-from.ts';
import { findSignedInAccount, readCookieAgain } from '#server/platform/http/access/caller.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { FairQueue } from '#server/platform/limits/fair-queue.ts';
import { PAGE_NOT_FOUND } from '../site/site-responder.ts';
import {
  DIRECTORY_STYLE,
  renderDirectory,
  renderMembersOnly,
  type DirectoryPage,
} from './directory-page.ts';

const ENTRIES_PER_PAGE = 60;
const MAX_PAGE = 1_000;
const MAX_SEARCH_LENGTH = 100;

const CACHE_HEADERS = { 'cache-control': 'private, no-store', vary: 'cookie' };

interface DirectoryRequest {
  Querystring: { q?: unknown; page?: unknown; group?: unknown };
}

/**
 * The list of members. Not cached, so that members leave it at once. Only their number by letter, if
 * they fill more than one page, may be a minute old: counting reads all.
 */
export function registerDirectoryRoute(server: FastifyInstance, app: Services): void {
  const { config, instanceStore, pageReadDb } = app;
  // A search reads all names, so few run at once, in turns of the networks that ask.
  const queue = new FairQueue({
    gate: 'pages',
    maxRunning: 2,
    maxWaiting: 200,
    waitTimeoutMs: 2_000,
  });
  const counts = new LRUCache<string, LetterCount[], DirectoryQuery>({
    max: 100,
    ttl: MINUTE_MS,
    fetchMethod: (_key, _stale, { context }) => countDirectory(pageReadDb, context),
  });
  const readPage = async (query: DirectoryQuery, page: number) => {
    const offset = (page - 1) * ENTRIES_PER_PAGE;
    const entries = await listDirectory(pageReadDb, { ...query, limit: ENTRIES_PER_PAGE, offset });
    const isComplete = page === 1 && entries.length < ENTRIES_PER_PAGE;
    const key = `${query.forMembers} ${query.groupId} ${query.search}`;
    const letters = isComplete
      ? countLetters(entries)
      : await counts.forceFetch(key, { context: query });
    return { entries, letters };
  };
  const headers = securityHeaders({
    ...PAGE_POLICY,
    'style-src': `'self' ${DIRECTORY_STYLE.cspSource}`,
    'img-src': `'self' ${config.PAGES_URL ?? ''}`.trim(),
  });

  server.get<DirectoryRequest>('/members', async (request, reply) => {
    const { directory } = instanceStore.current;
    if (directory === 'off') throw PAGE_NOT_FOUND;
    const isMember = (await findSignedInAccount(request, app)) !== undefined;
    reply.headers(CACHE_HEADERS);
    if (directory === 'members' && !isMember) {
      readCookieAgain(request, reply);
      return reply.send(renderMembersOnly(app, request.t, app.signUp));
    }
    reply.headers(headers);
    const { page, search } = readQuery(request);
    const joinedBefore = config.REGISTRATION === 'open' ? newestListedAccount(config) : new Date();
    // At a host of their own, pages for members are shown to nobody.
    const forMembers = isMember && config.PAGES_URL === undefined;
    const groups = app.features.off.includes('groups') ? [] : await listDirectoryGroups(pageReadDb);
    const group = groups.find(({ slug }) => slug === request.query.group);
    if (request.query.group !== undefined && !group) throw PAGE_NOT_FOUND;
    const found = await queue.run(clientNetwork(request), () =>
      readPage({ search, forMembers, joinedBefore, groupId: group?.id }, page),
    );
    const options: DirectoryPage = {
      ...found,
      groups,
      group,
      search,
      page,
      perPage: ENTRIES_PER_PAGE,
      isIndexable: directory === 'everybody' && search === '' && !group,
      isMember,
    };
    return reply.send(renderDirectory(app, request.t, options));
  });
}

function countLetters(entries: readonly DirectoryEntry[]): LetterCount[] {
  const counts = new Map<string, number>();
  for (const { letter } of entries) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].map(([letter, count]) => ({ letter, count }));
}

function readQuery({ query }: FastifyRequest<DirectoryRequest>) {
  const page = Number(query.page ?? 1);
  return {
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
    search: typeof query.q === 'string' ? query.q.trim().slice(0, MAX_SEARCH_LENGTH) : '',
  };
}
