import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '#dashboard/translate.ts';

/** Scripts do not run in preview frames, but the dashboard can read their documents. */
export const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

export let startThumbnails: () => void;

/** Thumbnails load one at a time, after the preview, so that they do not slow the editor down. */
let queue = new Promise<void>((resolve) => (startThumbnails = resolve));
let count = 0;

export function Thumbnail({ siteJson }: { siteJson: string }) {
  const container = useRef<HTMLDivElement>(null);
  const wasVisible = useSignal(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) wasVisible.value = true;
      },
      { threshold: 0.5 },
    );
    observer.observe(container.current!);
    return () => observer.disconnect();
  }, [wasVisible]);
  return (
    <div ref={container} class="thumb" inert>
      {wasVisible.value && <ThumbnailFrame key={siteJson} siteJson={siteJson} />}
    </div>
  );
}

function ThumbnailFrame({ siteJson }: { siteJson: string }) {
  const name = useRef(`thumb-${(count += 1)}`).current;
  const form = useRef<HTMLFormElement>(null);
  const isPosted = useRef(false);
  const resolveLoaded = useRef<() => void>(() => undefined);
  useEffect(() => {
    const loaded = new Promise<void>((resolve) => (resolveLoaded.current = resolve));
    queue = queue.then(() => {
      if (!form.current) return;
      isPosted.current = true;
      form.current.submit();
      return loaded;
    });
    // An unmounted thumbnail must not block the queue.
    return () => resolveLoaded.current();
  }, []);
  return (
    <>
      <form
        ref={form}
        method="post"
        action="/dashboard/preview"
        target={name}
        encType="text/plain"
        hidden
      >
        <input type="hidden" name="site" value={siteJson} />
      </form>
      <iframe
        name={name}
        title={t('Theme')}
        tabIndex={-1}
        scrolling="no"
        sandbox={SANDBOX}
        onLoad={(event) => {
          if (!isPosted.current) return;
          // Do not show an error page as a thumbnail.
          const pageElement = event.currentTarget.contentDocument?.querySelector('main.h-card');
          if (pageElement) event.currentTarget.classList.add('shown');
          resolveLoaded.current();
        }}
      />
    </>
  );
}
