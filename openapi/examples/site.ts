import { THEMES } from '../../contract/themes.ts';
import type { JsonObject } from '../json.ts';
import type { OperationExamples } from './example.ts';

const block: JsonObject = {
  id: '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  type: 'text',
  enabled: true,
  content: 'Hello!',
};

export const siteExamples = {
  getSiteConfiguration: {
    answer: {
      name: 'SiteConfiguration',
      summary: 'A site with a preset theme and one block.',
      value: {
        site: {
          bio: 'Potter in Lisbon.',
          avatar_url: 'https://example.com/jane.png',
          custom_theme: null,
          theme_id: THEMES[0].id,
          display_name: "Jane's pots",
          location: 'Lisbon',
          mood: '🌞',
          themes: THEMES[0],
        },
        blocks: [block],
        availableThemes: [...THEMES],
      },
    },
  },
  updateSiteConfiguration: {
    request: {
      name: 'NewSiteConfiguration',
      summary: 'Some details, a theme of your own and two blocks.',
      value: {
        bio: 'Potter in Lisbon.',
        theme_id: null,
        custom_theme: {
          background_color: '#101418',
          primary_color: '#FFD166',
          text_color: '#F5F5F5',
          accent_color: '#06D6A0',
          font_family: 'Open Sans',
        },
        blocks: [block, { type: 'link', url: 'https://example.com', label: 'My shop' }],
      },
    },
    answer: {
      name: 'SiteConfigurationUpdated',
      summary: 'All of it is stored.',
      value: { success: true },
    },
  },
  getSiteStatus: {
    answer: {
      name: 'SiteHidden',
      summary: 'The site is not public.',
      value: { enabled: false },
    },
  },
  toggleSiteVisibility: {
    answer: {
      name: 'SitePublished',
      summary: 'The site was hidden and is public now.',
      value: { success: true, newStatus: true },
    },
  },
} satisfies Record<string, OperationExamples>;
