import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useLayoutEffect } from 'preact/hooks';
import { NameplateError } from '#client/errors.ts';
import { probeServer, reportUnreachable } from '../api/connection.ts';
import { Failure, Loading, ScreenShapeContext } from '../components/async-content.tsx';
import { Plate } from '../components/plate.tsx';
import { ScreenHeader } from '../components/screen-header.tsx';
import { useAsync } from '../components/use-async.ts';
import { isOperator, loadCurrentAccount } from '../current-account.ts';
import { OPERATOR_STEP, putOff } from '../put-off.ts';
import { currentPath, dashboardHref, navigate, navigationCount, query } from '../router.ts';
import { movedPath } from '../screens/activity/path.ts';
import { screens } from '../screens/screens.ts';
import { t } from '../translate.ts';
import { findScreen, isForOperators, isScreenAvailable, isScreenOn } from './screen-groups.ts';

/** Lets the open screen's requests go first. */
const PRELOAD_DELAY_MS = 2_000;

export function Outlet() {
  const moved = movedPath(currentPath.value, query.value);
  useLayoutEffect(() => {
    if (moved !== undefined) navigate(moved, { replace: true });
  }, [moved]);
  const screen = findScreen(moved === undefined ? currentPath.value : 'activity');
  const needsOperator = screen !== undefined && isForOperators(screen);
  const loaded = useAsync(async () => screen?.load().catch(throwLoadError), [screen]);
  useEffect(() => void preloadScreens(), []);
  useEffect(() => {
    if (needsOperator) putOff(OPERATOR_STEP);
  }, [needsOperator]);
  if (!screen) return <NotFound title={t('No page here')} />;
  if (!isScreenOn(screen)) return <NotFound title={t('This server does not offer this.')} />;
  if (needsOperator && isOperator.value === false)
    return <NotFound title={t('Only operators see this page.')} />;
  if (loaded.failure)
    return (
      <>
        <ScreenHeader title={screen.title} />
        <Failure state={loaded} />
      </>
    );
  const isUnchecked = needsOperator && isOperator.value === undefined;
  const Component: ComponentType | undefined = loaded.value;
  return (
    <ScreenShapeContext.Provider value={screen.shape ?? 'list'}>
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

/** The browser does not say why an import failed, so check whether the server is reachable. */
export async function throwLoadError(): Promise<never> {
  await probeServer().catch(() => {
    throw reportUnreachable();
  });
  throw new NameplateError(t('Could not load this screen.'));
}

/** Loads the code of all screens, so that they open while the server cannot be reached. */
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
