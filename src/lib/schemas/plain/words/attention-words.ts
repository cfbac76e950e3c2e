/** What the overview is headed with, and messages say of the same. */
export const NEEDS_ATTENTION = 'Needs attention';
