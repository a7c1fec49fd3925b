/** Bundles the screens for operators into one chunk. */
export { Appearance } from './appearance/appearance.tsx';
export { LegalTexts } from './appearance/legal-texts.tsx';
export { Addresses } from './addresses/addresses.tsx';
export { Groups } from './groups/groups.tsx';
export { AddMembers } from './invitations/add-members.tsx';
export { Invitations } from './invitations/invitations.tsx';
export { FirstDay } from './server/first-day.tsx';
export { Members } from './members/members.tsx';
export { WriteToMembers } from './messages/messages.tsx';
export { Reports } from './reports/reports.tsx';
export { Server } from './server/server.tsx';
export { Websites } from './websites/websites.tsx';
