import { createHash } from 'node:crypto';
import { jarFor } from './jars.ts';
import type {
	FileInput,
	Project,
	ProjectInput,
	StoredFile,
	Version,
	VersionInput
} from './types.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DAY_MS = 86_400_000;
const GAME_VERSION = '1.21.1';
const FIRST_DAY = Date.parse('2025-01-10T09:00:00Z');

/** Eight base62 digits, the same ones for the same name. */
function idFor(name: string): string {
	const digest = createHash('sha256').update(name).digest();
	return [...digest.subarray(0, 8)].map((byte) => DIGITS[byte % DIGITS.length]).join('');
}

const hashOf = (algorithm: string, bytes: Buffer) =>
	createHash(algorithm).update(bytes).digest('hex');

/** All projects and versions. `origin` is where our own files are. */
export function createStore(origin: () => string) {
	const projects: Project[] = [];
	const versions: Version[] = [];
	const find = (name: string) =>
		projects.find(({ id, slug }) => id === name || slug.toLowerCase() === name.toLowerCase());

	const toFile = (ids: string, input: FileInput, index: number): StoredFile => ({
		name: input.name,
		bytes: input.bytes,
		// The real one writes a plus sign as %2B, and so does this.
		url: input.url ?? `${origin()}/data/${ids}/${encodeURIComponent(input.name)}`,
		primary: input.primary ?? index === 0,
		fileType: input.fileType ?? null,
		size: input.size ?? input.bytes.length,
		sha1: input.sha1 ?? hashOf('sha1', input.bytes),
		sha512: input.sha512 ?? hashOf('sha512', input.bytes)
	});

	return {
		projects,
		versions,
		find,
		versionsOf: (projectId: string) =>
			versions
				.filter((version) => version.projectId === projectId)
				.sort((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt)),
		addProject(input: ProjectInput): Project {
			const title = input.title ?? input.slug;
			const project: Project = {
				id: input.id ?? idFor(`project ${input.slug}`),
				slug: input.slug,
				title,
				description: input.description ?? `${title}, made up.`,
				body: input.body ?? `# ${title}\n\nMade up.`,
				author: input.author ?? 'demo-author',
				categories: input.categories ?? ['utility'],
				clientSide: input.clientSide ?? 'optional',
				serverSide: input.serverSide ?? 'required',
				environment: input.environment ?? null,
				downloads: input.downloads ?? 1000,
				follows: input.follows ?? 10,
				license: input.license ?? 'MIT',
				status: input.status ?? 'approved',
				projectType: input.projectType ?? 'mod',
				icon: input.icon === undefined ? true : input.icon,
				published: input.published ?? new Date(FIRST_DAY).toISOString()
			};
			projects.push(project);
			return project;
		},
		/** Each next one is a day younger than the one before, unless told. */
		addVersion(projectName: string, input: VersionInput): Version {
			const project = find(projectName);
			if (!project) throw new Error(`there is no project ${projectName}`);
			const siblings = versions.filter(({ projectId }) => projectId === project.id).length;
			const { number, loaders = ['fabric'], gameVersions = [GAME_VERSION] } = input;
			const id = input.id ?? idFor(`version ${project.slug} ${number} ${loaders} ${siblings}`);
			const files = input.files ?? [{ name: `${project.slug}-${number}.jar`, bytes: build() }];
			const version: Version = {
				id,
				projectId: project.id,
				number,
				name: input.name ?? `${project.title} ${number}`,
				channel: input.channel ?? 'release',
				publishedAt: input.publishedAt ?? new Date(FIRST_DAY + siblings * DAY_MS).toISOString(),
				gameVersions,
				loaders,
				status: input.status ?? 'listed',
				changelog: input.changelog === undefined ? `- Changes of ${number}` : input.changelog,
				environment: input.environment ?? null,
				dependencies: input.dependencies ?? [],
				files: files.map((file, index) => toFile(`${project.id}/versions/${id}`, file, index))
			};
			versions.push(version);
			return version;

			function build() {
				const { mod = {} } = input;
				const environment =
					project!.serverSide === 'unsupported'
						? 'client'
						: project!.clientSide === 'unsupported'
							? 'server'
							: '*';
				return jarFor(
					loaders[0] ?? 'fabric',
					{
						id: project!.slug,
						version: number,
						name: project!.title,
						description: project!.description,
						environment,
						...mod
					},
					gameVersions[0] ?? GAME_VERSION
				);
			}
		}
	};
}
export type Store = ReturnType<typeof createStore>;
