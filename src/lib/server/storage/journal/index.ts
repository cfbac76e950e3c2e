export { createJournal, Entry, type Journal } from './journal.ts';
