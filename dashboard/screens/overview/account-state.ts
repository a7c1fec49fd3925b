import type { Project } from '../metrics/project-card.tsx';

/** How far an account is. */
export interface AccountState {
  name: string;
  /** Title of the page; without one, the name. */
  title: string;
  isVisible: boolean;
  hasBio: boolean;
  hasLink: boolean;
  /** Number of blocks of the page. */
  blocks: number;
  /** Name of the theme of the page. */
  theme: string;
  /** The first ones. */
  projects: readonly Project[];
  hasMetric: boolean;
  /** Whether the owner can log in again. */
  canLogInAgain: boolean;
}
