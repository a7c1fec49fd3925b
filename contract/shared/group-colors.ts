/** Beside its name, a group has one of these colors. */
export const GROUP_COLORS = ['blue', 'orange', 'green', 'yellow', 'purple', 'gray'] as const;

export type GroupColor = (typeof GROUP_COLORS)[number];
