import { useEffect, useRef } from 'preact/hooks';

const FRAME = 'page-picture';

/** The page as it is, in a small telephone: a picture, drawn when there is nothing else to do. */
export function PagePicture() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const draw = () => form.current?.submit();
    if (!('requestIdleCallback' in window)) return draw();
    const handle = requestIdleCallback(draw);
    return () => cancelIdleCallback(handle);
  }, []);
  return (
    <div class="page-picture" inert>
      <form
        ref={form}
        method="post"
        action="/dashboard/preview"
        encType="text/plain"
        target={FRAME}
        hidden
      >
        <input type="hidden" name="site" value="{}" />
      </form>
      <iframe name={FRAME} title="Your page" sandbox="allow-same-origin" tabIndex={-1} />
    </div>
  );
}
