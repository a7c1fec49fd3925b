/** Rights of frames with a preview: nothing in them runs; this window may look into them. */
export const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';
