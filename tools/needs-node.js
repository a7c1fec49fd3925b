// Plain JavaScript, so that an older Node can run it and print the message.
if (!process.features.typescript || typeof AsyncDisposableStack === 'undefined') {
  console.error(
    'Nameplate needs Node 24 or newer. `npm ci` installs it, unless optional packages or scripts are disabled.',
  );
  process.exit(1);
}
