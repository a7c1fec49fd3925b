import { computed, signal } from '@preact/signals';

const DASHBOARD = '/dashboard/';
const FOR_ACCOUNT = /^\/dashboard\/for\/([\da-f-]{36})\//;

/** The account that this document acts for, if it is not that of the person. */
export const actingFor = FOR_ACCOUNT.exec(location.pathname)?.[1];
const BASE_PATH = actingFor === undefined ? DASHBOARD : pathFor(actingFor);

/** The dashboard of another account, which is another document. */
export function pathFor(accountId: string): string {
  return `${DASHBOARD}for/${accountId}/`;
}

/** Forms send no headers. */
export const PREVIEW_PATH = `${DASHBOARD}preview${actingFor ? `?account=${actingFor}` : ''}`;

function isInside({ pathname }: URL): boolean {
  return pathname.startsWith(BASE_PATH) && (actingFor !== undefined || !FOR_ACCOUNT.test(pathname));
}

const currentUrl = signal(new URL(location.href));
/** Number of navigations to another path since the document was loaded. */
export const navigationCount = signal(0);
/** Number of clicks on links to the screen that is open. Home loads again. */
export const revisitCount = signal(0);

/** Path after `/dashboard/`, without leading or trailing slashes. */
export const currentPath = computed(() =>
  currentUrl.value.pathname.slice(BASE_PATH.length).replace(/^\/+|(?<!\/)\/+$/g, ''),
);
export const query = computed(() => currentUrl.value.searchParams);
export const fragment = computed(() => currentUrl.value.hash.slice(1));

/** A path that begins with a slash leads to a page of this server outside the dashboard. */
export function dashboardHref(path: string): string {
  return path.startsWith('/') ? path : BASE_PATH + path;
}

/** Navigates to a path. `replace` overwrites the current history entry. */
export function navigate(path: string, { replace = false } = {}): void {
  const nextUrl = new URL(dashboardHref(path), location.origin);
  if (!isInside(nextUrl)) return leave(nextUrl);
  const isNewPath = nextUrl.pathname !== currentUrl.peek().pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', nextUrl);
  setUrl(nextUrl);
  if (isNewPath) scrollTo(0, 0);
}

let isLeaving = false;

/** Once: another navigation would abort this one, and its page may be there for one request only. */
function leave(nextUrl: URL): void {
  if (!isLeaving) location.replace(nextUrl);
  isLeaving = true;
}

function setUrl(next: URL): void {
  const isNewPath = next.pathname !== currentUrl.value.pathname;
  currentUrl.value = next;
  if (isNewPath) navigationCount.value += 1;
}

/** Handles links within the dashboard and back/forward without reloading the document. */
export function handleNavigation(): void {
  addEventListener('popstate', () => setUrl(new URL(location.href)));
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || link.target) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const target = new URL(link.href);
    if (target.origin !== location.origin || !isInside(target)) return;
    if (target.hash && target.pathname === location.pathname) return;
    event.preventDefault();
    if (target.href === location.href) {
      revisitCount.value += 1;
      return;
    }
    navigate(target.href.slice(target.origin.length + BASE_PATH.length));
    scrollTo(0, 0);
  });
}
