export {
	createModrinth,
	type RegistryFile,
	type RegistryVersion,
	type RegistryProject,
	type Registry,
	type Icon
} from './modrinth.ts';
