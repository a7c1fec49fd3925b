import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import { PageTitle } from '../parts/page-title.tsx';
import { visits } from '../router.ts';

/** Keeps a screen that throws from taking the navigation with it; the next visit tries again. */
export function ErrorBoundary({ title, children }: { title: string; children: ComponentChildren }) {
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
