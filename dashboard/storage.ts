/** The browser's storage. If it is full or blocked, nothing is remembered. */
type Area = 'localStorage' | 'sessionStorage';

export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes the entry. */
export function store(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Forgotten when the tab reloads.
  }
}

export function removeStored(area: Area, isRemoved: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(window[area])) if (isRemoved(key)) window[area].removeItem(key);
  } catch {
    // Blocked, so nothing is stored.
  }
}
