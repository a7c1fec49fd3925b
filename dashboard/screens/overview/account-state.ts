import type { Project } from '../metrics/project-card.tsx';

/** What the first steps and the page card need to know. */
export interface AccountState {
  name: string;
  /** Title of the page, or the display name if it has none. */
  title: string;
  isVisible: boolean;
  hasBio: boolean;
  hasLink: boolean;
  blockCount: number;
  themeName: string;
  /** At most three. */
  projects: readonly Project[];
  hasMetric: boolean;
  /** Whether the account has a way to log in again, such as a passkey or a key. */
  canLogInAgain: boolean;
}
