import type { ComponentType } from 'preact';
import { LINES } from '../parts/icon-lines.ts';

/** A screen of the dashboard. */
export interface Screen {
  /** Its place: what follows `/dashboard/` in its address; what lies below belongs to it, too. */
  place: string;
  title: string;
  /** Lines of a picture of 16 by 16, drawn with a pen. */
  icon: string;
  /** Whether it is in reach at once where there is little room. */
  isTab?: boolean;
  /** Whether it is for operators alone. */
  isForOperators?: boolean;
  load: () => Promise<ComponentType>;
}

/** Screens by what they are about, in the order of the navigation. Their code is loaded when they are opened. */
export const screenGroups: readonly { title: string; screens: readonly Screen[] }[] = [
  {
    title: '',
    screens: [
      {
        place: '',
        title: 'Home',
        icon: 'M2 7.5 8 2l6 5.5M3.5 6.5V14h9V6.5M6.5 14v-4h3v4',
        isTab: true,
        load: async () => (await import('./overview/overview.tsx')).Overview,
      },
      {
        place: 'page',
        title: 'Page',
        icon: LINES.page,
        isTab: true,
        load: async () => (await import('./page/page.tsx')).PageEditor,
      },
      {
        place: 'visitors',
        title: 'Visitors',
        icon: 'M6 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 6 8M1 14v-.7A3.3 3.3 0 0 1 4.3 10h3.4a3.3 3.3 0 0 1 3.3 3.3v.7M10.7 2.8a2.7 2.7 0 0 1 0 5M15 14v-.7a3.3 3.3 0 0 0-2.5-3.2',
        isTab: true,
        load: async () => (await import('./visitors/visitors.tsx')).Visitors,
      },
    ],
  },
  {
    title: 'Data',
    screens: [
      {
        place: 'metrics',
        title: 'Metrics',
        icon: 'M2 2v12h12M5.5 11.5V9M8.7 11.5V3.5M12 11.5V6',
        isTab: true,
        load: async () => (await import('./metrics/metrics.tsx')).Metrics,
      },
      {
        place: 'events',
        title: 'Events',
        icon: 'M1.5 8h3L6.3 2.5l3.4 11L11.5 8h3',
        load: async () => (await import('./account.ts')).Events,
      },
      {
        place: 'keys',
        title: 'Keys',
        icon: LINES.key,
        load: async () => (await import('./account.ts')).Keys,
      },
    ],
  },
  {
    title: 'Settings',
    screens: [
      {
        place: 'domains',
        title: 'Domains',
        icon: LINES.link,
        load: async () => (await import('./account.ts')).Domains,
      },
      {
        place: 'mail',
        title: 'Mail',
        icon: LINES.mail,
        load: async () => (await import('./account.ts')).Mail,
      },
      {
        place: 'chat',
        title: 'Chat',
        icon: LINES.message,
        load: async () => (await import('./account.ts')).Chat,
      },
      {
        place: 'security',
        title: 'Security',
        icon: 'M8 1.5 13.5 4v4c0 3.2-2.4 5.5-5.5 6.5C4.9 13.5 2.5 11.2 2.5 8V4zM6 8l1.5 1.5 3-3',
        load: async () => (await import('./account.ts')).Security,
      },
    ],
  },
  {
    title: 'Server',
    screens: [
      {
        place: 'operator',
        title: 'Operator',
        icon: 'M2 3h12v4H2zM2 9h12v4H2zM4.5 5v.01M4.5 11v.01M7 5h4M7 11h4',
        isForOperators: true,
        load: async () => (await import('./operator/operator.tsx')).Operator,
      },
    ],
  },
];

/** Every screen. */
export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);

/** The screen that a place belongs to. */
export function screenOf(place: string): Screen | undefined {
  return screens.find((screen) =>
    screen.place === '' ? place === '' : `${place}/`.startsWith(`${screen.place}/`),
  );
}

/** Whether a screen is shown to somebody; `isOperator` is undefined until it is known. */
export function isShown(screen: Screen, isOperator: boolean | undefined): boolean {
  return !screen.isForOperators || isOperator === true;
}
