import { startFakePing } from './ping.ts';
import { standInFolder } from './server-folders.ts';

/** Something answers where the server of this folder should, and its process is not to be seen. */
export async function unseenServer() {
	const game = await startFakePing();
	const rcon = { 'enable-rcon': 'true', 'rcon.password': 'lantern', 'rcon.port': 1 };
	const folder = await standInFolder('fabric', {
		properties: { 'server-port': game.port, ...rcon }
	});
	await folder.write('eula.txt', 'eula=true\n');
	return {
		env: { SERVER_DIR: folder.dir, SCHEDULER: 'embedded', JAVA_HOME: folder.javaHome },
		async close() {
			await game.close();
			await folder.remove();
		}
	};
}
