import type { Project } from '../metrics/project-card.tsx';

/** How far an account is. */
export interface AccountState {
  name: string;
  isVisible: boolean;
  hasBio: boolean;
  hasLink: boolean;
  /** The first ones. */
  projects: readonly Project[];
  hasMetric: boolean;
}
