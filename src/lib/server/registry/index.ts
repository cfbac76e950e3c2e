export {
	createModrinth,
	type RegistryFile,
	type RegistryPack,
	type RegistryProject,
	type RegistryVersion,
	type Registry,
	type Icon
} from './modrinth.ts';
