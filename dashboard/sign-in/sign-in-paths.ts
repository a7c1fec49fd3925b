/** Paths of the sign-in screens. They are shown even if the user is already signed in. */
export const SIGN_IN_PATHS: ReadonlySet<string> = new Set(['login', 'invitation', 'registration']);
