import type { LegalUrls } from './instance.ts';
import type { OptionalFeature } from './optional-features.ts';

/** Facts that the server writes into the document of the dashboard, to save a request. */
export interface DashboardFacts {
  /** Lets the dashboard notice a login to another account in another window. */
  accountId: string | undefined;
  /** Their operations respond with 404. */
  featuresOff: readonly OptionalFeature[];
  canMailLoginLinks: boolean;
  /** The name of the single sign-on provider, if there is one. */
  ssoProvider: string | undefined;
  isSignUpOpen: boolean;
  takesApplications: boolean;
  /** Whether a name is also a mail address. */
  forwardsMail: boolean;
  /** Days before others can claim a released name whose page was visible. */
  quarantineDays: number;
  /** Set if public pages have a separate host. */
  pagesUrl: string | undefined;
  instance: PublicInstance;
}

/** What the sign-in screens and the navigation show of this installation. */
interface PublicInstance extends LegalUrls {
  name: string | null;
  logo_id: string | null;
  dark_logo_id: string | null;
  contact: string | null;
  /** Of the club's theme, if there is one. */
  theme_fonts?: string | null | undefined;
}
