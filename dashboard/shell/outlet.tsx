import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useMemo } from 'preact/hooks';
import { probeServer, reportUnreachable } from '../api/connection.ts';
import { NameplateError } from '../../client/src/errors.ts';
import {
  Failure,
  Loading,
  outlineDelay,
  ScreenShapeContext,
} from '../components/async-content.tsx';
import { ScreenHeader } from '../components/screen-header.tsx';
import { Plate } from '../components/plate.tsx';
import { useAsync } from '../components/use-async.ts';
import { isOperator, loadCurrentAccount } from '../current-account.ts';
import { isScreenAvailable, findScreen, screens } from '../screens/screens.ts';
import { OPERATOR_STEP, putOff } from '../put-off.ts';
import { dashboardHref, currentPath, navigationCount } from '../router.ts';
import { t } from '../translate.ts';
import type { OutlineBox } from './measure-outline.ts';

/** After this time, a screen that is still loading is shown section by section. */
const REVEAL_AFTER_MS = 1_000;
const REMEMBER_AFTER_MS = 1_000;
/** Lets the open screen's requests go first. */
const PRELOAD_DELAY_MS = 2_000;

export function Outlet() {
  const screen = findScreen(currentPath.value);
  const loaded = useAsync(
    async () => ({ screen, Component: await screen?.load().catch(throwLoadError) }),
    [screen],
  );
  useEffect(() => void preloadScreens(), []);
  useEffect(
    () => (screen ? revealWhenLoaded(() => rememberOutline(screen.path)) : undefined),
    [screen],
  );
  useEffect(() => {
    if (screen?.isForOperators) putOff(OPERATOR_STEP);
  }, [screen]);
  if (!screen) return <NotFound title={t('No page here')} />;
  if (screen.isForOperators && isOperator.value === false)
    return <NotFound title={t('Only operators see this page.')} />;
  if (loaded.failure)
    return (
      <>
        <ScreenHeader title={screen.title} />
        <Failure state={loaded} />
      </>
    );
  const isUnchecked = screen.isForOperators && isOperator.value === undefined;
  const Component: ComponentType | undefined =
    loaded.value?.screen === screen ? loaded.value.Component : undefined;
  return (
    <ScreenShapeContext.Provider value={screen.shape ?? 'list'}>
      <RememberedOutline key={screen.path} path={screen.path} />
      {isUnchecked ? (
        <OperatorCheck title={screen.title} />
      ) : Component ? (
        <ErrorBoundary key={screen.path} title={screen.title}>
          <Component />
        </ErrorBoundary>
      ) : (
        <LoadingScreen title={screen.path && screen.title} />
      )}
    </ScreenShapeContext.Provider>
  );
}

/** The rest of the header comes with the screen. */
function LoadingScreen({ title = '' }: { title?: string }) {
  return (
    <>
      <div class="title">{title && <h1>{title}</h1>}</div>
      <Loading />
    </>
  );
}

const outlineKey = (path: string) => `nameplate-outline ${path} ${innerWidth}`;

/** Boxes and lines where they were the last time, until the screen has loaded. */
function RememberedOutline({ path }: { path: string }) {
  const stored = useMemo(() => localStorage.getItem(outlineKey(path)), []);
  const appearMs = useMemo(outlineDelay, []);
  if (stored === null) return null;
  const boxes: OutlineBox[] = JSON.parse(stored);
  return (
    <svg class="remembered" aria-hidden="true" style={{ '--appear': `${appearMs}ms` }}>
      {boxes.map(([kind, x, y, width, height, rx], index) =>
        kind === 'chart' ? (
          <path
            key={index}
            d="M0 6 50 4 100 5V10H0Z"
            transform={`translate(${x} ${y}) scale(${width! / 100} ${height! / 10})`}
          />
        ) : (
          <rect key={index} class={kind} {...{ x, y, width, height, rx }} />
        ),
      )}
    </svg>
  );
}

