import type { AuditAction } from '#schemas/audit';
import { Settings, type SettingsPatch } from '#schemas/settings';
import type { Actor } from '#core/actor';
import type { StateFile } from '#storage/state-file';

/** What a person changes while it runs. */
export interface SettingsService {
	get(): Promise<Settings>;
	/** Absent values stay. On disk and in the audit log when it resolves; does nothing, and says so, when nothing differs. */
	change(patch: SettingsPatch, by: Actor): Promise<{ settings: Settings; changed: boolean }>;
}

type Deps = {
	file: StateFile<Settings>;
	record: (
		by: Actor,
		action: AuditAction,
		facts: { result?: 'done' | 'failed'; detail: string }
	) => Promise<void>;
	publish: (fact: { type: 'settings'; settings: Settings }) => void;
};

export const SETTINGS_VERSION = 1;
export const SETTINGS_DEFAULTS: Settings = Settings.parse({});

export function createSettings({ file, record, publish }: Deps): SettingsService {
	return {
		get: () => file.read(),
		async change(patch, by) {
			let changes: string[] = [];
			const settings = await file
				.update((old) => {
					const next = { ...old, ...given(patch) };
					changes = differences(old, next);
					return next;
				})
				.catch(async (error) => {
					await record(by, 'settings.change', { result: 'failed', detail: changes.join(', ') });
					throw error;
				});
			if (changes.length === 0) return { settings, changed: false };
			await record(by, 'settings.change', { detail: changes.join(', ') });
			publish({ type: 'settings', settings });
			return { settings, changed: true };
		}
	};
}

const given = (patch: SettingsPatch) =>
	Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));

const differences = (old: Settings, next: Settings) =>
	(Object.keys(next) as (keyof Settings)[])
		.filter((key) => old[key] !== next[key])
		.map((key) => `${key}: ${old[key]} → ${next[key]}`);
