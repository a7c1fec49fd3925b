import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isReachable, unreachable } from '../../api/connection.ts';
import { signIns } from '../../session.ts';
import { draft } from './current-draft.ts';
import type { Site } from './site.ts';
import { useDebounced } from './use-debounced.ts';

const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** An earlier version that the preview shows in place of the draft. */
export const viewed = signal<{ version: number; site: Site }>();

/**
 * The page as it would be, made by what makes the page. Each change is posted into a frame of its own,
 * which takes the place of the one before when it is there: so nothing flickers, where one had
 * scrolled to stays, and going back does not go through previews.
 */
export function Preview() {
  const site = useDebounced(JSON.stringify(viewed.value?.site ?? draft.unsaved()));
  const form = useRef<HTMLFormElement>(null);
  const frames = useSignal<readonly number[]>([]);
  const shown = useSignal(0);
  const count = useRef(0);
  const posted = useRef(0);
  const refused = useSignal('');
  const broken = useSignal<readonly string[]>([]);
  useEffect(() => {
    if (!isReachable.value) return;
    count.current += 1;
    frames.value = [...frames.peek().filter((id) => id === shown.peek()), count.current];
  }, [site, signIns.value, isReachable.value, frames, shown]);
  const newest = frames.value.at(-1);
  useEffect(() => {
    if (newest === undefined || posted.current === newest) return;
    posted.current = newest;
    form.current!.target = nameOf(newest);
    form.current!.submit();
  }, [newest]);
  const arrive = (id: number, frame: HTMLIFrameElement) => {
    // An empty frame says so, too.
    if (posted.current !== id || frame.contentWindow?.location.href === 'about:blank') return;
    const content = frame.contentDocument;
    refused.value = content?.querySelector('main.h-card')
      ? ''
      : (content?.querySelector('h1')?.textContent ?? '');
    // What was refused is said; the last that was not stays.
    if (refused.value) {
      frames.value = frames.peek().filter((other) => other !== id);
      return;
    }
    broken.value = [];
    watchPictures(content!, (address) => {
      if (!broken.peek().includes(address)) broken.value = [...broken.peek(), address];
    });
    const old = document.querySelector<HTMLIFrameElement>('.preview iframe.shown');
    if (old && old !== frame) frame.contentWindow!.scrollTo(0, old.contentWindow?.scrollY ?? 0);
    shown.value = id;
    frames.value = [id];
  };
  const load = (id: number, frame: HTMLIFrameElement) => {
    try {
      arrive(id, frame);
    } catch {
      // The browser's own error page, which no other page may read.
      frames.value = frames.peek().filter((other) => other !== id);
      unreachable();
    }
  };
  return (
    <div class="preview">
      <form ref={form} method="post" action="/dashboard/preview" encType="text/plain" hidden>
        <input type="hidden" name="site" value={site} />
      </form>
      <div class="notes" role="status">
        {viewed.value && (
          <p class="banner">
            Version {viewed.value.version}.{' '}
            <button type="button" class="link" onClick={() => (viewed.value = undefined)}>
              Back to your draft
            </button>
          </p>
        )}
        {refused.value && <p class="banner">{refused.value}</p>}
        {broken.value.map((address) => (
          <p key={address} class="banner">
            A picture cannot be loaded: {address}
          </p>
        ))}
      </div>
      {frames.value.map((id) => (
        <iframe
          key={id}
          name={nameOf(id)}
          title="Preview of your page"
          class={id === shown.value ? 'shown' : undefined}
          sandbox={SANDBOX}
          onLoad={(event) => load(id, event.currentTarget)}
        />
      ))}
      {!isReachable.value && <p class="veil">Preview paused</p>}
    </div>
  );
}

function nameOf(id: number): string {
  return `preview-${id}`;
}

/** Tells the addresses of pictures that cannot be loaded, also of those that are loaded when they come into sight. */
function watchPictures(content: Document, onBroken: (address: string) => void): void {
  for (const { complete, naturalWidth, src } of content.images)
    if (complete && naturalWidth === 0) onBroken(src);
  content.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof content.defaultView!.HTMLImageElement) onBroken(target.src);
    },
    true,
  );
}
