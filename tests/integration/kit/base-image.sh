#!/bin/bash
# usage: base-image.sh TARBALL NODE — a base image made of this machine's own files, so that none need be fetched.
set -e
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{usr/bin,usr/lib/node_modules,etc/ssl/certs,tmp,root,run,proc,sys,dev}
for program in sh bash env cat cp rm mkdir ls mv ln chmod uname sleep date head sed tr printenv id stat; do
	cp -L "$(type -P "$program")" "$root/usr/bin/$program"
done
cp -L "$2" "$root/usr/bin/node"
npm=$(readlink -f "$(type -P npm)")
cp -a "$(dirname "$(dirname "$npm")")" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
for library in $(for file in "$root"/usr/bin/*; do ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true; done | sort -u) \
	$(ldconfig -p | sed -n 's/.*lib\(rt\|pthread\|dl\|util\|resolv\|nss_dns\|nss_files\|gcc_s\|stdc++\)\.so\.[0-9]* .*x86-64.*=> //p'); do
	[ ! -e "$library" ] || { mkdir -p "$root${library%/*}" && cp -L "$library" "$root$library"; }
done
[ -e "$root/bin" ] || ln -s usr/bin "$root/bin"
chmod 1777 "$root/tmp"
printf 'root:x:0:0::/root:/bin/sh\ncw:x:1000:1000::/data:/bin/sh\n' >"$root/etc/passwd"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
tar -C "$root" -cf "$1" .
