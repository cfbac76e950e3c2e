import { z } from 'zod';
import { AppError } from '#core/errors';
import type { DownloadOptions, RemoteFile } from '#core/net';
import { orNull } from './maven.ts';
import { createOutside, type OutsideDeps, type Place } from './outside.ts';

export const ADOPTIUM: Place = {
	who: 'The Java builds of Adoptium',
	setting: 'ADOPTIUM_URL',
	real: 'https://api.adoptium.net',
	hosts: ['api.adoptium.net', 'github.com'],
	redirects: ['objects.githubusercontent.com', 'release-assets.githubusercontent.com']
};

const ARCHIVE_MAX_BYTES = 512 << 20;
const ARCHITECTURES: Record<string, string> = { x64: 'x64', arm64: 'aarch64' };

const Assets = z.array(
	z.object({
		binary: z.object({
			package: z.object({
				name: z.string().regex(/^[A-Za-z0-9][\w.+-]{0,199}\.tar\.gz$/),
				link: z.string(),
				checksum: z.string().regex(/^[0-9a-f]{64}$/),
				size: z.number().int().min(1)
			})
		}),
		release_name: z.string().max(200)
	})
);

/** A Java to download: a tar.gz with one folder in it. */
export type JavaArchive = RemoteFile & { release: string; size: number };

export interface JavaSource {
	/** The newest of a major version for this machine, without the compiler where possible. `not-found`: there is none. */
	find(major: number): Promise<JavaArchive>;
	download(archive: JavaArchive, to: string, options: DownloadOptions): Promise<void>;
}

export function createAdoptium(deps: OutsideDeps, machine: { arch: string; musl: boolean }) {
	const outside = createOutside(ADOPTIUM, deps);
	const arch = ARCHITECTURES[machine.arch];

	const ask = async (major: number, image: 'jre' | 'jdk') => {
		const query = new URLSearchParams({
			os: machine.musl ? 'alpine-linux' : 'linux',
			architecture: arch ?? '',
			image_type: image,
			vendor: 'eclipse'
		});
		const path = `v3/assets/latest/${major}/hotspot?${query.toString()}`;
		return (await orNull(outside.json(path, Assets)))?.[0];
	};

	const source: JavaSource = {
		async find(major) {
			// Not every version comes without the compiler.
			const found = arch && ((await ask(major, 'jre')) ?? (await ask(major, 'jdk')));
			if (!found)
				throw new AppError(
					'not-found',
					`Adoptium has no Java ${major} for this machine (${machine.arch}). Install one, and set JAVA_HOME.`
				);
			const { name, link, checksum, size } = found.binary.package;
			return {
				fileName: name,
				url: link,
				size,
				maxBytes: ARCHIVE_MAX_BYTES,
				hash: { algorithm: 'sha256', hex: checksum },
				release: found.release_name
			};
		},
		download: outside.download
	};
	return { source, outside };
}
