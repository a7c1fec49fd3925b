import type { CustomTheme } from './custom-theme.ts';
import type { PageSettingValues } from './page-settings.ts';

/**
 * A design that the editor offers in addition to the preset themes: a custom theme plus page
 * settings.
 */
export interface DesignPreset {
  id: string;
  name: string;
  description: string;
  custom_theme: CustomTheme;
  page: PageSettingValues;
}

/** To apply a design through the API, send its `custom_theme` and a block of type `page` with the fields of `page`. */
export const DESIGN_PRESETS: readonly DesignPreset[] = [
  {
    id: 'gallery',
    name: 'Gallery',
    description: 'White walls, black type, nothing else.',
    custom_theme: {
      background_color: '#FFFFFF',
      primary_color: '#0A0A0A',
      text_color: '#2B2B2B',
      accent_color: '#0A0A0A',
    },
    page: {
      fonts: 'grotesk',
      buttons: 'outline',
      corners: 'square',
      background: 'solid',
      layout: 'columns',
      avatar: 'square',
    },
  },
  {
    id: 'citrus',
    name: 'Citrus',
    description: 'Lemon yellow with thick black edges.',
    custom_theme: {
      background_color: '#FFE04A',
      primary_color: '#16130A',
      text_color: '#2A2410',
      accent_color: '#A20D0B',
    },
    page: {
      fonts: 'grotesk',
      buttons: 'shadow',
      corners: 'round',
      background: 'pattern',
      layout: 'left',
      avatar: 'square',
    },
  },
  {
    id: 'lagoon',
    name: 'Lagoon',
    description: 'A sea green gradient with round buttons.',
    custom_theme: {
      background_color: '#E4F6F3',
      primary_color: '#0B4F54',
      text_color: '#17494D',
      accent_color: '#004A50',
    },
    page: {
      fonts: 'nunito',
      buttons: 'filled',
      corners: 'pill',
      background: 'gradient',
      layout: 'centred',
      avatar: 'circle',
    },
  },
  {
    id: 'velvet',
    name: 'Velvet',
    description: 'Dark plum, old gold and elegant serifs.',
    custom_theme: {
      background_color: '#1C1020',
      primary_color: '#F1D9A7',
      text_color: '#E3D5DF',
      accent_color: '#E0B766',
    },
    page: {
      fonts: 'playfair',
      buttons: 'underline',
      corners: 'square',
      background: 'gradient',
      layout: 'centred',
      avatar: 'blob',
      density: 'relaxed',
    },
  },
  {
    id: 'notebook',
    name: 'Notebook',
    description: 'Handwriting on dotted paper.',
    custom_theme: {
      background_color: '#FCFAF2',
      primary_color: '#27418C',
      text_color: '#33384A',
      accent_color: '#B1302B',
    },
    page: {
      fonts: 'caveat',
      buttons: 'soft',
      corners: 'round',
      background: 'pattern',
      layout: 'left',
      avatar: 'circle',
    },
  },
];
