/** Bundles the small account screens into one chunk. */
export { ConnectedApps } from './connected-apps/connected-apps.tsx';
export { Connections } from './connections/connections.tsx';
export { Domains } from './domains/domains.tsx';
export { Keys } from './keys/keys.tsx';
export { Keep } from './keepers/keep.tsx';
export { Keepers } from './keepers/keepers.tsx';
export { Mail } from './mail/mail.tsx';
export { Settings } from './settings/settings.tsx';
