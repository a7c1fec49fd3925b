import type { AppWith } from './define-feature.ts';
import type { FEATURES } from './index.ts';

/** `Core` and the services of all features, for entry points. A feature names only what it needs. */
export type Services = AppWith<(typeof FEATURES)[number]>;
