import type { Component } from 'svelte';

/** What `@lucide/svelte/icons/…` exports: import single icons by path, so that only those are bundled. */
export type Picture = Component<{ size?: number | string; class?: string }>;
