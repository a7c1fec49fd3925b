import { hostname, userInfo } from 'node:os';

/** Who runs this process: the operating system's user, and who became it by `sudo`. */
export function whoRunsThis(): string {
  const became = process.env['SUDO_USER'];
  return `${userName()}@${hostname()}${became ? ` (sudo by ${became})` : ''}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user that the system has no name for, as in containers.
    return `user ${process.getuid?.()}`;
  }
}
