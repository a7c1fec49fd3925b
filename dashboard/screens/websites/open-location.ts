/** Lines for Apache that open the page after the sign-out, unless the protected path would be below it. */
export function openLocation(redirectUri: string, signedOutUri: string | undefined): string {
  if (signedOutUri === undefined) return '';
  const { origin, pathname: path } = new URL(signedOutUri);
  const callback = new URL(redirectUri);
  const folder = path.endsWith('/') ? path : `${path}/`;
  if (callback.origin !== origin || callback.pathname.startsWith(folder)) return '';
  return `
<Location ${path}>
  AuthType none
  Require all granted
</Location>`;
}
