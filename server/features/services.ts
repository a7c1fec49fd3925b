import type { Core } from '../core.ts';
import type { AllFeatures } from './define-feature.ts';
import type { Backups } from './backups/backups.ts';
import type { ChatService } from './chat/chat-service.ts';
import type { Receivers } from './connections/receivers.ts';
import type { CoverFetcher } from './covers/cover-fetcher.ts';
import type { CustomDomains } from './domains/custom-domains.ts';
import type { ForwardingService } from './forwarding/forwarding.ts';
import type { PageMetrics } from './metrics/page-metrics.ts';
import type { ReservedNameCheck } from './names/reserved-names.ts';
import type { PageFetcher } from './page-import/page-fetcher.ts';
import type { PasskeyChallenges } from './passkeys/passkey-challenges.ts';
import type { Authentication } from './sessions/authentication.ts';
import type { SignOnProvider } from './sign-on/sign-on.ts';
import type { SignUpService } from './sign-up/sign-up-service.ts';

/** `Core` and what features add to it, for entry points. A feature names only what it needs. */
export interface Services extends Core {
  isReserved: ReservedNameCheck;
  features: AllFeatures;
  forwarding: ForwardingService;
  chat: ChatService;
  /** The HTTP client of connections, with a share for each account and host. */
  receivers: Receivers;
  /** Undefined if `BACKUP_DIR` is `off`. */
  backups: Backups | undefined;
  pageFetcher: PageFetcher;
  coverFetcher: CoverFetcher;
  /** Undefined if custom domains are off. */
  customDomains: CustomDomains | undefined;
  /** Undefined if single sign-on is off. */
  signOn: SignOnProvider | undefined;
  authentication: Authentication;
  passkeyChallenges: PasskeyChallenges;
  pageMetrics: PageMetrics;
  signUps: SignUpService;
}
