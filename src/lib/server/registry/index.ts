export {
	createModrinth,
	type RegistryFile,
	type RegistryProject,
	type RegistryVersion,
	type Registry,
	type Icon
} from './modrinth.ts';
