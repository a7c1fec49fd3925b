/** Who sees a page: everybody, people who are signed in, or only its owner. */
export type PageVisibility = 'public' | 'members' | 'hidden';
