/** What of a pack never comes into a server's folder; the first that fits counts. */
type Rule = { pattern: RegExp; why: string };

const ACCESS = 'Who may do what here is not decided by a pack.';
const SCRIPT = 'Scripts and programs of a pack are not taken.';
const MADE_HERE = 'It comes from those who make it.';
const START = 'How the server is started is set up here.';

const RULES: Rule[] = [
	{ pattern: /^eula\.txt$/i, why: 'Only a person can agree to the EULA.' },
	{
		pattern:
			/^(?:ops|whitelist|banned-players|banned-ips|usercache|usernamecache)\.json$|^(?:ops|white-list|banned-players|banned-ips)\.txt(?:\.converted)?$/i,
		why: ACCESS
	},
	{
		pattern:
			/\.(?:sh|bash|zsh|command|bat|cmd|ps1|psm1|vbs|exe|msi|com|scr|dll|so|dylib|py|pl|rb|php|desktop|appimage|service)$/i,
		why: SCRIPT
	},
	{
		pattern: /^(?:user_jvm_args\.txt|variables\.txt|server-setup-config\.ya?ml|settings\.cfg)$/i,
		why: START
	},
	{ pattern: /^fabric-server-launcher\.properties$/i, why: START },
	{ pattern: /^[^/]+\.jar$/i, why: MADE_HERE },
	{
		pattern: /^(?:libraries|versions|bundler|cache|\.fabric|\.mixin\.out|jre|jdk|java|runtime)\//i,
		why: MADE_HERE
	},
	{ pattern: /^(?:logs|crash-reports)\//i, why: 'It is about another server.' },
	{
		pattern: /^(?:modrinth\.index\.json|manifest\.json|modlist\.html|\.craftwarden[^/]*)(?:\/|$)/i,
		why: 'It is about the pack, not of the server.'
	},
	{ pattern: /(?:^|\/)session\.lock$/, why: 'It is about another server.' },
	{
		pattern: /(?:^|\/)(?:__MACOSX|\.git|\.svn)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i,
		why: 'A program left it behind.'
	}
];

/** Why a file is left out, and how that is told: a whole folder as one. Null when it is taken. */
export function ruledOut(path: string): { fileName: string; why: string } | null {
	for (const { pattern, why } of RULES) {
		const found = pattern.exec(path);
		if (!found) continue;
		const isFolder = found[0].endsWith('/');
		return { fileName: isFolder ? path.slice(0, found.index) + found[0] : path, why };
	}
	return null;
}
