import type { Project } from '../metrics/project-card.tsx';
import type { Forwarding } from '../mail/forwarding-text.ts';
import type { PageState, TodaysVisits } from './home-text.ts';

export interface AccountSummary extends PageState {
  /** The page's title, or the display name if it has none. */
  title: string;
  /** Whether the page is or was visible. */
  wasPublished: boolean;
  blockCount: number;
  hasPicture: boolean;
  today: TodaysVisits;
  /** Undefined if the server forwards no mail. */
  forwarding: Forwarding | undefined;
  projects: readonly Project[];
  hasMetric: boolean;
  isOperator: boolean;
  hasDeveloperTools: boolean;
  /** Whether the account has a way to log in again, such as a passkey or a key. */
  canLogInAgain: boolean;
}