/** For the next time, as soon as the screen is quiet. */
function rememberOutline(path: string): () => void {
  const timer = setInterval(async () => {
    const { measureOutline } = await import('./measure-outline.ts');
    const main = document.getElementById('main')!;
    if (
      findScreen(currentPath.value)?.path !== path ||
      main.querySelector(':is(.loading, .failure)')
    )
      return;
    clearInterval(timer);
    localStorage.setItem(outlineKey(path), JSON.stringify(measureOutline(main)));
  }, REMEMBER_AFTER_MS);
  return () => clearInterval(timer);
}

/** The browser does not say why an import failed, so check whether the server is reachable. */
async function throwLoadError(): Promise<never> {
  await probeServer().catch(() => {
    throw reportUnreachable();
  });
  throw new NameplateError(t('Could not load this screen.'));
}

/** Loads the code of all screens while the browser is idle, so that they open when offline. */
async function preloadScreens(): Promise<void> {
  await delay(PRELOAD_DELAY_MS);
  for (const screen of screens) {
    await untilIdle();
    if (!isScreenAvailable(screen)) continue;
    await screen.load().catch(() => undefined);
  }
}

function untilIdle(): Promise<unknown> {
  return 'requestIdleCallback' in window
    ? new Promise((resolve) => requestIdleCallback(resolve))
    : delay(PRELOAD_DELAY_MS);
}

function delay(milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Hides a new screen until it has loaded. If that takes a long time, reveals its sections from top
 * to bottom, so that content never shifts. The CSS classes do the hiding.
 */
function revealWhenLoaded(onLoaded: () => () => void): () => void {
  const main = document.getElementById('main')!;
  let forget = () => {};
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    main.classList.remove('reveal-at-once', 'reveal-in-order');
    // A hidden field cannot have the focus.
    main.querySelector<HTMLElement>('[autofocus]')?.focus();
  };
  const observer = new MutationObserver(() => {
    const loading = main.querySelector('.loading');
    // The outline of a card with a part that is loading replaces the whole card, and that of the
    // editor is also beside its tabs.
    const waiting =
      main.querySelector('.editor:has(+ .loading)') ?? loading?.closest('.card') ?? loading;
    if (waiting) {
      const top = waiting.getBoundingClientRect().y - main.getBoundingClientRect().y;
      main.style.setProperty('--loaded', `${top}px`);
      return;
    }
    stop();
    forget = onLoaded();
  });
  const timer = setTimeout(
    () => main.classList.replace('reveal-at-once', 'reveal-in-order'),
    REVEAL_AFTER_MS,
  );
  main.classList.add('reveal-at-once');
  observer.observe(main, { childList: true, subtree: true });
  return () => {
    stop();
    forget();
  };
}

function OperatorCheck({ title }: { title: string }) {
  const account = useAsync(loadCurrentAccount);
  if (!account.failure) return <LoadingScreen title={title} />;
  return (
    <>
      <ScreenHeader title={title} />
      <Failure state={account} />
    </>
  );
}

function NotFound({ title }: { title: string }) {
  return (
    <div class="single-card">
      <div class="card">
        <Plate state="off">{`/dashboard/${currentPath.value}`}</Plate>
        <ScreenHeader title={title} />
        <div class="actions">
          <a class="button primary" href={dashboardHref('')}>
            {t('Go to Home')}
          </a>
        </div>
      </div>
    </div>
  );
}

/** Shows an error instead of a screen that throws. Resets on the next navigation. */
function ErrorBoundary({ title, children }: { title: string; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary(console.error);
  useEffect(reset, [navigationCount.value]);
  if (error === undefined) return children;
  return (
    <>
      <ScreenHeader title={title} />
      <div class="failure" role="alert">
        <p>
          {t('This screen has stopped working. Unsaved changes to your page are kept in this tab.')}
        </p>
        <button type="button" onClick={() => location.reload()}>
          {t('Reload')}
        </button>
      </div>
    </>
  );
}
