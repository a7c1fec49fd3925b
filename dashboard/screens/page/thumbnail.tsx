import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { CustomTheme } from '#contract/custom-theme.ts';
import { SANDBOX } from '#dashboard/components/posted-preview.tsx';
import { PREVIEW_PATH } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { MAIN_COLORS, type DesignColors, type MainColors } from '#page/themes/main-colors.ts';
import { themes } from './current-draft.ts';
import './thumbnail.css';

export let startThumbnails: () => void;

/** Thumbnails load one at a time, after the preview, so that they do not slow the editor down. */
let queue = new Promise<void>((resolve) => (startThumbnails = resolve));
let count = 0;

interface ThumbnailProps {
  siteJson: string;
  /** Name or id of a preset theme, or id of a look. Anything else is the default theme. */
  design: string | null;
  custom?: CustomTheme | undefined;
  /** Scrolls to the links, instead of showing the top of the page. */
  showsLinks?: boolean;
}

export function Thumbnail({ siteJson, design, custom, showsLinks = false }: ThumbnailProps) {
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
    <div
      ref={container}
      class={showsLinks ? 'thumb at-links' : 'thumb'}
      style={sketchColors(design, custom)}
      inert
    >
      <svg viewBox="0 0 80 100">
        <circle class="faint" cx="21" cy="21" r="9" fill="currentcolor" />
        <path d="M13 40h32" />
        <path class="faint" d="M13 50h50M13 58h34" />
        <path class="link" d="M17 75h46M17 92h46" />
      </svg>
      {wasVisible.value && (
        <ThumbnailFrame key={siteJson} siteJson={siteJson} showsLinks={showsLinks} />
      )}
    </div>
  );
}

const DESIGN_COLORS: Readonly<Record<string, DesignColors>> = MAIN_COLORS;

/** Colors of the sketch that is shown until the page is loaded. */
function sketchColors(design: ThumbnailProps['design'], custom: CustomTheme = {}) {
  const preset = themes.value.find(({ id, name }) => design === id || design === name);
  const presetColors = preset && {
    bg: preset.settings.backgroundColor,
    text: preset.settings.textColor,
    accent: preset.settings.accentColor,
  };
  const colors: DesignColors =
    DESIGN_COLORS[(preset?.name ?? design ?? '').toLowerCase()] ??
    (preset ? {} : MAIN_COLORS.default);
  const light: MainColors =
    colors.head ?? colors.light ?? presetColors ?? MAIN_COLORS.default.light;
  const dark = colors.head ?? colors.dark ?? light;
  return {
    '--bg': custom.background_color ?? `light-dark(${light.bg}, ${dark.bg})`,
    color: custom.text_color ?? `light-dark(${light.text}, ${dark.text})`,
    '--link':
      custom.accent_color ??
      `light-dark(${light.accent ?? light.text}, ${dark.accent ?? dark.text})`,
  };
}

const SPACE_ABOVE_LINK_PX = 32;

function ThumbnailFrame({ siteJson, showsLinks }: Pick<ThumbnailProps, 'siteJson' | 'showsLinks'>) {
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
        action={PREVIEW_PATH}
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
          const link = showsLinks && pageElement?.querySelector('.link');
          if (link)
            event.currentTarget.contentWindow!.scrollTo(
              0,
              link.getBoundingClientRect().top - SPACE_ABOVE_LINK_PX,
            );
          resolveLoaded.current();
        }}
      />
    </>
  );
}
