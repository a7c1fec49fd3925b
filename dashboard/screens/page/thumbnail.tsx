import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Sandbox of preview frames. Nothing in them runs, but this window can read them. */
export const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** Called when the preview of the page is there for the first time. */
export let startThumbnails: () => void;

/** Renderings wait for the preview and for each other: the page at work is not to stutter for them. */
let queue = new Promise<void>((resolve) => (startThumbnails = resolve));
let count = 0;

/** The page with a change, small: rendered by what renders pages once it comes into sight. */
export function Thumbnail({ site }: { site: string }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useSignal(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) isNear.value = true;
      },
      { threshold: 0.5 },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <div ref={place} class="thumb" inert>
      {isNear.value && <ThumbnailFrame key={site} site={site} />}
    </div>
  );
}

function ThumbnailFrame({ site }: { site: string }) {
  const name = useRef(`thumb-${(count += 1)}`).current;
  const form = useRef<HTMLFormElement>(null);
  const isPosted = useRef(false);
  const finish = useRef<() => void>(() => undefined);
  useEffect(() => {
    const isDone = new Promise<void>((resolve) => (finish.current = resolve));
    queue = queue.then(() => {
      if (!form.current) return;
      isPosted.current = true;
      form.current.submit();
      return isDone;
    });
    // A thumb that is gone holds up nobody.
    return () => finish.current();
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
        <input type="hidden" name="site" value={site} />
      </form>
      <iframe
        name={name}
        title="Theme"
        tabIndex={-1}
        sandbox={SANDBOX}
        onLoad={(event) => {
          if (!isPosted.current) return;
          // A refusal is no picture of a theme.
          const isPage = event.currentTarget.contentDocument?.querySelector('main.h-card');
          if (isPage) event.currentTarget.classList.add('shown');
          finish.current();
        }}
      />
    </>
  );
}
