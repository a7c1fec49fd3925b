/** Calls a function of the caller's; what it throws disturbs nothing and is a warning on the console. */
export function tell(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    console.warn('Nameplate: a hook failed.', error);
  }
}
