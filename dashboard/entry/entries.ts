/** Where links lead that sign in, also another account than the one that is signed in. */
export const ENTRIES: ReadonlySet<string> = new Set(['login', 'invitation', 'registration']);
