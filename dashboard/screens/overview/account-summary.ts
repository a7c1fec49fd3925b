import type { TodaysVisits } from './lead.tsx';
import type { Project } from '../metrics/project-card.tsx';

export interface AccountSummary {
  name: string;
  /** The page's title, or the display name if it has none. */
  title: string;
  isVisible: boolean;
  /** Whether the page is or was visible. */
  wasPublished: boolean;
  blockCount: number;
  hasPicture: boolean;
  today: TodaysVisits;
  projects: readonly Project[];
  hasMetric: boolean;
  isOperator: boolean;
  hasDeveloperTools: boolean;
  /** Whether the account has a way to log in again, such as a passkey or a key. */
  canLogInAgain: boolean;
}
