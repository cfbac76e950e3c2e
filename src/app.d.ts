import type { App as Craftwarden } from '#app';
import type { Least } from '#api';
import type { Session } from '#auth';
import type { Actor } from '#core/actor';
import type { AppError } from '#core/errors';

declare global {
	namespace App {
		interface Error {
			message: string;
			code?: string;
			/** Stands in the log beside the cause of an unexpected error. */
			id?: string;
		}
		interface PageState {
			/** How many things lie over the page: Back closes the topmost. */
			over?: number;
		}
		interface Locals {
			app: Craftwarden;
			/** Null for anonymous visitors. */
			session: Session | null;
			/** Who the audit log names. */
			actor: Actor;
			/** The reader's, as their browser has told it; null while it has not. */
			timeZone: string | null;
			/** Why the page that is asked for may not be seen; its load throws it, so that the error page stands in the app. */
			refusal: AppError | null;
			/** Throws when the session has a lower role, and writes that down. */
			authorise(least: Least): void;
		}
	}
}
export {};
