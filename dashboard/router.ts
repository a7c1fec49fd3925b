import { computed, signal } from '@preact/signals';

const BASE = '/dashboard/';

const address = signal(new URL(location.href));
/** How often one went to another page; 0 is the page that the document was opened with. */
export const visits = signal(0);

/** Path behind `/dashboard/` in the address, without slashes at its ends. */
export const place = computed(() =>
  address.value.pathname.slice(BASE.length).replace(/^\/+|\/+$/g, ''),
);
/** Query string of the address. */
export const query = computed(() => address.value.searchParams);
/** Fragment that somebody came with. */
export const fragment = computed(() => address.value.hash.slice(1));

/** The address of a place in the dashboard. */
export function addressOf(to: string): string {
  return BASE + to;
}

/** Goes to a place in the dashboard; in the place of where one is, if it is only another state of it. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(addressOf(to), location.origin);
  history[replace ? 'replaceState' : 'pushState'](null, '', next);
  arrive(next);
}

function arrive(next: URL): void {
  const isElsewhere = next.pathname !== address.value.pathname;
  address.value = next;
  if (isElsewhere) visits.value += 1;
}

/** Follows links within the dashboard, and the browser's own back and forward, without loading it anew. */
export function followLinks(): void {
  addEventListener('popstate', () => arrive(new URL(location.href)));
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || link.target) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || !to.pathname.startsWith(BASE)) return;
    if (to.hash && to.pathname === location.pathname) return;
    event.preventDefault();
    if (to.href === location.href) return;
    go(to.href.slice(to.origin.length + BASE.length));
    scrollTo(0, 0);
  });
}
