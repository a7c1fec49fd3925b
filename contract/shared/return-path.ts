/** Pages of the server to which a login can return: pages of members, their list, and sign-ins of other websites. */
export const RETURN_PATH = /^\/(?:@[\w@./-]+|members|oauth\/flow\/[\w-]+\/consent)$/;
