/** Every `@lucide/svelte/icons/…`, as the build makes it (scripts/vite-icons.ts). */
declare const picture: string;
export default picture;
