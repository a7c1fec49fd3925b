/** The id of the theme that the operators of a server make of its color, fonts and cover. */
export const CLUB_THEME_ID = '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a00';
