import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { signIns } from '../../session.ts';
import { unsaved } from './draft.ts';
import { forPreview } from './for-preview.ts';
import { useSettled } from './use-settled.ts';

const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/**
 * The page as it would be, made by what makes the page. Each change is posted into a frame of its own,
 * which takes the place of the one before when it is there: so nothing flickers, where one had
 * scrolled to stays, and going back does not go through previews.
 */
export function Preview() {
  const site = useSettled(JSON.stringify(forPreview(unsaved())));
  const form = useRef<HTMLFormElement>(null);
  const frames = useSignal<readonly number[]>([]);
  const shown = useSignal(0);
  const count = useRef(0);
  const posted = useRef(0);
  const refused = useSignal('');
  useEffect(() => {
    count.current += 1;
    frames.value = [...frames.peek().filter((id) => id === shown.peek()), count.current];
  }, [site, signIns.value, frames, shown]);
  const newest = frames.value.at(-1);
  useEffect(() => {
    if (newest === undefined || posted.current === newest) return;
    posted.current = newest;
    form.current!.target = nameOf(newest);
    form.current!.submit();
  }, [newest]);
  const arrive = (id: number, frame: HTMLIFrameElement) => {
    // An empty frame says so, too.
    if (posted.current !== id || frame.contentWindow?.location.pathname !== '/dashboard/preview')
      return;
    const content = frame.contentDocument;
    refused.value = content?.querySelector('main.h-card')
      ? ''
      : (content?.querySelector('h1')?.textContent ?? '');
    // What was refused is said; the last that was not stays.
    if (refused.value) {
      frames.value = frames.peek().filter((other) => other !== id);
      return;
    }
    const old = document.querySelector<HTMLIFrameElement>('.preview iframe.shown');
    if (old && old !== frame) frame.contentWindow.scrollTo(0, old.contentWindow?.scrollY ?? 0);
    shown.value = id;
    frames.value = [id];
  };
  return (
    <div class="preview">
      <form ref={form} method="post" action="/dashboard/preview" encType="text/plain" hidden>
        <input type="hidden" name="site" value={site} />
      </form>
      {refused.value && <p class="banner">{refused.value}</p>}
      {frames.value.map((id) => (
        <iframe
          key={id}
          name={nameOf(id)}
          title="Preview of your page"
          class={id === shown.value ? 'shown' : undefined}
          sandbox={SANDBOX}
          onLoad={(event) => arrive(id, event.currentTarget)}
        />
      ))}
    </div>
  );
}

function nameOf(id: number): string {
  return `preview-${id}`;
}
