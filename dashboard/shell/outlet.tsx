import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { lookForServer, unreachable } from '../api/connection.ts';
import { NameplateError } from '../../client/src/errors.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Plate } from '../parts/plate.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { isOperator, loadOperatorRights } from '../operator-rights.ts';
import { isShown, screenOf, screens } from '../screens/screens.ts';
import { addressOf, place, visits } from '../router.ts';

/** Time after which a screen no longer waits for all that it shows, in milliseconds. */
const WHOLE_WITHIN_MS = 1_000;
/** Delay of the loading ahead: what the open page asks for goes first. */
const PRELOAD_AFTER_MS = 2_000;

/** The page that is open. */
export function Outlet() {
  const page = screenOf(place.value);
  const code = useLoaded(
    async () => ({ of: page, Page: await page?.load().catch(withoutCode) }),
    [page],
  );
  useEffect(() => void preloadPages(), []);
  useEffect(() => (page ? comeAsAWhole() : undefined), [page]);
  if (!page || (page.isForOperators && isOperator.value === false)) return <Nowhere />;
  if (page.isForOperators && isOperator.value === undefined) return <Rights title={page.title} />;
  if (code.failure)
    return (
      <>
        <PageTitle title={page.title} />
        <Failure of={code} />
      </>
    );
  const Page: ComponentType | undefined = code.value?.of === page ? code.value.Page : undefined;
  if (!Page) return <Loading />;
  return (
    <ErrorBoundary key={page.place} title={page.title}>
      <Page />
    </ErrorBoundary>
  );
}

/** Tells why the code of a page does not come, which the browser does not say: the server is away, or too busy. */
async function withoutCode(): Promise<never> {
  await lookForServer().catch(() => {
    throw unreachable();
  });
  throw new NameplateError('Could not load this screen.');
}

/**
 * Loads the code of all pages, one after the other when there is nothing else to do, so that they open
 * without a connection.
 */
async function preloadPages(): Promise<void> {
  await delay(PRELOAD_AFTER_MS);
  for (const page of screens) {
    await idle();
    if (!isShown(page, isOperator.peek())) continue;
    await page.load().catch(() => undefined);
  }
}

function idle(): Promise<unknown> {
  return 'requestIdleCallback' in window
    ? new Promise((resolve) => requestIdleCallback(resolve))
    : delay(PRELOAD_AFTER_MS);
}

function delay(milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Shows a screen at once when all of it is there; one that takes long part by part, each when all
 * above it is there. Nothing moves what is on the screen.
 */
function comeAsAWhole(): () => void {
  const main = document.getElementById('main')!;
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    main.classList.remove('arriving', 'in-order');
  };
  const observer = new MutationObserver(() => {
    if (!main.querySelector('.loading')) end();
  });
  const timer = setTimeout(() => main.classList.replace('arriving', 'in-order'), WHOLE_WITHIN_MS);
  main.classList.add('arriving');
  observer.observe(main, { childList: true, subtree: true });
  return end;
}

/** Asks whether the screen is for the account that is signed in. */
function Rights({ title }: { title: string }) {
  const rights = useLoaded(loadOperatorRights);
  if (!rights.failure) return <Loading />;
  return (
    <>
      <PageTitle title={title} />
      <Failure of={rights} />
    </>
  );
}

function Nowhere() {
  return (
    <div class="entry">
      <div class="card">
        <Plate state="off">Nobody here</Plate>
        <PageTitle title="No page here" />
        <div class="actions">
          <a class="button primary" href={addressOf('')}>
            Go to Home
          </a>
        </div>
      </div>
    </div>
  );
}

/** Replaces a screen that throws, but not the navigation; the next visit tries again. */
function ErrorBoundary({ title, children }: { title: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(console.error);
  useEffect(reset, [visits.value]);
  if (error === undefined) return children;
  return (
    <>
      <PageTitle title={title} />
      <div class="failure" role="alert">
        <p>This screen has stopped working. Unsaved changes to your page are kept in this tab.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </>
  );
}
