/** What `@lucide/svelte/icons/…` exports here (scripts/vite-icons.ts): the `d` of one path in a 24 × 24 field. */
export type IconPath = string;
