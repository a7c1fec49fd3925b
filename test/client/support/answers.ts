/** What a server answers to each of the client's calls, by method and path. */
export const ANSWERS: Record<string, unknown> = {
  'GET /account/get-display-name': { display_name: 'jane-doe' },
  'POST /account/update-display-name': { success: true, message: 'Updated.' },
  'GET /site/get-site-configuration': {
    site: { bio: null, avatar_url: null, custom_theme: null, theme_id: null, themes: null },
    blocks: [],
    availableThemes: [],
  },
  'POST /site/update-site-configuration': { success: true },
  'GET /site/get-site-status': { enabled: false },
  'POST /site/toggle-site-visibility': { success: true, newStatus: true },
  'POST /email-forwarding/email-forwarding-toggle': {
    success: true,
    message: 'On.',
    enabled: true,
    email: 'jane@example.com',
  },
  'GET /stats/get-projects': { projects: [{ id: 'p-1', name: 'Shop', created_at: '2026-01-31' }] },
  'POST /stats/ingest-metrics': { message: 'The metric was ingested.' },
  'POST /hooks/send-chat-webhook': { success: true, message: 'Sent.', messageId: '1' },
  'PATCH /hooks/send-chat-webhook': { success: true, message: 'Edited.', messageId: '1' },
};
