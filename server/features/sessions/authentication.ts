import type { App } from '#server/app.ts';
import { SessionChecker } from './session-checker.ts';
import { KeyChecker } from '../keys/key-checker.ts';

/** Caches nothing, so a revoked credential stops working at once. */
export class Authentication {
  readonly keys: KeyChecker;
  readonly sessions: SessionChecker;

  /** Lookups use `readDb`, so that blocked writes do not delay them. */
  constructor(app: Pick<App, 'db' | 'log' | 'readDb'>) {
    const onError = (error: unknown) => app.log.error(error);
    this.keys = new KeyChecker(app, onError);
    this.sessions = new SessionChecker(app, onError);
  }
}
