import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, which by itself calls nobody, and finds no host but this machine. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    ],
  });
  // No test is about time: the limit only ends what hangs, also on a busy machine.
  browser.on('context', (context) => context.setDefaultTimeout(200_000));
  return browser;
}

let shared: Promise<Browser> | undefined;

/** The browser of all test files in this process, with which it ends. Each test closes its contexts. */
export function sharedChromium(): Promise<Browser> {
  return (shared ??= launchChromium());
}
