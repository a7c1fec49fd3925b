/** Calls a user's callback. If it throws, prints a warning to the console. */
export function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    console.warn('Nameplate: a callback failed.', error);
  }
}
