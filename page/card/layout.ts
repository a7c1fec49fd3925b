import type { Node } from '@takumi-rs/wasm';
import { initialsOf, isEmoji } from '../avatar-fallback.ts';
import type { Card } from './card.ts';

export const CARD_SIZE = { width: 1200, height: 630 } as const;

const AVATAR_SIZE = 340;

type Style = NonNullable<Node['style']>;

/** Uses only flat areas, because they are fast to draw and small as a PNG. */
export function layoutOf(card: Card, fontFamily: string): Node {
  const { avatar, colors, title } = card;
  const isRtl = isRightToLeft(title);
  const [start, end] = isRtl ? (['right', 'left'] as const) : (['left', 'right'] as const);
  const { surface, button, bg: backgroundColor } = colors;
  return box(
    { ...CARD_SIZE, position: 'relative', overflow: 'hidden', backgroundColor, fontFamily },
    [
      circle(620, { backgroundColor: surface, top: -250, [end]: -190 }),
      avatar
        ? avatarNode(card, avatar, end)
        : circle(250, { backgroundColor: button, top: -96, [end]: -72 }),
      box({ ...FULL_HEIGHT, width: 16, backgroundColor: button, [start]: 0 }),
      box(
        {
          ...FULL_HEIGHT,
          left: 0,
          right: 0,
          display: 'flex',
          flexDirection: 'column',
          alignItems: isRtl ? 'flex-end' : 'flex-start',
          padding: '60px 88px',
        },
        [...(avatar ? [] : [moodOrInitials(card)]), textColumn(card, isRtl), footer(card, isRtl)],
      ),
    ],
  );
}

const FULL_HEIGHT: Style = { position: 'absolute', top: 0, bottom: 0 };

function avatarNode(
  { colors, hasSquareAvatar }: Card,
  src: Uint8Array,
  end: 'left' | 'right',
): Node {
  const size = { width: AVATAR_SIZE, height: AVATAR_SIZE };
  const corners = hasSquareAvatar ? { borderRadius: 0 } : {};
  const frame: Style = { top: 112, [end]: 80, padding: 12, backgroundColor: colors.button };
  return circle(AVATAR_SIZE + 24, { ...frame, ...corners }, [
    {
      type: 'image',
      src,
      style: { ...size, borderRadius: AVATAR_SIZE / 2, ...corners, objectFit: 'cover' },
    },
  ]);
}

function moodOrInitials({ colors, title, mood }: Card): Node {
  const isMoodEmoji = isEmoji(mood);
  const centered: Style = { display: 'flex', alignItems: 'center', justifyContent: 'center' };
  return circle(128, { ...centered, position: 'relative', backgroundColor: colors.button }, [
    text(isMoodEmoji ? mood : initialsOf(title), {
      color: colors.onButton,
      fontSize: isMoodEmoji ? 68 : 46,
      fontWeight: 700,
    }),
  ]);
}

/** Their letters are cut off in narrow lines. */
const TALL_SCRIPTS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}]/u;

function textColumn({ colors, title, bio, avatar, headingFontKey }: Card, isRtl: boolean): Node {
  return box(
    {
      display: 'flex',
      flexDirection: 'column',
      flexGrow: 1,
      justifyContent: 'center',
      alignItems: isRtl ? 'flex-end' : 'flex-start',
      width: avatar ? 600 : '100%',
    },
    [
      text(title, {
        ...clampLines(avatar ? 3 : 2, title),
        color: colors.ink,
        fontSize: titleFontSize(title, avatar !== undefined),
        fontWeight: 700,
        lineHeight: TALL_SCRIPTS.test(title) ? 1.4 : 1.15,
        // In other fonts, tighter spacing would make letters such as ff collide.
        letterSpacing: isRtl || headingFontKey ? 0 : '-0.02em',
      }),
      ...(bio
        ? [
            text(bio, {
              ...clampLines(avatar ? 3 : 2, bio),
              color: colors.muted,
              fontSize: 37,
              lineHeight: 1.4,
              marginTop: 20,
            }),
          ]
        : []),
    ],
  );
}

function footer({ colors, address, instance, mood }: Card, isRtl: boolean): Node {
  return box(
    {
      display: 'flex',
      flexDirection: isRtl ? 'row-reverse' : 'row',
      alignItems: 'center',
      justifyContent: 'space-between',
      gap: 32,
      width: '100%',
    },
    [
      text(address, {
        ...clampLines(1, address),
        color: colors.accent,
        fontFamily: 'inter',
        fontSize: 31,
        fontWeight: 600,
      }),
      ...(instance
        ? [
            text(instance, {
              ...clampLines(1, instance),
              flexGrow: 1,
              flexShrink: 0,
              maxWidth: 480,
              color: colors.muted,
              fontSize: 27,
            }),
          ]
        : []),
      ...(mood && !isEmoji(mood)
        ? [
            text(mood, {
              ...clampLines(1, mood),
              maxWidth: 480,
              flexShrink: 0,
              padding: '8px 26px',
              borderRadius: 30,
              border: `2px solid ${colors.line}`,
              color: colors.muted,
              backgroundColor: colors.surface,
              fontSize: 27,
              lineHeight: 1.5,
            }),
          ]
        : []),
    ],
  );
}

function titleFontSize(title: string, isNarrow: boolean): number {
  const { length } = [...title];
  if (length <= 16) return isNarrow ? 84 : 100;
  if (isNarrow) return length <= 36 ? 60 : 48;
  return length <= 36 ? 74 : 60;
}

function clampLines(lineClamp: number, content: string): Style {
  const isRtl = isRightToLeft(content);
  return {
    lineClamp,
    display: 'block',
    maxWidth: '100%',
    overflow: 'hidden',
    overflowWrap: 'anywhere',
    textOverflow: 'ellipsis',
    direction: isRtl ? 'rtl' : 'ltr',
    textAlign: isRtl ? 'right' : 'left',
  };
}

/** The first letter decides. */
function isRightToLeft(content: string): boolean {
  const [letter = ''] = /\p{L}/u.exec(content) ?? [];
  return /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(letter);
}

function circle(size: number, style: Style, children: Node[] = []): Node {
  const circleStyle: Style = { width: size, height: size, borderRadius: size / 2 };
  return box({ position: 'absolute', ...circleStyle, ...style }, children);
}

function box(style: Style, children: Node[] = []): Node {
  return { type: 'container', style, children };
}

function text(content: string, style: Style): Node {
  return { type: 'text', text: content, style };
}
