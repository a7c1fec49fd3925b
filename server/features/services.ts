import type { AppWith, AppWithout } from './define-feature.ts';
import type { FEATURES } from './index.ts';

/**
 * `Core` and the services of all features, for entry points. Those of optional features are undefined
 * if they are off. A feature names only what it needs.
 */
export type Services = AppWithout<(typeof FEATURES)[number]>;

/** For features, which run only with those that they need. */
export type AllServices = AppWith<(typeof FEATURES)[number]>;
