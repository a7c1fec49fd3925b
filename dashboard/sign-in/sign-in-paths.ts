/** Paths of the sign-in screens. With a token, they are also shown to a signed-in user. */
export const SIGN_IN_PATHS: ReadonlySet<string> = new Set([
  'login',
  'invitation',
  'registration',
  'application',
  'withdrawal',
]);
