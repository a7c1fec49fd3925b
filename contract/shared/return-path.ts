/** Pages of the server to which a login can return: pages of members, and their list. */
export const RETURN_PATH = /^\/(?:@[\w@./-]+|members)$/;
