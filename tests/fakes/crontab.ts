import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A `crontab` command with its own spool that stands in for the real one; it can be told to misbehave. */
export type FakeCrontab = Awaited<ReturnType<typeof fakeCrontab>>;
export type Trouble =
	| 'none'
	| 'denied'
	| 'missing-words'
	| 'hangs'
	| 'refuses'
	| 'half-read'
	/** Shows CR, BS and FF as \\r, \\b and \\f, as Debian's does; without an editor nobody sees what is stored. */
	| 'escapes'
	| 'escapes-without-editor'
	| 'writes-nothing'
	| 'other-writer'
	/** What a signal does to it in the middle: crontab(1) writes a file of its own, and renames it last of all. */
	| 'dies'
	| 'hangs-in-writing'
	| 'hangs-when-written'
	/** The dashboard dies before the table has been read to its end. */
	| 'kills-caller';

const PROGRAM = `#!/bin/sh
dir=$(dirname "$0")
trouble=$(cat "$dir/trouble")
echo "$*" >> "$dir/calls"
if [ "$1" = -l ]; then
	case $trouble in
		denied) echo "You (steve) are not allowed to use this program (crontab)" >&2; exit 1 ;;
		missing-words) exit 1 ;;
		half-read) head -c 5 "$dir/spool"; echo "read error" >&2; exit 1 ;;
		hangs) sleep 60 ;;
	esac
	[ -e "$dir/spool" ] || { echo "no crontab for steve" >&2; exit 1; }
	case $trouble in
		escapes*) exec sed 's/\\r/\\\\r/g; s/\\x08/\\\\b/g; s/\\f/\\\\f/g' "$dir/spool" ;;
	esac
	exec cat "$dir/spool"
fi
if [ "$1" = -e ]; then
	[ "$trouble" != escapes-without-editor ] || exit 1
	cp "$dir/spool" "$dir/edited"
	exec /bin/sh -c "$VISUAL '$dir/edited'"
fi
case $trouble in
	refuses) cat > /dev/null; echo '"-":3: bad minute' >&2; echo "errors in crontab file, can't install." >&2; exit 1 ;;
	writes-nothing) cat > /dev/null; exit 0 ;;
	other-writer) cat > /dev/null; echo "# mine" > "$dir/spool"; exit 0 ;;
	dies) head -c 5 > "$dir/next"; kill -9 $$ ;;
	hangs-in-writing) head -c 5 > "$dir/next"; sleep 60 ;;
	kills-caller) kill -9 $PPID ;;
esac
cat > "$dir/next" && mv "$dir/next" "$dir/spool"
[ "$trouble" != hangs-when-written ] || sleep 60
echo end >> "$dir/calls"
`;

export async function fakeCrontab(start?: string | Buffer, within?: string) {
	const dir = within ?? (await mkdtemp(path.join(tmpdir(), 'crontab-')));
	const spool = path.join(dir, 'spool');
	await writeFile(path.join(dir, 'crontab'), PROGRAM);
	await chmod(path.join(dir, 'crontab'), 0o755);
	const be = (trouble: Trouble) => writeFile(path.join(dir, 'trouble'), trouble);
	await be('none');
	if (start !== undefined) await writeFile(spool, start);
	return {
		/** Its own folder. */
		dir,
		environment: { PATH: `${dir}:${process.env['PATH']}` },
		be,
		bytes: () => readFile(spool).catch(() => null),
		write: (text: string | Buffer) => writeFile(spool, text),
		calls: async () => (await readFile(path.join(dir, 'calls'), 'utf8')).trim().split('\n'),
		dispose: () => rm(dir, { recursive: true, force: true })
	};
}
