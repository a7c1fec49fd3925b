import type { ComponentType } from 'preact';

/** A screen of the dashboard. */
export interface Screen {
  /** Its place: what follows `/dashboard/` in its address; what lies below belongs to it, too. */
  place: string;
  title: string;
  /** Lines of a picture of 16 by 16, drawn with a pen. */
  icon: string;
  load: () => Promise<ComponentType>;
}

/** Every screen, in the order of the navigation. Their code is loaded when they are opened. */
export const screens: readonly Screen[] = [
  {
    place: '',
    title: 'Overview',
    icon: 'M2 7.5 8 2l6 5.5M3.5 6.5V14h9V6.5M6.5 14v-4h3v4',
    load: async () => (await import('./overview/overview.tsx')).Overview,
  },
  {
    place: 'page',
    title: 'Page',
    icon: 'M2.5 2.5h11v11h-11zM2.5 6h11M6 6v7.5',
    load: async () => (await import('./page/page.tsx')).PageEditor,
  },
  {
    place: 'metrics',
    title: 'Metrics',
    icon: 'M2 14h12M3.5 11V8M6.5 11V4M9.5 11V6M12.5 11V2',
    load: async () => (await import('./metrics/metrics.tsx')).Metrics,
  },
  {
    place: 'keys',
    title: 'Keys',
    icon: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2 12v2h3v-2h2v-2l1.3-1.2c.6.3 1.3.2 2.2.2M11 5.2v.1',
    load: async () => (await import('./account.ts')).Keys,
  },
  {
    place: 'mail',
    title: 'Mail',
    icon: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
    load: async () => (await import('./account.ts')).Mail,
  },
  {
    place: 'chat',
    title: 'Chat webhook',
    icon: 'M2.5 3h11v8H8l-3 3v-3H2.5zM5.5 6h5M5.5 8h3',
    load: async () => (await import('./account.ts')).Chat,
  },
  {
    place: 'events',
    title: 'Events',
    icon: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 4.5V8l2.5 1.5',
    load: async () => (await import('./account.ts')).Events,
  },
  {
    place: 'security',
    title: 'Security',
    icon: 'M8 1.5 13.5 4v4c0 3.2-2.4 5.5-5.5 6.5C4.9 13.5 2.5 11.2 2.5 8V4zM6 8l1.5 1.5 3-3',
    load: async () => (await import('./account.ts')).Security,
  },
];

/** The screen that a place belongs to. */
export function screenOf(place: string): Screen | undefined {
  return screens.find((screen) =>
    screen.place === '' ? place === '' : `${place}/`.startsWith(`${screen.place}/`),
  );
}
