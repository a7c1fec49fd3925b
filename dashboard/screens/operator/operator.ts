/** Bundles the screens for operators into one chunk. */
export { Appearance } from '../appearance/appearance.tsx';
export { LegalTexts } from '../appearance/legal-texts.tsx';
export { Addresses } from './addresses.tsx';
export { FirstDay } from './first-day.tsx';
export { Members } from './members.tsx';
export { Reports } from './reports.tsx';
export { Server } from './server.tsx';
