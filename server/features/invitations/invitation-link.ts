/** The token is in the URL fragment, because browsers do not send fragments to the server. */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/invitation#${token}`;
}
